"""Read people's pages, records and personal data."""
