"""Maintenance: days that are closed, memories that are archived, rules that are checked."""

from asterism.maintenance.jobs import Parts, job_descriptions
from asterism.maintenance.maintenance import Maintenance, job_named
from asterism.maintenance.models import Job, JobReport, Offender
from asterism.maintenance.scheduler import parse_interval, run_repeatedly

__all__ = [
    "Job",
    "JobReport",
    "Maintenance",
    "Offender",
    "Parts",
    "job_descriptions",
    "job_named",
    "parse_interval",
    "run_repeatedly",
]
