"""Claims about the rules, proved for all inputs or refuted by a case: z3 over the logic itself and over the tables.

z3 is imported by the modules of this package only, so that nothing else waits for it.
"""
