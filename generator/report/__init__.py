"""The report room: runs in, one self-contained page out, with JSON and CSVs of the same figures."""

from generator.report.gather import gather_report
from generator.report.page import render_page
from generator.report.structure import Report, Table
from generator.report.tables import write_tables

__all__ = ["Report", "Table", "gather_report", "render_page", "write_tables"]
