"""Common parts of experiments: a script's steps, curves that can be resumed, run folders."""
