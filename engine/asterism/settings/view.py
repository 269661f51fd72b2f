"""Settings of pictures and charts: their sizes."""

from pydantic import Field

from asterism.settings.section import Section


class ViewSettings(Section):
    """Settings of pictures and charts: their sizes."""

    nodes: int = Field(default=80, ge=1, le=1000, description="nodes of a picture at most")
    relationships: int = Field(default=240, ge=1, description="relationships of one at most")
    spread: int = Field(default=3, ge=0, description="what each neighbour brings along at most")
    lines: int = Field(default=8, ge=1, le=30, description="connections in a chart at most")
    chart_points: int = Field(default=300, ge=10, description="moments of a level's chart")
