"""Settings of maintenance: leases, history and reported offenders of jobs."""

from pydantic import Field

from asterism.settings.section import Section


class MaintenanceSettings(Section):
    """Settings of jobs: their leases, their history, the offenders they report."""

    lease_s: float = Field(default=30.0, gt=0, description="how long a silent runner keeps its job")
    history_days: int = Field(default=90, ge=1, description="days for which jobs are remembered")
    offenders: int = Field(default=1000, ge=1, description="most offenders reported of each part")
