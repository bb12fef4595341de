"""A new game in a package of its own, from the template in this folder."""
