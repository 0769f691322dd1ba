"""Leaves: text, units, sources, the shell, directive lines. They know no scheduler's rules, and nothing above them."""
