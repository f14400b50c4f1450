"""Games before they start: create, change, find, join and start them."""
