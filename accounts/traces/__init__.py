"""Which browsers and networks accounts are used from, as hashes that are kept for a while."""
