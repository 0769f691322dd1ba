"""``python -m workshop`` is the command ``workshop``."""

from workshop.cli import main

main()
