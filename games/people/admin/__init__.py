"""Admin pages for accounts and support, deletions, records, achievements and API tokens."""
