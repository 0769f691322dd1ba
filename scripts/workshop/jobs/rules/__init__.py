"""The rules of the checker, as tables of small functions."""
