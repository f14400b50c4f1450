"""Settings of Django and allauth for logins, the same on every machine."""

AUTH_USER_MODEL = "accounts.User"
AUTHENTICATION_BACKENDS = [
    "accounts.backend.AuthenticationBackend",
    "allauth.account.auth_backends.AuthenticationBackend",  # only for sessions that began with this backend
]
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.Argon2PasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["robo_name", "email"]},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 8}},
    {"NAME": "accounts.passwords.MaxLengthValidator"},
    {"NAME": "accounts.passwords.OwnWordsValidator"},
    {"NAME": "accounts.passwords.BreachedPasswordValidator"},
    {"NAME": "games.login_hooks.TokensEnd"},
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"

ACCOUNT_ADAPTER = "games.login_hooks.LoginAdapter"
USERSESSIONS_ADAPTER = "games.login_hooks.SessionsAdapter"
ACCOUNT_USER_MODEL_USERNAME_FIELD = "robo_name"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
ACCOUNT_FORMS = {
    "signup": "accounts.inputs.SignUpForm",
    "login": "accounts.inputs.LoginForm",
    "reset_password": "accounts.inputs.ResetPasswordForm",
    "reset_password_from_key": "accounts.inputs.NewPasswordForm",
    "set_password": "accounts.inputs.SetPasswordForm",
    "change_password": "accounts.inputs.ChangePasswordForm",
    "add_email": "accounts.inputs.ChangeEmailForm",
    "reauthenticate": "accounts.inputs.RepeatPasswordForm",
}
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
# Limits by address (ip), person (user) or account (key). All other limits are allauth's defaults.
ACCOUNT_RATE_LIMITS = {
    "guest": "300/h/ip",
    "signup": "20/m/ip,60/h/ip",
    "login": "30/m/ip",
    "login_failed": "10/m/ip,5/300s/key",
    "account_failed": "5/300s/key",  # like login_failed, for all names of an account (accounts.backend)
    "confirm_email": "1/m/key,5/h/key",
    "reset_password": "20/m/ip,5/m/key,10/h/key",
    "reauthenticate": "10/m/user",
    "change_password": "5/m/user",
    "manage_email": "10/m/user",
}
ACCOUNT_CONFIRM_EMAIL_ON_GET = False
ACCOUNT_EMAIL_CONFIRMATION_EXPIRE_DAYS = 1  # as long as a sign-up waits (accounts.services)
ACCOUNT_LOGIN_ON_EMAIL_CONFIRMATION = True
ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_CHANGE_EMAIL = True  # one address for each person: the new one replaces it when confirmed
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
ACCOUNT_SESSION_REMEMBER = True

SOCIALACCOUNT_ADAPTER = "accounts.single_sign_on.ProviderAdapter"
SOCIALACCOUNT_STORE_TOKENS = False

MFA_ADAPTER = "accounts.backend.SecondFactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # logins need a confirmed address; a new one may be unconfirmed
MFA_FORMS = {
    "authenticate": "accounts.inputs.AuthenticateForm",
    "reauthenticate": "accounts.inputs.RepeatCodeForm",
    "activate_totp": "accounts.inputs.ActivateTOTPForm",
    "add_webauthn": "accounts.inputs.AddPasskeyForm",
    "edit_webauthn": "accounts.inputs.RenamePasskeyForm",
    "authenticate_webauthn": "accounts.inputs.AuthenticateByPasskeyForm",
    "login_webauthn": "accounts.inputs.PasskeyLoginForm",
    "reauthenticate_webauthn": "accounts.inputs.ReauthenticateByPasskeyForm",
}
