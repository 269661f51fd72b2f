"""Maintenance: days that are closed, memories that are archived, rules that are checked."""

from engine.maintenance.jobs import about
from engine.maintenance.keep import keep, seconds
from engine.maintenance.maintenance import Maintenance, Parts, job_named
from engine.maintenance.model import Job, JobReport, Offender

__all__ = [
    "Job",
    "JobReport",
    "Maintenance",
    "Offender",
    "Parts",
    "about",
    "job_named",
    "keep",
    "seconds",
]
