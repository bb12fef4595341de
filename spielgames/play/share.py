"""A deal as a short string, for links: the game, and its history compressed."""

import base64
import binascii
import zlib

from spielgames.core.state import CardState
from spielgames.deal_files import FinishedDeal, follow

PREFIX = "python_"
MOST_STEPS = 1000  # more than any deal has
RAW = -zlib.MAX_WBITS  # without header and checksum


def shorten(state: CardState) -> str:
    """`hearts(pass=left).eJx…`"""
    packer = zlib.compressobj(9, wbits=RAW)
    packed = packer.compress(bytes(state.history())) + packer.flush()
    text = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return f"{FinishedDeal(state).game.removeprefix(PREFIX)}.{text}"


def lengthen(text: str, finished: bool = True) -> CardState:
    """The deal that a short string stands for, which may have to be finished."""
    game, _, packed = text.strip().rpartition(".")
    try:
        raw = base64.b64decode(packed + "=" * (-len(packed) % 4), altchars=b"-_", validate=True)
        history = zlib.decompressobj(RAW).decompress(raw, MOST_STEPS)
    except (binascii.Error, zlib.error, ValueError):
        raise ValueError("this is not the short string of a deal") from None
    return follow(PREFIX + game, [str(action) for action in history], finished)
