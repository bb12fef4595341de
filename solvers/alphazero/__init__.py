"""Learning from search in self-play, under hidden cards."""
