"""The agent with a belief state: what it expects, that it does not peek, and what it learns."""

from dataclasses import replace

import numpy as np
import pytest

from experiments.common.curves import Curve
from experiments.common.learners import Limits
from experiments.common.sessions import play_session
from experiments.common.tables import Table, predictors_by_place
from solvers.pomdp.actor_critic import ActorCriticSettings, soft_max
from solvers.pomdp.agent import load_player, save_player
from solvers.pomdp.belief_agent import BeliefAgent, Settings
from solvers.pomdp.learned_belief import log_likelihoods
from solvers.pomdp.learner import Learner
from solvers.pomdp.settings import Forgetting, LinearSettings
from solvers.pomdp.views import beliefs_of, clues_of, features_of, merits_of, stages_of
from solvers.search.importance import NOISE, rewind
from solvers.search.importance import relive as relive_event
from spielgames.agents import legal_flags, make_agent
from spielgames.core.batch import Batch
from spielgames.core.match import utilities
from spielgames.core.rollouts import roll_out

pytestmark = pytest.mark.compiled

NAME = "python_sheephead(suits=3,ranks=6,nola=false)"  # three cards a hand
LINEAR = LinearSettings(forgetting=Forgetting(1.0, 1.0))
PLAIN = Settings(
    critic=LINEAR,
    actor=LINEAR,
    predictor=LINEAR,
    learning=ActorCriticSettings(actor_rate=0.0),
    worlds=3,
)
CHEAT = replace(PLAIN, belief="true_hands", worlds=1)


def agent(settings, seed=0):
    """An agent whose approximators are not all zero."""
    made = BeliefAgent(NAME, settings, seed)
    rng = np.random.default_rng(seed)
    for part in made.parts().values():
        x = rng.normal(size=(60, part.inputs))
        part.update(x, rng.normal(size=(60, part.outputs)))
    return made


def at_play(games, seed, tricks=0):
    """Positions in the play, by the rules."""
    rules, rng = make_agent("rules", NAME), np.random.default_rng(seed)
    batch = Batch(NAME, games, seed)
    while batch.running():
        open_rows = (batch.actors() >= 0) & (stages_of(batch.states) >= 3)
        played = np.bitwise_count(batch.states["public"])
        some = open_rows & (played >= 5 * tricks + rng.integers(0, 4, games))
        legal = np.zeros(games, bool)
        legal[batch.actors() >= 0] = legal_flags(batch.states[batch.actors() >= 0], 44).sum(1) > 1
        some &= legal
        if some.sum() >= 5:
            return batch.states[some][:5]
        going = batch.actors() >= 0
        actions = np.zeros(games, np.int64)
        for i, row in zip(
            np.flatnonzero(going), rules.probabilities(batch.states[going]), strict=True
        ):
            actions[i] = rng.choice(44, p=row.astype(float) / row.astype(float).sum())
        batch.step(actions)
    raise AssertionError("no such positions")


def expected(made, state, seat, beliefs):
    """The expected utility of a position: each play that may follow, by its predictor."""
    batch = Batch.of_states(made.game, made.variant, state.copy())
    if not batch.running():
        return utilities(state)[0, seat]
    legal = batch.legal_mask()[0]
    ids = merits_of(state, 44)[0]
    model = made.predictors[made.who(np.array([seat]))[0, int(state["turn"][0])]]
    seen = clues_of(state, beliefs, made.appraisal.clues.size)  # the model may see fewer
    merits = model.predict(seen[:, : model.inputs])
    kinds = np.unique(ids[legal])
    chances = soft_max(merits, np.isin(np.arange(merits.shape[1]), kinds)[None], 1.0)[0]
    total = 0.0
    for a in np.flatnonzero(legal):
        after = Batch.of_states(made.game, made.variant, state.copy())
        after.step(np.array([a]))
        share = chances[ids[a]] / (ids[legal] == ids[a]).sum() if legal.sum() > 1 else 1.0
        total += share * expected(made, after.states, seat, beliefs)
    return total


def test_expectations_are_those_of_listing_all_plays():
    """With two cards left, all choices that are left but the own one are in this trick."""
    made = agent(replace(CHEAT, trick_reward=0.0, hand_reward=1.0, horizon="deal"))
    made.actor.model.weights[:] = 0.0
    states = at_play(300, seed=3, tricks=1)
    states = states[np.bitwise_count(states["hands"][np.arange(5), states["turn"]]) == 2]
    assert len(states) > 2
    scores = made.scores(states)
    for k, state in enumerate(np.split(states, len(states))):
        held = (state["hands"][:, :, None] >> np.arange(32, dtype=np.uint64) & 1).astype(float)
        for a in np.flatnonzero(legal_flags(state, 44)[0]):
            after = Batch.of_states(made.game, made.variant, state.copy())
            after.step(np.array([a]))
            wanted = expected(made, after.states, int(state["turn"][0]), held)
            assert scores[k, a] == pytest.approx(wanted)


def test_by_rules_and_to_the_end_it_expects_what_the_rules_come_to():
    """With all hands seen, an action is worth the utility of playing on by the rules."""
    made = agent(
        replace(CHEAT, predicts="rules", horizon="deal", trick_reward=0.0, hand_reward=1.0)
    )
    made.actor.model.weights[:] = 0.0
    states = at_play(300, seed=6)
    scores, legal = made.scores(states), legal_flags(states, 44)
    for k in range(len(states)):
        for a in np.flatnonzero(legal[k]):
            n = 2000
            out = np.empty((n, 5))
            roll_out(states[[k]].repeat(n), np.full(n, a), 0, 7, out)
            own = out[:, int(states["turn"][k])]
            assert abs(own.mean() - scores[k, a]) < 5 * own.std() / np.sqrt(n) + 1e-9


def test_bids_are_weighed_by_playing_on():
    """With all hands seen, a bid is worth the mean utility of playing on by the rules."""
    drawn = replace(CHEAT, predicts="rules", horizon="deal", ways="drawn", worlds=400)
    made = agent(replace(drawn, learned=("bidding", "play"), trick_reward=0.0, hand_reward=1.0))
    made.actor.model.weights[:] = 0.0
    states = Batch(NAME, 4, 14).states
    scores, legal = made.scores(states), legal_flags(states, 44)
    assert made.probabilities(states).max(axis=1) == pytest.approx(1)
    for k, a in zip(*np.nonzero(legal), strict=True):
        n, out = 2000, np.empty((2000, 5))
        roll_out(states[[k]].repeat(n), np.full(n, a), 0, 7, out)
        own = out[:, int(states["turn"][k])]
        assert abs(own.mean() - scores[k, a]) < 5 * own.std() / np.sqrt(400) + 1e-9


@pytest.mark.parametrize("predicts", ["learned", "rules"])
def test_it_chooses_alike_in_all_worlds_that_look_the_same(predicts):
    made = agent(replace(PLAIN, predicts=predicts))
    states = at_play(300, seed=8)
    worlds = Batch.of_states(made.game, made.variant, states).worlds(count=4, seed=1)
    chances = made.probabilities(worlds.states).reshape(len(states), 4, 44)
    assert (chances == chances[:, :1]).all()
    assert chances.sum(axis=2) == pytest.approx(1)


def test_pruning_keeps_the_likeliest_ways():
    """With a threshold of 1 only the likeliest play is followed; without one, all are."""
    states = at_play(300, seed=9)
    scores = [agent(replace(CHEAT, threshold=t)).scores(states) for t in (0.0, 1e-9, 1.0)]
    legal = legal_flags(states, 44)
    np.testing.assert_allclose(scores[0][legal], scores[1][legal])
    assert (scores[0][legal] != scores[2][legal]).any()


@pytest.mark.parametrize("predicts", ["learned", "rules", "random"])
def test_ways_that_are_drawn_come_to_what_all_ways_come_to(predicts):
    """In the mean, in a true world that is looked at many times, in which predictors see hands."""
    plain = replace(CHEAT, predicts=predicts, horizon="deal", clues="all", clues_of="world")
    states = at_play(300, seed=6, tricks=1)
    wanted = agent(plain).scores(states)
    drawn, found = agent(replace(plain, ways="drawn")), []
    for seed in range(400):
        drawn.seed = seed  # of the worlds, and of the luck in them
        found.append(drawn.scores(states))
    legal = legal_flags(states, 44)
    found = np.array(found)[:, legal]
    mean, error = found.mean(axis=0), found.std(axis=0) / 20
    assert (error > 0).any() and (abs(mean - wanted[legal]) < 5 * error + 1e-9).all()


def test_features_that_are_certain_do_not_depend_on_beliefs():
    made, states = agent(replace(PLAIN, features="paper", predicts="rules")), at_play(300, seed=12)
    seats, ours = states["turn"].astype(np.int64), made.appraisal
    beliefs = beliefs_of(states, seats, made.game)
    one, other = (
        features_of(states, seats, each, ours.features.size) for each in (beliefs, 0 * beliefs)
    )
    np.testing.assert_array_equal(one[:, : ours.certain], other[:, : ours.certain])
    assert (one != other).any() and not made.asks
    assert not made.beliefs(states, None).any()


def chances_of(made, model, state):
    """The probability of each action by a predictor, in the eyes of the mover."""
    seat, cards = int(state["turn"][0]), np.arange(32, dtype=np.uint64)
    held = (state["hands"][0][:, None] >> cards & np.uint64(1)).astype(float)
    hidden = state["deck"] & ~(state["public"] | state["hands"][0, seat])
    view = (hidden >> cards & np.uint64(1)) * held.sum(axis=1, keepdims=True)
    view = view / np.bitwise_count(hidden)
    view[seat] = held[seat]
    x = clues_of(state, view[None], made.appraisal.clues.size)[:, : model.inputs]
    ids, legal = merits_of(state, 44)[0], legal_flags(state, 44)[0]
    kinds = np.isin(np.arange(model.outputs), ids[legal])[None]
    chances = soft_max(model.predict(x), kinds, 1.0)[0][ids]
    return chances / np.maximum((ids[:, None] == ids[legal]).sum(axis=1), 1) * legal


def test_worlds_count_as_the_predictors_make_them_likely():
    """The likelihood of a past is the product of what each play of the others had."""
    made = agent(replace(PLAIN, clues="all", clues_of="world", belief="learned"))
    states = at_play(300, seed=13, tricks=1)[:3]
    seats, logs = states["turn"].astype(np.int64), np.empty((3, 1))
    models, who = tuple(each.model for each in made.predictors), made.who(seats)
    plays = made.appraisal.plays
    pasts = states[:, None].copy()
    log_likelihoods(pasts, seats, who, plays, models, made.foresight(), made.memory, logs)
    for k, state in enumerate(np.split(states, 3)):
        now, wanted = state.copy(), 0.0
        rewind(now, state)
        for t in range(int(state["length"][0])):
            mover, a = int(now["turn"][0]), int(state["events"][0, t]) & 63
            counts = mover >= 0 and mover != seats[k] and stages_of(now)[0] >= plays
            if counts and (options := legal_flags(now, 44).sum()) > 1:
                chance = chances_of(made, made.predictors[who[k, mover]], now)[a]
                wanted += np.log((1 - NOISE) * chance + NOISE / options)
            relive_event(now, state, t)
        assert logs[k, 0] == pytest.approx(wanted) and wanted < 0
    drawn = made.belief.draw(made.game, states, 5, np.arange(3))
    assert drawn.states.shape == (3, 5)
    np.testing.assert_array_equal(drawn.states["public"], states["public"][:, None].repeat(5, 1))


def test_a_learned_belief_needs_predictors_that_see_hands():
    with pytest.raises(ValueError, match="needs predictors with clues_of='world'"):
        replace(PLAIN, belief="learned")


def test_moments_and_lessons_are_what_happened():
    made = agent(replace(PLAIN, trick_reward=1.0))
    rules = make_agent("rules", NAME)
    session = play_session([made, *[rules] * 4], np.arange(5), 12, seed=1, first=0)
    own = (session.players == 0).argmax(axis=1)
    moments, lessons = Learner(made).relive(session.finals, own)
    assert (moments.used == 3).all()  # one for each trick
    rows = np.arange(12)
    np.testing.assert_array_equal(moments.utility, utilities(session.finals)[rows, own])
    assert (lessons.used > 0).all() and (lessons.used <= 12).all()
    used = np.arange(lessons.seats.shape[1]) < lessons.used[:, None]
    assert not (lessons.seats == own[:, None])[used].any()


def test_it_learns_to_predict_and_to_value():
    """After some sessions among rule-based players both errors are smaller than at first."""
    made = BeliefAgent(NAME, PLAIN, seed=2)
    learner, rules = Learner(made), make_agent("rules", NAME)
    reports = []
    for k in range(8):
        session = play_session([made, *[rules] * 4], np.arange(5), 100, seed=2, first=100 * k)
        reports.append(learner.learn(session.finals, (session.players == 0).argmax(axis=1)))
    first, last = (np.mean(half, axis=0) for half in (reports[:2], reports[-2:]))
    assert (last < first).all()


def curve(folder, settings=PLAIN, trained=""):
    more = {"learners": 2, "others": "rules", "player": "", "trained": trained}
    return Curve("c", 3, NAME, settings, Limits(), folder, folder / "network", more)


def test_predictors_know_players_wherever_they_sit():
    """Player 2 sits before 0, 4, 1 and 3: others 0, 1, 3, 4 have predictors 0, 1, 2, 3."""
    order = np.array([4, 1, 3, 2, 0])
    assert predictors_by_place(2, order).tolist() == [0, 3, 1, 2]


def test_a_table_goes_on_to_the_same_result(tmp_path):
    settings = replace(PLAIN, learning=ActorCriticSettings(), choice="softmax")
    whole, parts = (curve(tmp_path / name, settings) for name in ("whole", "parts"))
    table = Table(whole, hands=10, sessions=2)
    for _ in range(2):
        table.play_block()
    for _ in range(2):
        part = Table(parts, hands=10, sessions=2)
        part.play_block()
        del part
    lines = [[x | {"seconds": 0} for x in Table(c, 10, 2).run.metrics] for c in (whole, parts)]
    assert lines[0] == lines[1] and len(lines[0]) == 2
    assert all(sum(one) == 0 for one in lines[0][0]["money"])


def test_those_who_are_trained_learn_no_more(tmp_path):
    """They are the first learner of the same run of the other curve."""
    save_player(tmp_path / "c-3" / "other-3", agent(PLAIN))
    table = Table(curve(tmp_path / "c-3", trained="other"), hands=10, sessions=1)
    before = [part.predict(np.ones((1, part.inputs))) for part in table.agents[0].parts().values()]
    table.play_block()
    after = [part.predict(np.ones((1, part.inputs))) for part in table.agents[0].parts().values()]
    np.testing.assert_equal(after, before)
    assert any(x.any() for x in before)
    (line,) = table.run.metrics
    assert line["td_error"] is None and np.sum(line["seats"], axis=(0, 1))[0] == 20


def test_cents_are_told_by_seat_and_role(tmp_path):
    table = Table(curve(tmp_path / "c-3"), hands=10, sessions=1)
    table.play_block()
    (line,) = table.run.metrics
    hands, cents, rules = np.moveaxis(np.array(line["seats"]), 2, 0)
    assert hands.sum(axis=1).tolist() == [4] * 5  # two learners, ten hands
    assert cents.sum() - rules.sum() == pytest.approx(20 * line["gain"][0], abs=0.02)
    assert hands[:, 0].sum() <= 10  # one picker a hand


def test_what_is_saved_plays_the_same_and_has_a_name(tmp_path):
    made, states = agent(PLAIN), at_play(300, seed=10)
    save_player(tmp_path, made)
    again = load_player(NAME, tmp_path)
    np.testing.assert_array_equal(again.probabilities(states), made.probabilities(states))
    named = make_agent(f"pomdp:{tmp_path},worlds=5", NAME)
    assert named.settings.worlds == 5
    with pytest.raises(ValueError, match="holds no learner with a belief state"):
        make_agent(f"pomdp:{tmp_path / 'nothing'}", NAME)


@pytest.mark.parametrize(
    ("name", "settings", "sentence"),
    [
        ("python_hokm", {}, "Hokm has no features for learners with a belief state yet"),
        (NAME, {"learned": ("cutting",)}, "there is no stage 'cutting'"),
    ],
)
def test_what_cannot_be_learnt_is_refused(name, settings, sentence):
    with pytest.raises(ValueError, match=sentence):
        BeliefAgent(name, replace(PLAIN, **settings))


def test_beliefs_are_tied_numbers():
    states = at_play(300, seed=11)
    made = agent(PLAIN)
    found = beliefs_of(states, states["turn"].astype(np.int64), made.game)
    hidden = np.bitwise_count(states["deck"] & ~states["public"])
    np.testing.assert_allclose(found.sum(axis=(1, 2)), hidden)
