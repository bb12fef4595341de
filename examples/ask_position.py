"""Ask what to play in a position that you have written down, and why.

A few seconds: python examples/ask_position.py
"""

from spielgames.agents import make_agent
from spielgames.explanation import table
from spielgames.play.typed import place_typed

# Suits are c, d, h, s. Seats that are not written hold what is left, as seat 0 must believe it.
DEAL = """
game: hearts(pass=hold)
seat 0: Qs 9s 5s  Ah 10h 3h  Kc 7c 4c  Jd 8d 6d 2d
seat 1: 2c 10c 3c
seat 2: Ac 9d
seat 3: Jc 5d
moves: 2c, Ac, Jc, Kc, 9d, 5d
"""


def main(asked: str = "search", rounds: int = 4) -> None:
    state = place_typed(DEAL)
    seat, game = state.current_player(), state.get_game()
    print(state.observation_string(seat), "\n")
    words = {action: state.action_to_string(action) for action in state.legal_actions()}

    # An agent sees what its seat may see. A search that is asked again looks at more worlds.
    agent = make_agent(asked, game)
    for (explanation,) in agent.deepen(state.row, rounds):
        print(f"after {explanation.worlds} worlds")
        print(table(explanation, words), "\n")

    # Verdicts are records: the most valuable action, and by how much it leads.
    first, second = sorted(explanation.verdicts, key=lambda verdict: -verdict.mean)[:2]
    print(
        f"{words[first.action]} is worth {first.mean - second.mean:.2f} points more than", end=" "
    )
    print(words[second.action])


if __name__ == "__main__":
    main()
