"""Settings of the maintenance."""

from pydantic import Field

from engine.settings.section import Section


class MaintenanceSettings(Section):
    """How jobs are kept apart, and how long they are remembered."""

    lease_s: float = Field(default=30.0, gt=0, description="how long a silent runner keeps its job")
    history_days: int = Field(default=90, ge=1, description="days for which jobs are remembered")
    offenders: int = Field(default=1000, ge=1, description="most offenders told of each part")
