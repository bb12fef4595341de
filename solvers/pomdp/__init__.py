"""Learning in a partially observable game with function approximators and beliefs, after Ishii et
al. (2005).
"""
