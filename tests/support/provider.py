"""A small OpenID Connect provider with real HTTP and signed tokens. It logs in the person in `claims`."""

import base64
import hashlib
import json
import secrets
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa
from django.test import Client

from roborunner.environment import LoginProvider

KEY = rsa.generate_private_key(public_exponent=65537, key_size=2048)


class Provider:
    """An identity provider on this machine. Tests change `claims`, `id_token` or `broken` to make it lie."""

    def __init__(self) -> None:
        self.claims: dict[str, Any] = {"sub": "bob-17", "email": "bob@example.org", "email_verified": True}
        self.id_token: dict[str, Any] = {}
        """Claims for the ID token only. They replace `claims`."""
        self.userinfo: dict[str, Any] = {}
        """Claims for the userinfo only. They replace `claims`."""
        self.tokens: dict[str, Any] = {}
        """Values for the answer with the tokens. They replace the right ones."""
        self.key = KEY
        self.broken = ""
        """The path that answers nonsense."""
        self.asked: dict[str, str] = {}
        """The parameters of the last request for a login."""
        self._codes: dict[str, dict[str, str]] = {}
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider.answer(self, {})

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                provider.answer(self, {name: values[0] for name, values in parse_qs(body).items()})

            def log_message(self, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.issuer = f"http://127.0.0.1:{self._server.server_port}/realm"

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def setting(self, *, only: bool = False) -> LoginProvider:
        return LoginProvider("Club login", self.issuer, "robo", "s3cret", only)

    def answer(self, handler: BaseHTTPRequestHandler, form: dict[str, str]) -> None:
        path = urlsplit(handler.path).path.removeprefix("/realm")
        status, document = 200, {}
        if path == self.broken:
            document = {"nonsense": 1}
        elif path == "/.well-known/openid-configuration":
            ends = {"authorization_endpoint": "authorize", "token_endpoint": "token"}
            ends |= {"jwks_uri": "keys", "userinfo_endpoint": "userinfo"}
            document = {"issuer": self.issuer} | {name: f"{self.issuer}/{end}" for name, end in ends.items()}
        elif path == "/keys":
            public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(KEY.public_key()))
            document = {"keys": [public | {"kid": "1", "use": "sig", "alg": "RS256"}]}
        elif path == "/token":
            status, document = self._token(form)
        elif path == "/userinfo" and handler.headers["Authorization"] == "Bearer access":
            document = self.claims | self.userinfo
        else:
            status = 404
        body = json.dumps(document).encode()
        handler.send_response(status)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)

    def _token(self, form: dict[str, str]) -> tuple[int, dict[str, Any]]:
        asked = self._codes.pop(form["code"], None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        proof = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if asked is None or asked["code_challenge"] != proof or form["client_secret"] != "s3cret":
            return 400, {"error": "invalid_grant"}
        now = int(time.time())
        claims = {"iss": self.issuer, "aud": "robo", "iat": now, "exp": now + 60, "auth_time": now}
        token = jwt.encode(claims | self.claims | self.id_token, self.key, "RS256", headers={"kid": "1"})
        return 200, {"access_token": "access", "token_type": "Bearer", "id_token": token} | self.tokens

    def log_in(self, address: str) -> str:
        """Log in at the authorization endpoint, as a browser does. Return the address to go back to."""
        self.asked = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        code = secrets.token_urlsafe()
        self._codes[code] = self.asked
        return f"{self.asked['redirect_uri']}?{urlencode({'code': code, 'state': self.asked['state']})}"


def through(browser: Client, provider: Provider, path: str = "/accounts/oidc/login/", **form: str) -> Any:
    """Send a button's form, log in at the provider, and return the answer to the way back."""
    page = browser.post(path, form)
    if page.status_code != 200:
        return page
    back = provider.log_in(page.context["address"])
    return browser.get(back.removeprefix("http://testserver"))
