"""The smallest variants of the five games on which exact solvers and learners are compared."""

SMALLEST = (
    "python_snapszer(suits=2,ranks=3,hand=2)",
    "python_coinche(suits=2,ranks=2,levels=1,capot=false)",
    "python_hearts(suits=2,ranks=4,pass=hold)",
    "python_sheephead(suits=3,ranks=2)",
    "python_hokm(suits=2,ranks=4,trump=heuristic)",
)
