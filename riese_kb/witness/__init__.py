"""The smallest board on which two readings, rules or rule files answer one question differently (docs/witness.md)."""
