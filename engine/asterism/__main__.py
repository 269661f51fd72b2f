"""`python -m asterism` is `asterism`."""

from asterism.cli import main

main()
