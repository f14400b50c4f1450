"""Mail about accounts: kept as rows until a worker has sent it."""
