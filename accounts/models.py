"""All tables, and what stands in their columns, where Django and the other apps look for them."""

from accounts.addresses.models import ClosedAddress
from accounts.outbox.models import AccountMail
from accounts.robo_names.models import RetiredName
from accounts.traces.models import Trace
from accounts.users.choices import AUDIENCES, LOOKS, Audience, Frequency, Standing
from accounts.users.models import UNCONFIRMED, User
