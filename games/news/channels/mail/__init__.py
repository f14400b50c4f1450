"""Mail: notifications as text and HTML, and what becomes of mail that bounces."""
