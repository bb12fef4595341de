"""Hand-written messages of the server, one table for each game."""

from typing import Any

Message = dict[str, Any]
NAMES = ["Ann", "Rosa", "Omid", "Vera", "Karl", "Fay"]
RANKS = {"A": "ace", "K": "king", "Q": "queen", "J": "jack"}
SUITS = {"♣": "clubs", "♦": "diamonds", "♥": "hearts", "♠": "spades"}


def words(card: str) -> str:
    return f"{RANKS.get(card[:-1], card[:-1])} of {SUITS.get(card[-1], '?')}"


def agent(ident: str, name: str, level: str) -> Message:
    return {"id": ident, "name": name, "level": level, "about": f"{name} plays.", "needs": None}


def game(name: str, title: str, players: int, teams: list[int] | None, **more: Any) -> Message:
    agents = [agent("random", "Toss", "beginner"), agent("rules", "Rosa", "solid")]
    return {
        "game": f"python_{name}",
        "title": title,
        "players": players,
        "teams": teams,
        "unit": "points",
        "about": f"A sentence about {title}.",
        "deck": "french",
        "match": {"goal": 100, "words": "to 100 points; the lowest total wins"},
        "parameters": [
            {"name": "pass", "default": "any", "choices": ["left", "any"], "about": "Passing."},
            {"name": "suits", "default": 4},
            {"name": "strict", "default": False, "choices": [False, True], "about": "A flag."},
        ],
        "agents": agents + [agent("search", "Vera", "strong")],
    } | more


HELLO = {
    "is": "hello",
    "version": 1,
    "games": [
        game("coinche", "Coinche", 4, [0, 1, 0, 1]),
        game("hokm", "Hokm", 4, [0, 1, 0, 1]),
        game("hearts", "Hearts", 4, None),
        game("sheephead", "Sheephead", 5, None, deck="german"),
        game("snapszer", "Snapszer", 2, None, deck="german"),
    ],
    "limits": {"tables": 500, "analyses": 4, "name": 24},
}


def seat(number: int, cards: int, **more: Any) -> Message:
    return {
        "seat": number,
        "name": NAMES[number],
        "kind": "agent" if number else "person",
        "level": "solid" if number else "",
        "here": True,
        "team": number % 2,
        "role": "",
        "cards": cards,
        "hand": [None] * cards,
        "said": "",
        "counts": {"tricks": 0},
        "total": 0,
    } | more


def play(number: int, card: str) -> Message:
    label = f"play the {words(card)}"
    return {
        "action": number,
        "kind": "play",
        "name": card,
        "label": label,
        "card": card,
        "suit": card[-1],
        "value": card[:-1],
    }


def call(number: int, kind: str, name: str, **more: Any) -> Message:
    return {
        "action": number,
        "kind": kind,
        "name": name,
        "label": name,
        "card": None,
        "suit": None,
        "value": None,
    } | more


def entry(
    step: int | None,
    seat: int | None,
    word: str,
    kind: str = "play",
    card: str | None = None,
    trick: int = 0,
) -> Message:
    return {
        "step": step,
        "seat": seat,
        "word": word,
        "kind": kind,
        "card": card or (word if kind == "play" else None),
        "trick": trick,
    }


def view(
    name: str, title: str, hand: list[list[str]], seats: list[Message], **more: Any
) -> Message:
    return {
        "is": "view",
        "table": "k3x9",
        "link": "#k3x9.Tq",
        "at": "0:5",
        "fresh": 0,
        "game": f"python_{name}",
        "title": title,
        "parameters": {},
        "deck": "french",
        "number": 7,
        "deal": 0,
        "you": 0,
        "bottom": 0,
        "eyes": "seat",
        "choose": 0,
        "unit": "points",
        "turn": 0,
        "thinking": False,
        "over": False,
        "prompt": "play a card",
        "trump": None,
        "contract": "",
        "facts": [],
        "seats": seats,
        "hand": hand,
        "piles": [],
        "trick": {"number": 1, "cards": [], "winner": None},
        "last_trick": None,
        "tricks": [],
        "log": [],
        "actions": [],
        "illegal": [],
        "can": {
            "undo": True,
            "claim": False,
            "next": False,
            "review": False,
            "explain": ["worlds"],
            "belief": True,
            "comment": False,
        },
        "settings": {"forced": False, "hints": "values", "pace": 0, "paused": False},
        "match": None,
        "result": None,
        "comments": [],
    } | more


def hearts() -> Message:
    cards = [["A♠", "Q♠", "4♠"], ["K♥", "10♥", "2♥"], ["J♣", "9♣", "3♣"], ["K♦", "8♦", "7♦"]]
    trick = {
        "number": 2,
        "cards": [{"seat": 2, "card": "5♦"}, {"seat": 3, "card": "Q♦"}],
        "winner": 3,
    }
    first = {
        "number": 1,
        "cards": [
            {"seat": 1, "card": "2♣"},
            {"seat": 2, "card": "K♣"},
            {"seat": 3, "card": "A♣"},
            {"seat": 0, "card": "8♣"},
        ],
        "winner": 3,
    }
    log = [entry(i, c["seat"], c["card"], trick=1) for i, c in enumerate(first["cards"])]
    log += [entry(4 + i, c["seat"], c["card"], trick=2) for i, c in enumerate(trick["cards"])]
    legal = cards[3]
    return view(
        "hearts",
        "Hearts",
        cards,
        [seat(0, 12, counts={"points": 0, "tricks": 0}, total=12, team=0)]
        + [
            seat(i, 12 - (i > 1), counts={"points": 3 * i, "tricks": 1}, total=13 * i, team=i)
            for i in (1, 2, 3)
        ],
        trick=trick,
        last_trick=first,
        tricks=[first],
        log=log,
        fresh=len(log),
        actions=[play(i, card) for i, card in enumerate(legal)],
        illegal=[
            {"card": c, "why": "you must follow diamonds"} for suit in cards[:3] for c in suit
        ],
        facts=[["passing", "left"], ["hearts", "not broken"]],
        match={"goal": 100, "deals": 2, "over": False, "totals": [12, 13, 26, 39], "words": ""},
    )


def whist(seats: int) -> Message:
    """A game for any number of seats, all of whom have played to the trick."""
    cards = [{"seat": k, "card": f"{k + 2}♦"} for k in range(seats)]
    trick = {"number": 1, "cards": cards, "winner": seats - 1}
    around = [seat(k, 5, counts={"tricks": k}, team=k) for k in range(seats)]
    return view("whist", "Whist", [["A♠", "K♠"]], around, trick=trick)


def passing() -> Message:
    shown = hearts()
    cards = [card for suit in shown["hand"] for card in suit]
    acts = [call(i, "pass_card", card, card=card) for i, card in enumerate(cards)]
    empty = {"number": 1, "cards": [], "winner": None}
    return shown | {
        "prompt": "pass 3 cards left",
        "choose": 3,
        "actions": acts,
        "illegal": [],
        "trick": empty,
        "tricks": [],
        "last_trick": None,
        "log": [],
        "fresh": 0,
    }


def coinche() -> Message:
    cards = [["J♠", "9♠", "A♠"], ["K♥", "10♥"], ["8♣"], ["K♦", "8♦"]]
    bids = [
        call(
            1 + 4 * i + j,
            "bid",
            f"{value}{suit}",
            suit=suit,
            value=value,
            label=f"bid {value} {SUITS[suit]}",
        )
        for i, value in enumerate([100, 110, 120, 130, 140, 150, 160, "capot"])
        for j, suit in enumerate("♣♦♥♠")
    ]
    log = [entry(0, 1, "80♥", "bid"), entry(1, 2, "90♣", "bid"), entry(2, 3, "pass", "pass")]
    seats = [seat(i, 8, said=["", "80♥", "90♣", "pass"][i]) for i in range(4)]
    return view(
        "coinche",
        "Coinche",
        cards,
        seats,
        log=log,
        fresh=3,
        prompt="bid, or pass",
        contract="90♣",
        actions=[call(0, "pass", "pass"), call(41, "coinche", "coinche"), *bids],
    )


def hokm() -> Message:
    cards = [["J♠", "9♠"], ["K♥"], ["8♣", "8♦"]]
    acts = [
        call(52 + i, "trump", f"trump {s}", suit=s, label=f"trump {SUITS[s]}")
        for i, s in enumerate("♣♦♥♠")
    ]
    seats = [seat(0, 5, role="Hakem")] + [seat(i, 5) for i in (1, 2, 3)]
    return view("hokm", "Hokm", cards, seats, prompt="choose the trump suit", actions=acts)


def sheephead() -> Message:
    cards = [["Q♣", "Jk", "Q♠", "J♦"], ["A♣", "10♣"], ["9♠", "7♥"]]
    acts = [call(i, "bury", c, card=c) for i, c in enumerate(c for suit in cards for c in suit)]
    seats = [seat(0, 8, role="picker", said="pick")] + [
        seat(i, 6, said="pass") for i in (1, 2, 3, 4)
    ]
    log = [
        entry(i, (1 + i) % 5, "pass" if i < 4 else "pick", "pass" if i < 4 else "pick")
        for i in range(5)
    ]
    return view(
        "sheephead",
        "Sheephead",
        cards,
        seats,
        deck="german",
        prompt="bury 2 cards",
        choose=2,
        actions=acts,
        log=log,
        fresh=5,
    )


def snapszer() -> Message:
    cards = [["K♥", "Q♥"], ["A♣", "J♣"], ["10♠"]]
    acts = [play(i, c) for i, c in enumerate(c for suit in cards for c in suit)]
    acts += [
        call(20, "close", "close", label="close the talon"),
        call(23, "marriage", "20", suit="♥", label="declare a marriage of hearts"),
        call(25, "exchange", "exchange J♣", label="exchange the jack of clubs"),
    ]
    seats = [
        seat(0, 5, counts={"points": 21, "tricks": 2}, total=3),
        seat(1, 5, counts={"points": 14, "tricks": 1}, said="40!", total=5),
    ]
    piles = [
        {"name": "talon", "count": 5, "cards": [None] * 5},
        {"name": "upcard", "count": 1, "cards": ["9♣"]},
    ]
    piles[1]["cards"] = ["K♣"]
    last = {
        "number": 3,
        "cards": [{"seat": 1, "card": "Q♠"}, {"seat": 0, "card": "A♠"}],
        "winner": 0,
    }
    log = [entry(0, 1, "40", "marriage"), entry(1, 1, "Q♠", trick=3), entry(2, 0, "A♠", trick=3)]
    return view(
        "snapszer",
        "Snapszer",
        cards,
        seats,
        deck="german",
        trump="♣",
        piles=piles,
        actions=acts,
        log=log,
        fresh=3,
        last_trick=last,
        tricks=[last],
        match={"goal": 7, "deals": 4, "over": False, "totals": [3, 5], "words": ""},
        prompt="lead a card, or declare",
    )


def analysis(shown: Message, worlds: int = 40, done: bool = False) -> Message:
    verdicts = [
        {
            "action": a["action"],
            "name": a["name"],
            "card": a["card"],
            "chance": [0.7, 0.2, 0.1][i % 3],
            "mean": 1.25 - 0.6 * i,
            "low": 1.0 - 0.6 * i,
            "high": 1.5 - 0.6 * i,
            "best": [0.81, 0.15, 0.04][i % 3],
            "base": i == 1,
        }
        for i, a in enumerate(shown["actions"])
    ]
    return {
        "is": "analysis",
        "question": "worlds",
        "at": shown["at"],
        "deal": None,
        "step": None,
        "seat": 0,
        "agent": "search",
        "round": 3,
        "rounds": 6,
        "worlds": worlds,
        "of": 200,
        "value": 1.25,
        "unit": "points",
        "why": "K♦ gains +0.61 ± 0.20 on the base move.",
        "verdicts": verdicts,
        "done": done,
    }


GAMES = {
    "hearts": hearts,
    "passing": passing,
    "coinche": coinche,
    "hokm": hokm,
    "sheephead": sheephead,
    "snapszer": snapszer,
}
