"""Hits of recall as metadata for frameworks: ids, scores and reasons pass through."""

from typing import Any

from asterism.recall import Hit


def metadata(hit: Hit) -> dict[str, Any]:
    """Return what is known of a hit beside its text, as plain values. Its own metadata stays."""
    fields: dict[str, Any] = {
        "id": hit.id,
        "score": hit.score,
        "why": hit.why,
        "certainty": hit.certainty.value,
        "at": hit.at.isoformat(),
        "strength": hit.strength,
        "tags": list(hit.tags),
        "session": hit.session,
        "speaker": hit.speaker,
        "superseded_by": hit.superseded_by,
    }
    return {**hit.metadata, **{name: value for name, value in fields.items() if value is not None}}
