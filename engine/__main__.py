"""`python -m engine` is `asterism`."""

from engine.cli import main

main()
