"""Make passkeys as the site stores them. No browser has their private key."""

from typing import Any

from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import sha256, websafe_encode
from fido2.webauthn import Aaguid, AttestationObject, AttestedCredentialData, AuthenticatorData

SECRET = 0x5EED
"""The private key of all test passkeys."""


def made_passkey(name: str) -> dict[str, Any]:
    """Return a passkey with the given name, as the site stores it."""
    public = ES256.from_cryptography_key(ec.derive_private_key(SECRET, ec.SECP256R1()).public_key())
    made = AttestedCredentialData.create(Aaguid.NONE, name.encode(), public)
    flags = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV | AuthenticatorData.FLAG.AT
    told = AuthenticatorData.create(sha256(b"testserver"), flags, 0, made)
    credential = {
        "type": "public-key",
        "id": websafe_encode(name.encode()),
        "rawId": websafe_encode(name.encode()),
        "clientExtensionResults": {"credProps": {"rk": True}},
        "response": {
            "clientDataJSON": websafe_encode(
                b'{"type":"webauthn.create","challenge":"AA","origin":"https://testserver"}'
            ),
            "attestationObject": websafe_encode(AttestationObject.create("none", told, {})),
        },
    }
    return {"name": name, "credential": credential}
