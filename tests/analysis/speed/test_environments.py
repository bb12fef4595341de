"""What the speed of environments is measured on, and the report."""

from analysis.speed.environments import HEARTS, plays, report


def test_all_interfaces_play_whole_deals():
    played = {name: play() for name, play in plays("python_hearts(pass=hold)").items()}
    assert {n for name, n in played.items() if "Gymnasium" not in name} == {52}
    assert played["Gymnasium, others at random"] == 13
    assert played["Gymnasium, 1,024 deals at once"] == 1024


def test_what_one_game_alone_has_is_left_empty_in_the_others():
    rates = {HEARTS: {"PettingZoo": 30_000.0, "Shimmy": 150.0}, "python_hokm": {"PettingZoo": 4e4}}
    told = report({"machine": {"cores": 2}, "decisions_per_s": rates})
    assert "| PettingZoo            | 30.0 k | 40.0 k |" in told
    assert "| Shimmy                |    150 |        |" in told
