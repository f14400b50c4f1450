"""What staff see and do: alarms, interventions, soundness, and the admin."""
