"""Helpers of the tests of Mode III: worlds, chains, cases, builds and mutants."""
