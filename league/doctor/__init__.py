"""What `arena doctor` says of this installation: what is there, what is missing, and what to type."""

from league.doctor.diagnosis import Diagnosis, diagnosis_lines
from league.doctor.examine import examine

__all__ = ["Diagnosis", "diagnosis_lines", "examine"]
