"""Is it an equilibrium of Coinche that everybody passes? `python -m analysis.coinche_all_pass`"""
