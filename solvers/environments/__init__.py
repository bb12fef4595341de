"""Games as learners meet them: thousands of positions at once."""
