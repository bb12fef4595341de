"""Run folders, settings and progress of learners, and the agents that they train."""
