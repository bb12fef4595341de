"""Deals in files: as JSON lines, and deals of Hokm and Hearts in Portable Bridge Notation.

records = read_records(Path("deals.jsonl.gz"))  # or deals.pbn
write_records(Path("deals.pbn"), records)
records[0].end.returns()

The ending of the file's name says which: `.jsonl`, `.jsonl.gz` or `.pbn`. docs/records.md describes
both formats.
"""

from spielgames.records.files import FORMATS, format_of, read_records, write_records
from spielgames.records.history import Record, follow

__all__ = ["FORMATS", "Record", "follow", "format_of", "read_records", "write_records"]
