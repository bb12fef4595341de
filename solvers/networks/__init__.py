"""Networks, and what they say turned into what players do."""
