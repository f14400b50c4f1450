"""Work behind the pages: jobs, messages to workers, and the sweeper."""
