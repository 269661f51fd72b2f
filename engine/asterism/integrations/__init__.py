"""Integrations: Asterism behind the interfaces of agent frameworks, each an extra."""
