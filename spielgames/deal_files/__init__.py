"""Deals in files: as JSON lines, and deals of Hokm and Hearts in Portable Bridge Notation.

deals = load_deals(Path("deals.jsonl.gz"))  # or deals.pbn
save_deals(Path("deals.pbn"), deals)
deals[0].end.returns()

The ending of the file's name says which: `.jsonl`, `.jsonl.gz` or `.pbn`. docs/deal_files.md
describes both formats.
"""

from spielgames.deal_files.files import FORMATS, format_of, load_deals, save_deals
from spielgames.deal_files.history import FinishedDeal, follow

__all__ = ["FORMATS", "FinishedDeal", "follow", "format_of", "load_deals", "save_deals"]
