"""Background work: jobs, messages to workers, and the sweeper."""
