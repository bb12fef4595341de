"""The figures and reports of the experiments, one module each."""
