"""Groups of seats that share a network."""

SHARINGS = ("seat", "team", "all")
Groups = list[tuple[int, ...]]


def group_seats(teams: tuple[int, ...], seats: tuple[int, ...], sharing: str) -> Groups:
    """Return the groups of seats that share a network."""
    if sharing == "all":
        return [seats]
    if sharing == "team" and teams:
        return [
            tuple(s for s in seats if teams[s] == team)
            for team in sorted({teams[s] for s in seats})
        ]
    return [(seat,) for seat in seats]
