"""MCP server: the tools, resources and prompts by which assistants reach one realm."""
