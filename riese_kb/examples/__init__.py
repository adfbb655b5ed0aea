"""Worked examples: a small board, a question, and the rules that decide the answer (docs/examples.md)."""
