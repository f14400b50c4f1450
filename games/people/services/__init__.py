"""Keep people's records, delete accounts, and remove the names of deleted people from texts."""
