"""Prompts of the server: when to remember, and a review of what is remembered."""

from mcp.server.mcpserver import MCPServer

from asterism.mcp_server.service import Service

INSTRUCTIONS = (
    "Long-term memory of the user. Recall before you answer about the user, their people, plans "
    "or earlier work. Remember lasting facts, one to a text. What has changed: correct."
)

WHEN_TO_REMEMBER = """\
You have a long-term memory. Use it like this.

Before you answer: if the question is about the user, their people, plans, wishes or earlier work,
call `recall` with a whole question. If it finds nothing, say that you do not know. Never guess.

Remember:
- what the user states about themselves and their people: facts, wishes, limits, habits;
- decisions and their reasons, promises, dates and plans;
- what the user asks you to remember, with lasts="permanent" if it must never be lost.

Write one fact to a text, with names in place of "he", "it" or "there", and with the date of a plan.
Give `about` the person or thing, and `session` the id of this conversation.

Do not remember: small talk, what you said yourself, secrets such as passwords, what anybody can
look up, and anything the user asks you to leave out.

If something is not true any more, call `recall` for its id, then `correct`. If the user wants
something gone, call `forget`, show what it would remove, and repeat it with dry_run=false once they
agree. If the user comes back to the same wish or worry, keep it as a `star`.
"""

REVIEW = """\
Review what you remember with me. For each point below say in one sentence what it is about and ask
what to do. Then do it: `correct` what has changed, `forget` what I do not want to be stored
(dry run first), and leave the rest.
"""
MOST_LISTED = 10


def add_prompts(server: MCPServer, service: Service) -> None:
    """Add the prompts to a server."""

    @server.prompt(name="remembering", title="When to remember")
    def remembering() -> str:
        """Teach the assistant what to remember, and when."""
        return WHEN_TO_REMEMBER

    @server.prompt(name="review", title="Review the memory")
    async def review() -> str:
        """Go through what may be out of date, and the latest memories."""
        graph = await service.graph()
        proposals = await graph.memories.proposals(limit=MOST_LISTED)
        updates = [
            f"- {each.new_text} ({each.new}) may replace: {each.old_text} ({each.old})"
            for each in proposals
        ]
        page = await graph.memories.list(limit=MOST_LISTED, state="active")
        latest = [
            f"- {memory.text} ({memory.first_seen:%Y-%m-%d}, {memory.id})" for memory in page.items
        ]
        parts = [REVIEW]
        parts += [_section("May have changed:", updates)] if updates else []
        parts += [_section("Remembered last:", latest)] if latest else ["Nothing is remembered."]
        return "\n".join(parts)


def _section(title: str, lines: list[str]) -> str:
    return "\n".join([title, *(" ".join(line.split()) for line in lines), ""])
