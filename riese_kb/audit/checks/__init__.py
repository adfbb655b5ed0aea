"""One file a kind of defect; each has ``check(book)``, a generator of findings that knows nothing of the others."""
