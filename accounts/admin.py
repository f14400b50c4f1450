"""The admin pages of accounts, where Django looks for them."""

from accounts.staff.admin import UserAdmin

__all__ = ["UserAdmin"]
