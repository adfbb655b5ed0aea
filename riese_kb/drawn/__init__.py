"""Boards and questions drawn at random, from a seed: legal ones, with some of everything on them."""
