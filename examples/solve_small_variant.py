"""Solve a small variant exactly, and see how exploitable the rule-based player is in it.

A few seconds: python examples/solve_small_variant.py
"""

from solvers.exact.best_response import nash_conv
from solvers.exact.cfr import Cfr
from solvers.exact.profiles import load_tree, profile_of, uniform
from solvers.exact.sequence_form import expected_values
from spielgames.agents import make_agent

GAME = "python_snapszer(suits=2,ranks=3,hand=2)"


def main(steps: tuple[int, ...] = (1, 10, 100, 1000)) -> None:
    tree = load_tree(GAME)
    # NashConv: what both seats together could gain by best responses; 0 in an equilibrium.
    print(f"random play: NashConv {nash_conv(tree, uniform(tree)):.3f}")
    rules = profile_of(make_agent("rules", GAME), tree)
    print(f"the rule-based player: {nash_conv(tree, rules):.3f}")

    solver, done = Cfr(tree, scheme="predictive"), 0
    for iterations in steps:
        solver.run(iterations - done)
        done = iterations
        solved = solver.average()
        print(f"predictive CFR, {iterations} iterations: {nash_conv(tree, solved):.2g}")
    value = expected_values(solver.form, solved)[0]
    print(f"the deal is worth {value:+.4f} game points to seat 0, if both play perfectly")


if __name__ == "__main__":
    main()
