"""How numbers are shown and kept."""
