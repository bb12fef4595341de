"""The variants that the tests play."""

FULL = [
    "python_coinche",
    "python_hokm",
    "python_hearts",
    "python_sheephead",
    "python_snapszer",
    "python_snapszer(rules=schnapsen)",
]

# Small enough to walk every history from every deal.
WALKED = [
    "python_coinche(suits=2,ranks=2,levels=1,capot=false)",
    "python_coinche(suits=1,ranks=4,levels=1,belote=true,reward=good)",
    "python_hokm(suits=2,ranks=2)",
    "python_hearts(suits=2,ranks=4,pass=hold)",
    "python_sheephead(suits=3,ranks=2)",
    "python_sheephead(suits=3,ranks=2,nola=false)",
    "python_snapszer(suits=2,ranks=3,hand=2)",
    "python_snapszer(suits=2,ranks=3,hand=1,rules=schnapsen)",
]

# Two or three cards a hand, with every kind of hidden move: walked below a few deals.
SMALL = [
    "python_coinche(suits=2,ranks=4,levels=1,capot=false)",
    "python_coinche(suits=3,ranks=4,levels=1,capot=false,doubling=false,undertrump=true)",
    "python_hokm(suits=2,ranks=4)",
    "python_hokm(suits=2,ranks=4,preview=2,trump=heuristic)",
    "python_hearts(suits=2,ranks=4,pass=left,pass_count=1)",
    "python_hearts(suits=3,ranks=4,pass=any,pass_count=1)",
    "python_sheephead(ranks=2)",
    "python_sheephead(ranks=3,duties=false)",
    "python_snapszer(suits=2,ranks=4,hand=3)",
    "python_snapszer(suits=2,ranks=4,hand=2,rules=schnapsen)",
]

# Small enough to list, for any position, all pasts that look the same.
COUNTED = [
    "python_coinche(suits=2,ranks=4,levels=1,capot=false,doubling=false)",
    "python_hokm(suits=2,ranks=4,preview=1)",
    "python_hokm(suits=2,ranks=4,preview=2,trump=heuristic)",
    "python_hearts(suits=2,ranks=4,pass=hold)",
    "python_hearts(suits=2,ranks=4,pass=left,pass_count=1)",
    "python_sheephead(ranks=2)",
    "python_snapszer(suits=2,ranks=4,hand=2)",
    "python_snapszer(suits=2,ranks=4,hand=2,rules=schnapsen)",
    "python_snapszer(suits=2,ranks=4,hand=2,match=true)",
]
