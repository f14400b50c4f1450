"""What pages and the API share: inputs, forms, actions and answers."""
