"""Pages across several rooms, and pages about the service."""
