"""Names of cards, shared by strings, structs and the table."""

from spielgames.core.cards import SUIT_LETTERS, SUIT_SYMBOLS, Cards, members

RANKS_13 = "23456789TJQKA"
RANKS_8 = "789TJQKA"
RANKS_5 = "TJQKA"
SUIT_WORDS = ("clubs", "diamonds", "hearts", "spades")
RANK_WORDS = {"J": "jack", "Q": "queen", "K": "king", "A": "ace"}
SHOWN = (3, 2, 0, 1)  # the suits of a hand from left to right: black and red in turn
NO_TRUMP = 4
Place = tuple[int, int]  # of a card in a hand: its suit's, and its own within the suit


def card_name(card: int, ranks: str) -> str:
    """`10♣`, `A♠`, …"""
    suit, rank = divmod(int(card), len(ranks))
    return ranks[rank].replace("T", "10") + SUIT_SYMBOLS[suit]


def card_words(name: str) -> str:
    """`queen of clubs`, for the name `Q♣`."""
    if name[-1] not in SUIT_SYMBOLS:
        return "joker"
    suit = SUIT_WORDS[SUIT_SYMBOLS.index(name[-1])]
    return f"{RANK_WORDS.get(name[:-1], name[:-1])} of {suit}"


def card_names(cards: Cards, ranks: str) -> list[str]:
    return [card_name(card, ranks) for card in members(cards)]


def parse_card(text: str, ranks: str) -> int:
    """Read `10♣`, `Tc`, `10C`, …"""
    word = text.strip().upper().replace("10", "T")
    for suits in (SUIT_LETTERS, SUIT_SYMBOLS):
        if len(word) == 2 and word[0] in ranks and word[1] in suits:
            return len(ranks) * suits.index(word[1]) + ranks.index(word[0])
    raise ValueError(
        f"{text!r} is not a card; write a rank of {', '.join(ranks)} and a suit of C D H S"
    )


def place(suit: int, trump: int, strength: int) -> Place:
    """A card's place in a sorted hand: trumps first, and strong cards before weak ones."""
    return -1 if suit == trump else SHOWN.index(suit), -int(strength)
