"""Background work: jobs with alarms, messages to workers, and the sweeper."""
