"""Neo4j server of this user's own, from Python packages alone."""
