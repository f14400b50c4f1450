"""What games leave behind for each person: records, achievements, pages, export and deletion."""
