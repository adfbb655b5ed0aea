"""The page and the HTTP API of ``riese-kb serve`` (extra ``web``).

``app`` answers requests, ``guard`` says which of them are heard at all, ``crew`` hands them to worker processes,
``worker`` is such a process, and ``api`` is what it does: plain data in, plain data out, with no file of the user in reach.
"""
