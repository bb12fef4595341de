"""Deep Monte Carlo: self-play without search, whose networks learn how deals end."""
