"""Maintenance: days that are closed, memories that are archived, rules that are checked."""

from engine.maintenance.keep import keep
from engine.maintenance.maintenance import Maintenance, Parts
from engine.maintenance.model import Job, JobReport, Offender

__all__ = ["Job", "JobReport", "Maintenance", "Offender", "Parts", "keep"]
