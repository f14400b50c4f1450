"""Staff pages and actions: alarms, interventions, data checks, and the admin."""
