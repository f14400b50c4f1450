"""What those who run the service see of it (`docs/operations.md`): signs of life, measurements, the log."""
