"""Deep counterfactual regret minimisation, for every game.

learner = Learner(load_environment("python_hearts"), settings, workdir)
learner.iterate()  # traverses thousands of trees in lock-step, then fits the networks

One engine holds what several papers do: Deep CFR (Brown et al. 2019), SD-CFR (Steinberger 2019),
DREAM (Steinberger, Lerer and Brown 2020), VR-DeepDCFR+ (2025), and the Coinche and Hearts projects'
own ways to sample.
"""
