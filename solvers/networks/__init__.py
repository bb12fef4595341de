"""Networks, and the strategies that follow from their outputs."""
