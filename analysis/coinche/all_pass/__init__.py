"""Is it an equilibrium of Coinche that everybody passes? `python -m analysis.coinche.all_pass`"""
