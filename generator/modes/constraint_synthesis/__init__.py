"""Mode III, constraint synthesis."""
