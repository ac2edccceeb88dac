"""A connector of the Recaudo Connector Protocol in Python, using only the standard library.

It connects the template's imaginary acquirer (npm run emulator:template), charges credit cards and
keeps them on file. Copy it and replace `Acquirer` with calls to yours. docs/reference/connectors/ has the rules.
"""

import base64
import hashlib
import hmac
import http.client
import json
import os
import re
import sqlite3
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import weakref
from datetime import datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_S = 300
MOST_BODY_BYTES = 64 * 1024
ANSWERS_WITHIN_S = 40
SETTLES_WITHIN_S = 600
CHANNEL = "credit_card"
IDS = re.compile(r"^[A-Za-z0-9-]{1,32}$")
RETRIES = {
    "no_funds": "same_later",
    "stolen": "never",
    "mistyped": "same_now",
    "call_issuer": "call_issuer",
}
STATES = {"paid": "approved", "in_review": "pending", "voided": "canceled", "refused": "rejected"}


class Refused(Exception):
    """Answers the call with this status, without having sent anything."""

    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class NeverSent(Exception):
    """Nothing reached the acquirer, so the order is `unheard`."""


def moment(text):
    if not isinstance(text, str) or not text.endswith("Z"):
        raise Refused(400, "A moment must be in UTC and end with Z.")
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()
    except ValueError as error:
        raise Refused(400, f"A date-time is not valid: {error}.") from error


def day_of(text):
    return datetime.fromtimestamp(moment(text) - 3 * 3600, timezone.utc).date().isoformat()


def looks_like_card(text):
    for found in re.findall(r"(?<!\d)\d(?:[ .-]?\d){12,18}(?!\d)", text):
        digits = [int(one) for one in re.sub(r"\D", "", found)]
        doubled = [d * 2 - 9 if d > 4 else d * 2 for d in digits[-2::-2]]
        if (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0:
            return True
    return False


class Journal:
    """Orders and calls on disk. An order is stored before the acquirer is called."""

    TABLES = """
        create table if not exists orders (
            key text primary key, digest text not null, begun_at real not null,
            amount integer not null, outcome text);
        create table if not exists heard (id text primary key, until real not null);
        create table if not exists notices (
            body text primary key, next_at real not null, tries integer not null);
    """

    def __init__(self, folder):
        os.makedirs(folder, mode=0o700, exist_ok=True)
        self.lock = threading.Lock()
        path = os.path.join(folder, "journal.sqlite")
        self.database = sqlite3.connect(path, check_same_thread=False)
        self.database.execute("pragma synchronous = full")
        self.database.executescript(self.TABLES)

    def run(self, sql, *values):
        with self.lock, self.database:
            cursor = self.database.execute(sql, values)
            return cursor.fetchall() if cursor.description else cursor.rowcount

    def hear(self, name, until):
        self.run("delete from heard where until < ?", time.time())
        return self.run("insert or ignore into heard values (?, ?)", name, until) == 1

    def read(self, key):
        rows = self.run("select digest, begun_at, amount, outcome from orders where key = ?", key)
        if not rows:
            return None
        digest, begun_at, amount, outcome = rows[0]
        told = json.loads(outcome) if outcome else None
        return {"digest": digest, "begun_at": begun_at, "amount": amount, "outcome": told}

    def begin(self, key, digest, begun_at, amount):
        """Stores an order. Returns the one that existed before, if any."""
        sql = "insert or ignore into orders values (?, ?, ?, ?, null)"
        if self.run(sql, key, digest, begun_at, amount) == 1:
            return None
        return self.read(key)

    def answer(self, key, outcome):
        self.run("update orders set outcome = ? where key = ?", json.dumps(outcome), key)
        return outcome


class Acquirer:
    """Everything specific to you: your acquirer's API and vocabulary."""

    def __init__(self, url, key):
        self.url, self.key = url.rstrip("/"), key

    def call(self, path, body=None):
        """Returns the acquirer's answer, or None if it knows no such object. Raises if it is unclear."""
        headers = {"authorization": f"Bearer {self.key}", "content-type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, headers=headers)
        try:
            with urllib.request.urlopen(request, timeout=ANSWERS_WITHIN_S - 2) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.code == 404:
                return None
            if error.code == 401:
                raise NeverSent("The acquirer refuses the key.") from error
            raise
        except urllib.error.URLError as error:
            if isinstance(error.reason, ConnectionRefusedError):
                raise NeverSent("The acquirer is away.") from error
            raise

    @staticmethod
    def outcome(sale):
        state = STATES[sale["state"]]
        if state == "approved":
            told = {"outcome": state, "reference": sale["id"], "amount": sale["amount"]}
            network = sale.get("network_id")
            return {**told, **({"network_transaction_id": network} if network else {})}
        if state == "canceled":
            return {"outcome": state, "reference": sale["id"]}
        if state == "pending":
            return {"outcome": state, "ask_after_s": 60}
        return Acquirer.refusal(sale["reason"] or "refused")

    @staticmethod
    def refusal(code):
        retry = RETRIES.get(code, "other_instrument")
        text = f"The acquirer says {code}."
        return {"outcome": "rejected", "code": code, "text": text, "retry": retry}

    @staticmethod
    def card_outcome(card):
        code = card["reason"] or "refused"
        if card["state"] == "closed":
            return {"outcome": "closed", "code": code, "text": f"The acquirer says {code}."}
        if card["state"] != "kept":
            return Acquirer.refusal(code)
        month, year = card["expires"].split("/")
        return {
            "outcome": "kept",
            "reference": card["id"],
            "brand": "visa",
            "kind": "credit",
            "last_four": card["last_four"],
            "expires": f"20{year}-{month}",
            "network_transaction_id": card["network_id"],
        }

    def keep(self, order, notify):
        names = [name for name in ("token", "on_file") if name in order]
        body = {"reference": order["card"], "notify": notify, **{n: order[n] for n in names}}
        card = self.call("/cards", body)
        if card is None:
            raise RuntimeError("The acquirer answered 404 to a card.")
        return self.card_outcome(card)

    def find_card(self, name):
        card = self.call(f"/cards/by-reference/{name}")
        return card and self.card_outcome(card)

    def sell(self, order, notify):
        names = [name for name in ("amount", "instrument", "on_file") if name in order]
        body = {"reference": order["attempt"], "notify": notify, **{n: order[n] for n in names}}
        sale = self.call("/sales", body)
        if sale is None:
            raise RuntimeError("The acquirer answered 404 to a sale.")
        return self.outcome(sale)

    def find(self, attempt):
        sale = self.call(f"/sales/by-reference/{attempt}")
        return sale and self.outcome(sale)

    def void(self, attempt):
        sale = self.call(f"/sales/by-reference/{attempt}/void", {})
        return self.outcome(sale) if sale else {"outcome": "unheard"}

    def refund(self, order):
        body = {"key": f"{order['attempt']}/{order['refund']}", "amount": order["amount"]}
        made = self.call(f"/sales/{order['reference']}/refunds", body)
        if made and "id" in made:
            return {"outcome": "done", "reference": made["id"]}
        return {"outcome": "failed", "code": "refused", "text": "The acquirer refuses the refund."}

    def refunded(self, attempt, refund):
        sale = self.call(f"/sales/by-reference/{attempt}")
        for made in sale["refunds"] if sale else []:
            if made["key"] == f"{attempt}/{refund}":
                return {"outcome": "done", "reference": made["id"]}
        return None

    def list(self, query):
        page = self.call("/sales?" + urllib.parse.urlencode(query)) or {"sales": []}
        charges = [
            {
                "attempt": sale["reference"],
                "outcome": STATES[sale["state"]],
                "reference": sale["id"],
                "amount": sale["amount"],
                "refunded": sum(made["amount"] for made in sale["refunds"]),
            }
            for sale in page["sales"]
            if sale["code"] is None
        ]
        return {"charges": charges, **({"next": page["next"]} if "next" in page else {})}

    def settlements(self, query):
        """Lists payout lines; from and until are midnights in Argentina."""
        days = {"from": day_of(query["from"]), "before": day_of(query["until"])}
        days |= {"after": query["after"]} if "after" in query else {}
        page = self.call("/payouts?" + urllib.parse.urlencode(days)) or {"payouts": []}
        lines = [
            {
                "id": item["id"],
                "payout": {"id": one["id"], "paid_on": one["paid_on"], "net": one["total"]},
                "kind": "other" if item["type"] == "rental" else item["type"],
                **({"attempt": item["reference"]} if item["reference"] else {}),
                "gross": item["amount"],
                "fee": item["cost"],
                "net": item["amount"] - item["cost"],
            }
            for one in page["payouts"]
            for item in one["items"]
        ]
        return {"settlements": lines, **({"next": page["next"]} if "next" in page else {})}


class Connector:
    """The calls of the protocol."""

    def __init__(self, journal, acquirer, secrets, origin):
        self.journal, self.acquirer, self.secrets, self.origin = journal, acquirer, secrets, origin
        self.locks, self.lock = weakref.WeakValueDictionary(), threading.Lock()

    def turn(self, attempt):
        """Returns the lock that serializes calls about the same charge while one is in use."""
        with self.lock:
            return self.locks.setdefault(attempt, threading.Lock())

    def manifest(self):
        token = lambda name: {"channel": CHANNEL, "instrument": {"type": "token", "token": name}}
        kinds = [*RETRIES.items(), ("refused", "other_instrument")]
        test = {f"rejected_{retry}": token(f"tok_{code}") for code, retry in kinds}
        others = {"approved": "tok_paid", "pending": "tok_review", "lost": "tok_lost"}
        others |= {"card_updated": "tok_updated", "card_closed": "tok_closed"}
        others["settled"] = "tok_settled"
        test |= {name: token(one) for name, one in others.items()}
        url = self.acquirer.url
        channel = {
            "channel": CHANNEL,
            "browser": {"kind": "frame", "url": f"{url}/fields", "origin": url},
            "refunds": ["whole", "part"],
            "cancel": True,
            "keeps_cards": True,
            "answers_within_s": ANSWERS_WITHIN_S,
            "settles_within_s": SETTLES_WITHIN_S,
        }
        return {
            "protocol": 1,
            "name": "python",
            "version": "1.0.0",
            "channels": [channel],
            "notices": ["charge.changed", "card.changed"],
            "settlements": {"within_days": 30},
            **({"test": test} if os.environ.get("TEMPLATE_TEST") == "yes" else {}),
        }

    def charge(self, order):
        check_charge(order)
        attempt, begun_at = order["attempt"], moment(order["business_time"])
        same = {name: value for name, value in order.items() if name not in VOLATILE}
        digest = digest_of(same, order.get("payer"))
        with self.turn(attempt):
            before = self.journal.begin(attempt, digest, begun_at, order["amount"])
            if before and before["digest"] != digest:
                raise Refused(409, "This charge was ordered before with another content.")
            if before and before["outcome"]:
                return before["outcome"]
            if before:
                return self.inquire(attempt, begun_at)
            sell = lambda: self.acquirer.sell(order, f"{self.origin}/acquirer/sales")
            return self.send(attempt, order, sell)

    def send(self, key, order, call):
        """Sends an order that is on disk, unless it is too late."""
        if time.time() > moment(order["deadline"]):
            alarm = "An order came after its deadline: are both clocks right?"
            return self.journal.answer(key, {"outcome": "unheard", "alarm": alarm})
        try:
            outcome = call()
        except NeverSent as error:
            outcome = {"outcome": "unheard", "alarm": str(error)}
        return self.journal.answer(key, outcome)

    def keep(self, order):
        if order.get("channel") != CHANNEL or not isinstance(order.get("token"), str):
            raise Refused(422, f"This connector stores only tokens of {CHANNEL}.")
        if looks_like_card(order["token"]):
            raise Refused(422, "A token looks like a card number; it was not sent anywhere.")
        card, begun_at = order["card"], moment(order["business_time"])
        same = {name: value for name, value in order.items() if name not in VOLATILE}
        digest, key = digest_of(same, order.get("payer")), card_key(card)
        with self.turn(key):
            before = self.journal.begin(key, digest, begun_at, 0)
            if before and before["digest"] != digest:
                raise Refused(409, "This card was sent before with another content.")
            if before and before["outcome"]:
                return before["outcome"]
            if before:
                return self.card_state(card, begun_at)
            keep = lambda: self.acquirer.keep(order, f"{self.origin}/acquirer/cards")
            return self.send(key, order, keep)

    def card_state(self, card, now):
        """Returns a card's current state, because a stored card may change or be closed."""
        known = self.journal.read(card_key(card))
        told = known["outcome"] if known else None
        on_file = ("kept", "closed")
        if not known or (told and told["outcome"] not in on_file):
            return told or {"outcome": "unheard"}
        found = self.acquirer.find_card(card)
        if found and (not told or found["outcome"] in on_file):
            return self.journal.answer(card_key(card), found)
        left = int(SETTLES_WITHIN_S - (now - known["begun_at"]))
        if told or left <= 0:
            return told or {"outcome": "unheard"}
        return {"outcome": "pending", "ask_after_s": min(left, 60)}

    def forget(self, order):
        key, outcome = card_key(order["card"]), {"outcome": "forgotten"}
        with self.turn(key):
            known = self.journal.read(key)
            if known and known["outcome"] == outcome:
                return outcome
            self.acquirer.call(f"/cards/{order['reference']}/forget", {})
            return self.journal.answer(key, outcome) if known else outcome

    def inquire(self, attempt, now):
        known = self.journal.read(attempt)
        told = known["outcome"] if known else None
        if told and told["outcome"] in ("rejected", "canceled", "unheard"):
            return told
        found = self.acquirer.find(attempt)
        if found:
            return self.journal.answer(attempt, found) if known else found
        if told or not known:
            return told or {"outcome": "unheard"}
        left = int(SETTLES_WITHIN_S - (now - known["begun_at"]))
        if left <= 0:
            return {"outcome": "unheard"}
        return {"outcome": "pending", "ask_after_s": min(left, 60)}

    def cancel(self, order):
        attempt = order["attempt"]
        with self.turn(attempt):
            known = self.journal.read(attempt)
            told = known["outcome"] if known else None
            if told and told["outcome"] in ("rejected", "canceled"):
                return told
            outcome = self.acquirer.void(attempt)
            return self.journal.answer(attempt, outcome) if known else outcome

    def refund(self, order):
        attempt, key = order["attempt"], f"{order['attempt']}/{order['refund']}"
        amount = whole(order, "amount")
        digest = digest_of({k: order[k] for k in ("attempt", "refund", "reference", "amount")})
        with self.turn(attempt):
            before = self.journal.begin(key, digest, moment(order["business_time"]), amount)
            if before and before["digest"] != digest:
                raise Refused(409, "This refund was ordered before with another content.")
            if before and before["outcome"] and before["outcome"]["outcome"] != "unheard":
                return before["outcome"]
            gone = max(order["refunded_before"], self.given_back(attempt, key))
            if gone + amount > whole(order, "charged"):
                text = f"Of {order['charged']} centavos {gone} went back before."
                return self.journal.answer(key, {"outcome": "failed", "code": "over", "text": text})
            try:
                return self.journal.answer(key, self.acquirer.refund(order))
            except NeverSent as error:
                return self.journal.answer(key, {"outcome": "unheard", "alarm": str(error)})

    def given_back(self, attempt, but):
        sql = "select key, amount, outcome from orders where key like ?"
        rows = self.journal.run(sql, f"{attempt}/%")
        return sum(sum_ for key, sum_, told in rows if key != but and '"done"' in (told or ""))

    def refund_state(self, attempt, refund):
        key = f"{attempt}/{refund}"
        with self.turn(attempt):
            known = self.journal.read(key)
            if not known:
                return {"outcome": "unheard"}
            if known["outcome"] and known["outcome"]["outcome"] in ("done", "failed"):
                return known["outcome"]
            found = self.acquirer.refunded(attempt, refund)
            return self.journal.answer(key, found) if found else {"outcome": "unheard"}

    def verify(self, headers, line, body):
        """Verifies a call's signature, and refuses replays. Returns the message."""
        name, seconds = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
        if not name or len(name) > 128 or not re.match(r"^\d{1,12}$", seconds):
            raise Refused(401, "The headers webhook-id (at most 128 characters), webhook-timestamp (in seconds) and webhook-signature are required.")
        if abs(time.time() - int(seconds)) > TOLERANCE_S:
            raise Refused(401, f"The timestamp must be within {TOLERANCE_S} seconds of this server's clock.")
        given = headers.get("webhook-signature", "").split(" ")[:8]
        text = body if body else line.encode()
        own = [sign(secret, name, seconds, text) for secret in self.secrets]
        if not any(hmac.compare_digest(a.encode(), b.encode()) for a in own for b in given):
            raise Refused(401, "No signature matches a configured secret.")
        try:
            message = json.loads(body) if body else None
        except ValueError:
            message = Refused(400, "The body must be JSON.")
        if isinstance(message, dict) and message.get("for") != line:
            raise Refused(401, f"`for` in the body must be {json.dumps(line)}.")
        if not self.journal.hear(name, time.time() + 2 * TOLERANCE_S):
            raise Refused(401, "A call with this webhook-id was already received. Send a new id.")
        if isinstance(message, Refused):
            raise message
        return message

    def route(self, method, path, query, message):
        parts = path.strip("/").split("/")
        if not all(IDS.match(part) for part in parts[1:]):
            raise Refused(400, "An id in the path has characters that ids do not have.")
        known = ["card"] if parts[0] == "cards" else ["attempt", None, "refund"]
        if method in ("PUT", "POST"):
            ids = {n: p for n, p in zip(known, parts[1:]) if n}
            if not isinstance(message, dict) or any(message.get(n) != p for n, p in ids.items()):
                raise Refused(400, "Ids of the body must be those of the path.")
        shape = (method, parts[0], len(parts), parts[2] if len(parts) > 2 else "")
        if shape == ("GET", "manifest", 1, ""):
            return self.manifest()
        if shape in (("GET", "charges", 1, ""), ("GET", "settlements", 1, "")):
            if "from" not in query or "until" not in query:
                raise Refused(400, "from and until are required.")
            lists = {"charges": self.acquirer.list, "settlements": self.acquirer.settlements}
            return lists[parts[0]](query)
        if shape == ("PUT", "cards", 2, ""):
            return self.keep(message)
        if shape == ("GET", "cards", 2, ""):
            with self.turn(card_key(parts[1])):
                return self.card_state(parts[1], moment(query.get("business_time", "")))
        if shape == ("POST", "cards", 3, "forget"):
            return self.forget(message)
        if shape == ("PUT", "charges", 2, ""):
            return self.charge(message)
        if shape == ("GET", "charges", 2, ""):
            with self.turn(parts[1]):
                return self.inquire(parts[1], moment(query.get("business_time", "")))
        if shape == ("POST", "charges", 3, "cancel"):
            return self.cancel(message)
        if shape == ("PUT", "charges", 4, "refunds"):
            return self.refund(message)
        if shape == ("GET", "charges", 4, "refunds"):
            return self.refund_state(parts[1], parts[3])
        raise Refused(404, "There is no such address.")

    def tell_changes(self, service):
        """Sends the notices that are due; each stays on disk until the service accepts it."""
        path = "/connectors/python/notices"
        sql = "select body, next_at, tries from notices where next_at <= ?"
        for body, heard_at, tries in self.journal.run(sql, time.time()):
            message = {**json.loads(body), "for": f"POST {path}"}
            text, seconds = json.dumps(message).encode(), str(int(time.time()))
            name = f"msg_{os.urandom(12).hex()}"
            signed = " ".join(sign(one, name, seconds, text) for one in self.secrets)
            headers = {"content-type": "application/json", "webhook-id": name}
            headers |= {"webhook-timestamp": seconds, "webhook-signature": signed}
            try:
                call = urllib.request.Request(service + path, text, headers)
                urllib.request.urlopen(call, timeout=10).close()
                # Another change in the meantime is reported again.
                taken = "delete from notices where body = ? and next_at = ?"
                self.journal.run(taken, body, heard_at)
            except (OSError, http.client.HTTPException):
                again = "update notices set tries = tries + 1, next_at = ? where body = ?"
                self.journal.run(again, time.time() + min(2**tries, 600), body)


VOLATILE = ("business_time", "deadline", "payer", "for")


def card_key(card):
    return f"card:{card}"


def digest_of(order, payer=None):
    person = {k: v for k, v in (payer or {}).items() if k not in ("ip", "user_agent")}
    return hashlib.sha256(json.dumps([order, person], sort_keys=True).encode()).hexdigest()


def whole(order, name):
    value = order.get(name)
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 999_999_999_999:
        raise Refused(400, f"{name} must be an integer of centavos.")
    return value


def check_charge(order):
    whole(order, "amount")
    instrument, account = order.get("instrument"), order.get("account")
    if order.get("currency") != "ARS":
        raise Refused(400, "currency must be ARS.")
    if not isinstance(account, dict) or not re.match(r"^[0-9A-F]{8}$", str(account.get("id"))):
        raise Refused(400, "account must say whose charge it is.")
    if order.get("channel") != CHANNEL:
        raise Refused(422, f"This connector takes {CHANNEL} alone.")
    named = {"token": "token", "kept_card": "reference"}
    if not isinstance(instrument, dict) or instrument.get("type") not in named:
        raise Refused(422, "This connector charges tokens, and cards that it keeps.")
    if looks_like_card(str(instrument.get(named[instrument["type"]]))):
        raise Refused(422, "A token looks like a card number; it was not sent anywhere.")


def sign(secret, name, seconds, text):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{name}.{seconds}.".encode() + text
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    connector = None

    def answer(self, status, value):
        text = json.dumps(value).encode()
        try:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)
        except OSError:
            self.close_connection = True  # The caller has disconnected, and will inquire.

    def handle_call(self):
        url = urllib.parse.urlsplit(self.path)
        query = dict(urllib.parse.parse_qsl(url.query))
        size = int(self.headers.get("content-length") or 0)
        if size > MOST_BODY_BYTES:
            self.close_connection = True
            return self.answer(413, {"message": f"A body has at most {MOST_BODY_BYTES} bytes."})
        body = self.rfile.read(size)
        if self.command == "POST" and url.path in ("/acquirer/sales", "/acquirer/cards"):
            self.heed(url.path, query.get("reference", ""))
            return self.answer(200, {})
        try:
            line = f"{self.command} {self.path}"
            signed = b"" if self.command == "GET" else body
            message = self.connector.verify(self.headers, line, signed)
            return self.answer(200, self.connector.route(self.command, url.path, query, message))
        except Refused as error:
            return self.answer(error.status, {"message": str(error)})
        except Exception as error:  # Any other error leaves the outcome unknown.
            print(json.dumps({"path": url.path, "error": type(error).__name__}), file=sys.stderr)
            return self.answer(502, {"message": "The outcome is unknown."})

    def heed(self, path, name):
        """Queues a notice for the service, which then inquires: the acquirer's is only a hint."""
        is_card = path.endswith("/cards")
        if self.connector.journal.read(card_key(name) if is_card else name):
            told = {"card": name} if is_card else {"attempt": name}
            body = json.dumps({"type": "card.changed" if is_card else "charge.changed", **told})
            sql = "insert or replace into notices values (?, ?, 0)"
            self.connector.journal.run(sql, body, time.time())

    do_GET = do_PUT = do_POST = handle_call

    def log_message(self, *_):
        """Suppresses the default log, which would show queries."""


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


def main():
    environment = os.environ
    port = int(environment.get("CONNECTOR_PORT", "8483"))
    server = Server(("127.0.0.1", port), Handler)
    origin = f"http://127.0.0.1:{server.server_port}"
    journal = Journal(environment.get("CONNECTOR_DATA_DIR", "./data/connector-python"))
    acquirer = Acquirer(environment["TEMPLATE_ACQUIRER_URL"], environment["TEMPLATE_ACQUIRER_KEY"])
    secrets = environment["CONNECTOR_SECRET"].split(",")
    Handler.connector = Connector(journal, acquirer, secrets, origin)
    service = environment.get("CONNECTOR_SERVICE_URL")

    def tell():
        while True:
            Handler.connector.tell_changes(service)
            time.sleep(0.5)

    if service:
        threading.Thread(target=tell, daemon=True).start()
    print(f"ready {origin}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
