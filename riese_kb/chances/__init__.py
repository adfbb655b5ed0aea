"""The odds of one action with everything that is decided while dice are rolled, as numbers, bars and pictures."""
