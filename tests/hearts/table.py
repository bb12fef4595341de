"""A deal of Hearts told in words. Decks of four ranks keep it short: four cards each, ♣J leads."""

from tests import table

SOLO = ["AC KC QC JC", "AD KD QD JD", "AH KH QH JH", "AS KS QS JS"]
MIXED = ["JC KD QS JH", "QC AC AD KH", "KC JD QD AS", "QH AH KS JS"]


class Table(table.Table):
    """Nobody passes unless `direction` says so."""

    def __init__(self, hands, direction="hold", **params):
        suits = 4 - (not any("C" in hand for hand in hands))
        given = {"suits": suits, "ranks": 4, "pass_count": 1, "pass": direction}
        super().__init__("python_hearts", hands, **(given | params))
        self.deal()

    @property
    def points(self):
        """The penalty points taken."""
        return self.s.points.tolist()

    @property
    def result(self):
        """Three times the utilities, which are thirds."""
        return [round(3 * utility) for utility in self.state.returns()]
