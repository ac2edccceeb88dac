"""A receiver of webhooks, with nothing but Python 3.9 or later:

    WEBHOOK_SECRET=whsec_... PORT=3000 python3 receiver.py
"""

import base64
import hashlib
import hmac
import json
import os
import queue
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "")
KEY = base64.b64decode(SECRET.removeprefix("whsec_"))
if not KEY:
    raise SystemExit("WEBHOOK_SECRET must be the secret of the webhook, whsec_...")

TOLERANCE_SECONDS = 5 * 60
LARGEST_BODY = 1024 * 1024


def is_genuine(headers, body: bytes) -> bool:
    """Whether the service sent these bytes, and just now."""
    message_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not timestamp.isdecimal() or abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    # The bytes as they came, not JSON that was parsed and written again.
    signed = f"{message_id}.{timestamp}.".encode() + body
    expected = hmac.new(KEY, signed, hashlib.sha256).digest()
    # While a secret is being rotated there are two signatures; one that fits is enough.
    for one in headers.get("webhook-signature", "").split(" "):
        version, _, signature = one.partition(",")
        try:
            given = base64.b64decode(signature)
        except ValueError:
            continue
        if version == "v1" and hmac.compare_digest(given, expected):
            return True
    return False


# In your application: a table whose primary key is the webhook-id. Insert the event into it, answer
# when that is committed, and let another process work on its rows in the order of their arrival.
seen = set()
taking = threading.Lock()
waiting = queue.Queue()


def take(message_id: str, body: bytes) -> None:
    event = json.loads(body)
    with taking:
        if message_id not in seen:
            seen.add(message_id)
            waiting.put(event)


def work() -> None:
    while True:
        event = waiting.get()
        print(event["event_type"], event["entity_id"], json.dumps(event["payload"]), flush=True)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        if length > LARGEST_BODY:
            self.close_connection = True
            return self.answer(413)
        body = self.rfile.read(length)
        if not is_genuine(self.headers, body):
            return self.answer(401)
        try:
            take(self.headers["webhook-id"], body)
        except ValueError:
            return self.answer(400)
        self.answer(204)  # at once: the work comes after

    def log_message(self, *_args) -> None:
        pass


if __name__ == "__main__":
    threading.Thread(target=work, daemon=True).start()
    server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "3000"))), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_address[1]}", flush=True)
    server.serve_forever()
