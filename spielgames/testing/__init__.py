"""Tests that every game should pass, for the tests of any package with a game:

    from spielgames import testing

    @pytest.mark.parametrize("check", testing.CHECKS)
    @pytest.mark.parametrize("name", ["python_whist", "python_whist(suits=2,ranks=3,hand=2)"])
    def test_what_holds_for_every_game(check, name):
        check(name)

    @pytest.mark.parametrize("check", testing.SMALL_CHECKS)
    def test_what_is_tried_on_all_histories(check):
        check("python_whist(suits=2,ranks=3,hand=2)")

Each check takes the name of a variant, and raises an AssertionError where it fails. `SMALL_CHECKS`
walk whole trees: they are for variants with thousands of histories, not millions.
"""

from spielgames.testing.faces import (
    check_both_faces_agree,
    check_copies,
    check_histories_lead_back,
    check_openspiel_simulation,
    check_resampling,
    check_structs,
)
from spielgames.testing.histories import (
    check_bounds,
    check_chance_adds_up,
    check_equal_information_means_equal_choices,
    check_strings_and_tensors_agree,
    check_tree,
)
from spielgames.testing.play import (
    check_cards_are_conserved,
    check_only_the_mover_has_actions,
    check_utilities,
    check_views_hide_unseen_cards,
)
from spielgames.testing.worlds import (
    check_no_world_is_rejected,
    check_worlds_are_uniform,
    check_worlds_look_the_same,
)

CHECKS = (
    check_cards_are_conserved,
    check_utilities,
    check_only_the_mover_has_actions,
    check_views_hide_unseen_cards,
    check_worlds_look_the_same,
    check_no_world_is_rejected,
    check_openspiel_simulation,
    check_histories_lead_back,
    check_copies,
    check_structs,
    check_resampling,
)
SMALL_CHECKS = (
    check_both_faces_agree,
    check_chance_adds_up,
    check_bounds,
    check_strings_and_tensors_agree,
    check_equal_information_means_equal_choices,
    check_tree,
    check_worlds_are_uniform,
)

__all__ = ["CHECKS", "SMALL_CHECKS"]
