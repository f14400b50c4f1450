"""Read players' profiles, records and personal data."""
