"""Part of the package workshop: book."""
