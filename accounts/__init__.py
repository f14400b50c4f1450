"""Who a person is."""
