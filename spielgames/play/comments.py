"""Comments that people write on the decisions of a deal, and their lines in a transcript."""

import re

Comments = dict[int, str]  # by the number of the decision, from 0 on
LINE = re.compile(r"comment (\d{1,3}): (.*)")  # in transcripts decisions count from 1
LONGEST_COMMENT = 300


def tidy(text: str) -> str:
    """A comment as it is kept: one line without invisible characters."""
    words = " ".join(text.split())
    return "".join(filter(str.isprintable, words))[:LONGEST_COMMENT].strip()


def comment_lines(comments: Comments) -> list[str]:
    return [f"comment {step + 1}: {comments[step]}" for step in sorted(comments)]


def read_comments(text: str, start: str) -> list[Comments]:
    """The comments on each deal of a transcript, in which a line with this start begins a deal."""
    deals: list[Comments] = []
    for line in text.splitlines():
        if line.startswith(start):
            deals.append({})
        elif deals and (found := LINE.fullmatch(line)) and tidy(found[2]) and int(found[1]):
            deals[-1][int(found[1]) - 1] = tidy(found[2])
    return deals
