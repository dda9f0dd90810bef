"""Update chains (Mode III): values that are set, changed, taken back and derived."""
