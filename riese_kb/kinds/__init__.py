"""One module for each kind of question: what it asks of the logic, and how its derivation becomes a draft."""
