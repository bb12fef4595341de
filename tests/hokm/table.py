"""A deal of Hokm told in words. Four ranks keep it short: four cards each, three tricks win."""

from spielgames.hokm import rules
from tests import table

# A suit each: whoever holds the trumps takes all tricks.
SOLO = ["AH KH QH JH", "AS KS QS JS", "AD KD QD JD", "AC KC QC JC"]
MIXED = ["AH KH AC JD", "QH JH KC AD", "AS KS QD QC", "QS JS KD JC"]
# With hearts as trump, two tricks for either team.
EVEN = ["AH KH JC JD", "QH JH AC AD", "KC QC KD QD", "AS KS QS JS"]


class Table(table.Table):
    """Seat 0, the Hakem, sees the cards `seen` before naming trump; by default its whole hand."""

    def __init__(self, hands, seen=None, ranks=4, **params):
        self.seen = table.cards(hands[0] if seen is None else seen)
        super().__init__("python_hokm", hands, ranks=ranks, preview=len(self.seen), **params)
        self.deal()

    def place_of(self, card):
        if self.s.trump == rules.NO_TRUMP_YET:
            return rules.PREVIEW if card in self.seen else rules.STOCK
        return super().place_of(card)

    def name(self, suit):
        """The Hakem names trump, by its letter; then the rest is dealt."""
        self.state.apply_action(rules.NAME + "CDHS".index(suit))
        self.deal()
        return self

    @property
    def tricks(self):
        return self.s.tricks.tolist()

    @property
    def result(self):
        """The utility of the Hakem's team, the negative of the other's."""
        out = self.state.returns()
        assert out[0] == out[2] == -out[1] == -out[3]
        return out[0]
