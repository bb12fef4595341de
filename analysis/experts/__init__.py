"""The search for the weights of the expert rule players."""
