"""Support of the tests: worlds that fill a realm, oracles that share no code with the package."""
