"""The smallest travel task there is: which of the hotels shown has the cheapest double room."""
