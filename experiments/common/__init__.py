"""What experiments share: run folders, curves, progress, resume."""
