"""Apptainer for the practice cluster and the tests: a real one, in a small Debian of its own."""
