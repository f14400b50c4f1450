"""Games before they start: creating, changing, joining, inviting, finding and starting them."""
