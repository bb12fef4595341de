"""Search with hidden cards: composable parts, and agents made of them."""
