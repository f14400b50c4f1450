"""A real POP3 server with one mailbox."""

import socketserver
import threading


class Postbox:
    """A user's emails. Emails marked as deleted disappear when the user signs off."""

    def __init__(self, user: str, password: str) -> None:
        self.mails: list[bytes] = []
        self.user, self.password = user, password
        postbox = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self._says("+OK")
                known, gone = "", set()
                for line in self.rfile:
                    word, _, rest = line.decode().strip().partition(" ")
                    match word.upper():
                        case "USER":
                            known = rest
                            self._says("+OK")
                        case "PASS":
                            right = (known, rest) == (postbox.user, postbox.password)
                            self._says("+OK" if right else "-ERR wrong password")
                        case "LIST":
                            sizes = [f"{number} {len(mail)}" for number, mail in enumerate(postbox.mails, 1)]
                            self._says("+OK", *sizes, ".")
                        case "RETR":
                            lines = postbox.mails[int(rest) - 1].decode().splitlines()
                            stuffed = ("." + each if each[:1] == "." else each for each in lines)
                            self._says("+OK", *stuffed, ".")
                        case "DELE":
                            gone.add(int(rest))
                            self._says("+OK")
                        case "QUIT":
                            left = enumerate(postbox.mails, 1)
                            postbox.mails = [mail for number, mail in left if number not in gone]
                            self._says("+OK")
                            return

            def _says(self, *lines: str) -> None:
                self.wfile.write("".join(f"{line}\r\n" for line in lines).encode())

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"pop3://{user}:{password}@127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
