"""The book: notebooks, pages, site."""
