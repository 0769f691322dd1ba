"""One package a scheduler, with the same file names in each; they do not know each other."""
