"""Pages that show several rooms together, and pages about the service itself."""
