"""Pages that combine several rooms, and pages about the service."""
