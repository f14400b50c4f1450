"""People: their pages, records, achievements, contacts, data export and deletion."""
