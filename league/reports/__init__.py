"""Reports of a run to share: one offline HTML page, Markdown, CSV, and plots as PNG and SVG."""

from league.reports.content import ReportContent, gather
from league.reports.render import SUFFIXES, write_report

__all__ = ["SUFFIXES", "ReportContent", "gather", "write_report"]
