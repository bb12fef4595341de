"""Where the weights of the expert rule players come from."""
