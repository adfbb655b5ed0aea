"""Random legal boards and questions, and the symmetries of the square grid. A seeded ``Random`` draws everything."""
