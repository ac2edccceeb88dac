"""Client of a Recaudo service. Standard library only; Python 3.10 or newer."""

import base64
import binascii
import csv
import email.utils
import hashlib
import hmac
import http.client
import io
import json
import random
import re
import time
import uuid
from decimal import Decimal
from urllib.parse import quote, urlencode, urlsplit

__version__ = "0.1.0"


class RecaudoError(Exception):
    """The base of all errors of this client. None of them holds the API key."""

    def __init__(self, message, call=None):
        super().__init__(message)
        #: method, path, attempts and, where there is one, idempotency_key
        self.call = dict(call or {})


class ConfigurationError(RecaudoError):
    """The client was given something that cannot work: a key with spaces, a wrong address."""


class RefusedError(RecaudoError):
    """The service refused the call."""

    def __init__(self, status, headers, body, call):
        super().__init__(f"{body.get('message')} ({status} {body['error_code']})", call)
        self.status = status
        self.error_code = body["error_code"]
        code = body.get("code")
        #: Of the QR service: its own code, such as H103.
        self.qr_code = code if isinstance(code, str) else None
        #: The fields that are wrong: path, message, code; of a batch also index and id.
        self.fields = _faults(body)
        self.request_id = headers.get("request-id")
        self.retry_after = _retry_after(headers)


class UnexpectedAnswerError(RecaudoError):
    """The answer is not the service's: a page of a proxy, a cut text, another type."""

    def __init__(self, problem, status, headers, excerpt, call):
        self.content_type = headers.get("content-type", "")
        found = self.content_type or "no content type"
        super().__init__(f"{problem}: status {status}, {found}.", call)
        self.status = status
        self.excerpt = excerpt
        self.retry_after = _retry_after(headers)


class ConnectionFailedError(RecaudoError):
    """No whole answer came: the service was not reached, or the connection ended."""

    def __init__(self, problem, nothing_sent, call):
        super().__init__(problem, call)
        self.nothing_sent = nothing_sent


class DeadlineError(RecaudoError):
    """The deadline passed. What a call that changes something did is unknown."""


class WebhookError(RecaudoError):
    """A delivery that the service did not send, or not in this form."""

    def __init__(self, reason, message):
        super().__init__(message)
        self.reason = reason


def _retry_after(headers):
    """Seconds that a Retry-After asks for, as a number or as a moment; None: none."""
    text = headers.get("retry-after", "")
    if re.fullmatch(r"[0-9]+", text):
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def _tree(children, path=()):
    for name, field in children.items():
        here = (*path, name)
        errors, codes = field.get("errors", []), field.get("codes", [])
        for place, message in enumerate(errors):
            code = codes[place] if place < len(codes) else None
            yield {"path": ".".join(here), "message": message, "code": code}
        if not errors:
            yield from _tree(field.get("children", {}), here)


def _faults(body):
    if "children" in body:
        return list(_tree(body["children"]))
    items = [one for one in body.get("errors", []) if isinstance(one, dict)]
    return [
        {
            "path": one.get("field", ""),
            "message": one["message"],
            "code": one.get("error_code"),
            "index": one.get("index"),
            "id": one.get("id"),
        }
        for one in items
    ]


_SAFE, _KEYED, _ONCE = "safe", "keyed", "once"
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 8.0
_EXCERPT = 200
#: Sockets take no endless timeout.
_LONGEST_TIMEOUT = 86_400.0


def _may_pass(error, repeat):
    """Whether a call that failed so may be repeated."""
    if isinstance(error, ConnectionFailedError):
        return repeat != _ONCE or error.nothing_sent
    if isinstance(error, UnexpectedAnswerError):
        return repeat != _ONCE and error.status in (429, 502, 503, 504)
    if not isinstance(error, RefusedError):
        return False
    if error.status == 429:
        return error.retry_after is not None
    if error.status == 409:
        busy = ("idempotency_key_in_use", "idempotency_key_expired")
        return repeat == _KEYED and error.error_code in busy
    if error.status == 503:
        return repeat != _ONCE or error.error_code != "outcome_unknown"
    return error.status == 408


def _plain(value):
    if isinstance(value, Decimal):
        # An amount has no exponent: Decimal("1E+3") is 1000.
        return format(value, "f")
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON.")


def _checked_base(base, name):
    try:
        url = urlsplit(base)
        plain = url.port != 0 and url.hostname and "@" not in url.netloc
    except ValueError:
        plain = False
    if not plain or url.scheme not in ("http", "https") or url.query or url.fragment:
        raise ConfigurationError(
            f"{name} must be an http or https address without password, query and fragment."
        )
    return url


def _checked_path(path):
    if any(part in ("", ".", "..") for part in path.split("/")[1:]):
        raise ConfigurationError(f"An id in {path} is empty or dots.")


def _checked_idempotency_key(key):
    if not re.fullmatch("[ -~\u00a0-\u00ff]{1,255}", key):
        raise ConfigurationError("An idempotency_key has 1 to 255 characters of Latin-1.")
    return key


def _part(value):
    return quote(str(value), safe="")


class _Transport:
    """Calls the service: key, Idempotency-Key, deadline, retries, errors."""

    def __init__(self, key, base_url, qr_base_url, deadline, retries, on_attempt):
        if not isinstance(key, str) or key == "":
            raise ConfigurationError("The API key is missing.")
        if not re.fullmatch(r"[!-~]+", key):
            raise ConfigurationError(
                "The API key has a space, a line break or another character that no key has. "
                "Copy it again."
            )
        # Kept in a function, so that no view of the client shows it.
        self._authorization = lambda: f"Bearer {key}"
        self._without_key = lambda text: text.replace(key, "…")
        self._payments = _checked_base(base_url, "base_url")
        self._qr = _checked_base(qr_base_url or base_url, "qr_base_url")
        self._deadline, self._retries, self._on_attempt = deadline, retries, on_attempt

    def json(self, method, path, *, repeat, options, query=None, body=None, qr=False):
        status, headers, text, call = self._run(
            method, path, repeat, options, query, body, qr, "application/json"
        )
        kind = headers.get("content-type", "")
        if not kind.startswith("application/json"):
            raise self._unexpected("The answer is not JSON", status, headers, text, call)
        try:
            return json.loads(text, parse_float=Decimal)
        except ValueError:
            problem = "The answer is cut or malformed"
            raise self._unexpected(problem, status, headers, text, call) from None

    def text(self, path, accept, options):
        """The whole answer as text of the type that was asked for."""
        status, headers, text, call = self._run(
            "GET", path, _SAFE, options, None, None, False, accept
        )
        kind = headers.get("content-type", "")
        if not kind.startswith(accept):
            raise self._unexpected(f"The answer is not {accept}", status, headers, text, call)
        return text

    def _run(self, method, path, repeat, options, query, body, qr, accept):
        options = dict(options or {})
        ends = time.monotonic() + options.pop("deadline", self._deadline)
        key = options.pop("idempotency_key", None)
        if options:
            raise TypeError(f"There is no option {', '.join(options)}.")
        _checked_path(path)
        call = {"method": method, "path": path, "attempts": 0}
        headers = {"authorization": self._authorization(), "accept": accept}
        if repeat == _KEYED:
            key = _checked_idempotency_key(str(uuid.uuid4() if key is None else key))
            call["idempotency_key"] = headers["idempotency-key"] = key
        data = None
        if body is not None:
            headers["content-type"] = "application/json"
            data = json.dumps(body, default=_plain).encode()
        sent = {name: _word(value) for name, value in (query or {}).items() if value is not None}
        target = path + (f"?{urlencode(sent)}" if sent else "")
        while True:
            call["attempts"] += 1
            try:
                return self._attempt(call, qr, target, data, headers, ends)
            except RecaudoError as error:
                if not _may_pass(error, repeat) or call["attempts"] > self._retries:
                    raise
                whole = min(_FIRST_PAUSE * 2 ** (call["attempts"] - 1), _LONGEST_PAUSE)
                asked = getattr(error, "retry_after", None) or 0
                pause = max(asked, whole * random.uniform(0.5, 1))
                if time.monotonic() + pause >= ends:
                    raise
            time.sleep(pause)

    def _attempt(self, call, qr, target, data, headers, ends):
        base = self._qr if qr else self._payments
        secure = base.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = kind(base.hostname, base.port, timeout=self._left(ends, call))
        started, status, nothing_sent = time.monotonic(), None, True
        try:
            connection.connect()
            nothing_sent = False
            # http.client drops its socket once it knows that no further answer follows.
            sock = connection.sock
            sock.settimeout(self._left(ends, call))
            connection.request(
                call["method"], base.path.rstrip("/") + target, body=data, headers=headers
            )
            response = connection.getresponse()
            status = response.status
            text = self._read(response, sock, ends, call)
        except TimeoutError:
            raise DeadlineError("The deadline passed before the answer came.", call) from None
        except (OSError, http.client.HTTPException) as error:
            problem = f"No whole answer came ({type(error).__name__})."
            raise ConnectionFailedError(problem, nothing_sent, call) from None
        finally:
            connection.close()
            if self._on_attempt:
                ms = (time.monotonic() - started) * 1000
                self._on_attempt({**call, "status": status, "ms": ms})
        answered = {name.lower(): value for name, value in response.getheaders()}
        if 200 <= status < 300:
            return status, answered, text, dict(call)
        raise self._refusal(status, answered, text, call)

    @staticmethod
    def _left(ends, call):
        left = ends - time.monotonic()
        if left <= 0:
            raise DeadlineError("The deadline passed before the answer came.", call)
        return min(left, _LONGEST_TIMEOUT)

    def _read(self, response, sock, ends, call):
        pieces = []
        while True:
            left = self._left(ends, call)
            # A body without bytes is closed at once.
            if not response.isclosed():
                sock.settimeout(left)
            piece = response.read1(65536)
            if not piece:
                break
            pieces.append(piece)
        # A body that ends before its length says so only here.
        if response.length:
            raise http.client.IncompleteRead(b"")
        return b"".join(pieces).decode(errors="replace")

    def _refusal(self, status, headers, text, call):
        kind = headers.get("content-type", "")
        if status < 400:
            problem = "The address leads to another one"
            return self._unexpected(problem, status, headers, text, call)
        try:
            body = json.loads(text) if kind.startswith("application/json") else None
        except ValueError:
            body = None
        if isinstance(body, dict) and "error_code" in body:
            return RefusedError(status, headers, body, call)
        problem = "Something other than the service answered"
        return self._unexpected(problem, status, headers, text, call)

    def _unexpected(self, problem, status, headers, text, call):
        excerpt = self._without_key(text)[:_EXCERPT]
        return UnexpectedAnswerError(problem, status, headers, excerpt, call)


def _taken(filters, *names):
    """Takes the options out of filters."""
    return {name: filters.pop(name) for name in names if name in filters}


def _word(value):
    return str(value).lower() if isinstance(value, bool) else str(value)


class _Noun:
    def __init__(self, transport, path, wrapper):
        self._call, self._path, self._wrapper = transport.json, path, wrapper

    def create(self, fields, **options):
        body = {self._wrapper: fields}
        return self._call("POST", self._path, repeat=_KEYED, body=body, options=options)

    def get(self, id, **options):
        query = {"detail_retentions": options.pop("detail_retentions", None)}
        path = f"{self._path}/{_part(id)}"
        return self._call("GET", path, repeat=_SAFE, query=query, options=options)

    def list(self, **filters):
        """Reads the list to its end, a page at a time."""
        options = _taken(filters, "deadline")
        query = {"limit": 100, "after": 0, **filters}
        while True:
            answer = self._call("GET", self._path, repeat=_SAFE, query=query, options=options)
            data = answer["data"]
            # A cache that ignores `after` would be read for ever.
            if data and data[-1]["id"] == query["after"]:
                raise RecaudoError(f"{self._path} does not go on after {query['after']}.")
            yield from data
            if len(data) < query["limit"]:
                return
            query["after"] = data[-1]["id"]


class _Cancelable(_Noun):
    def cancel(self, id, **options):
        path = f"{self._path}/{_part(id)}/cancel"
        return self._call("PUT", path, repeat=_SAFE, options=options)


class _Refunds:
    """Refunds under a path, `{}` being the id of what was paid."""

    def __init__(self, transport, path, qr=False):
        self._transport, self._pattern, self._of_qr = transport, path, qr

    def _refunds(self, method, id, end, **rest):
        path = self._pattern.format(_part(id)) + end
        return self._transport.json(method, path, qr=self._of_qr, **rest)

    def refund(self, id, fields=None, **options):
        """Gives a payment back, whole or in part; without fields, all that is left."""
        body = {"refund": fields or {}}
        return self._refunds("POST", id, "", repeat=_KEYED, body=body, options=options)

    def get_refund(self, id, refund_id, **options):
        return self._refunds("GET", id, f"/{_part(refund_id)}", repeat=_SAFE, options=options)

    def list_refunds(self, id, **options):
        return self._refunds("GET", id, "", repeat=_SAFE, options=options)["data"]


class _PaymentRequests(_Noun, _Refunds):
    def __init__(self, transport):
        _Noun.__init__(self, transport, "/payment-request", "payment_request")
        _Refunds.__init__(self, transport, "/payment-request/{}/refund")


class _Debits(_Cancelable, _Refunds):
    def __init__(self, transport, path, wrapper):
        _Cancelable.__init__(self, transport, path, wrapper)
        _Refunds.__init__(self, transport, f"{path}/{{}}/refund")


class _CardAdhesions(_Cancelable):
    def public_key(self, **options):
        return self._call("GET", f"{self._path}/public-key", repeat=_SAFE, options=options)


class _StaticQrs:
    def __init__(self, transport):
        self._transport = transport

    def _call(self, method, path, repeat, options, **rest):
        return self._transport.json(method, path, repeat=repeat, options=options, qr=True, **rest)

    def create(self, fields, **options):
        return self._call("POST", "/create-qr", _KEYED, options, body=fields)

    def get(self, id, **options):
        return self._call("GET", f"/status-static/{_part(id)}", _SAFE, options)

    def new_transaction(self, qr_string, fields, **options):
        query = {"data": qr_string}
        return self._call("PUT", "/new-transaction", _KEYED, options, query=query, body=fields)

    def pay(self, id, fields=None, **options):
        return self._call("POST", f"/pay-qr-static/{_part(id)}", _KEYED, options, body=fields or {})


class _Qrs(_Refunds):
    def __init__(self, transport):
        super().__init__(transport, "/refund-qr/{}", qr=True)
        self.static = _StaticQrs(transport)

    def _call(self, method, path, repeat, options, body=None):
        return self._transport.json(method, path, repeat=repeat, options=options, body=body, qr=True)

    def save(self, items, **options):
        """Saves up to 10000 dynamic QRs, all or none."""
        return self._call("POST", "/save-qr-data", _KEYED, options, _batch(items))

    def get(self, id, **options):
        return self._call("GET", f"/status/{_part(id)}", _SAFE, options)

    def edit(self, id, fields, **options):
        return self._call("POST", f"/edit-qr/{_part(id)}", _KEYED, options, fields)

    def edit_many(self, items, **options):
        return self._call("POST", "/batch-edit-qr", _KEYED, options, _batch(items))

    def delete(self, id, **options):
        return self._call("DELETE", f"/delete-qr/{_part(id)}", _ONCE, options)

    def delete_many(self, ids, **options):
        return self._call("DELETE", "/batch-delete-qr", _ONCE, options, _batch(ids))

    def pay(self, id, **options):
        return self._call("POST", f"/pay-qr/{_part(id)}", _KEYED, options)


def _batch(items):
    data = list(items)
    return {"total_count": len(data), "data": data}


class _Reports:
    def __init__(self, transport):
        self._transport = transport

    def get(self, kind, date, **options):
        """The report of a day: collection, chargeback, refund, settlement or retentions."""
        path = f"/report/{_part(kind)}/{_part(date)}"
        return self._transport.json("GET", path, repeat=_SAFE, options=options)

    def rows(self, kind, date, **options):
        """The items of a report as texts by their headings, from its CSV."""
        path = f"/report/{_part(kind)}/{_part(date)}"
        return csv.DictReader(io.StringIO(self._transport.text(path, "text/csv", options)))


class _Webhooks:
    def __init__(self, transport):
        self._call = transport.json

    def create(self, fields, **options):
        body = {"webhook": fields}
        return self._call("POST", "/webhook", repeat=_KEYED, body=body, options=options)

    def list(self, **options):
        return self._call("GET", "/webhook", repeat=_SAFE, options=options)["data"]

    def delete(self, id, **options):
        return self._call("DELETE", f"/webhook/{_part(id)}", repeat=_ONCE, options=options)

    def rotate_secret(self, id, fields=None, **options):
        path = f"/webhook/{_part(id)}/rotate-secret"
        return self._call("POST", path, repeat=_ONCE, body=fields or {}, options=options)

    @staticmethod
    def verify(headers, raw_body, secret, **options):
        return verify_webhook(headers, raw_body, secret, **options)


class _Events:
    def __init__(self, transport):
        self._call = transport.json

    def list(self, **filters):
        """Reads the feed to its present end; `after` is the position of the last event read."""
        options = _taken(filters, "deadline")
        query = {"limit": 100, **filters}
        while True:
            answer = self._call("GET", "/event", repeat=_SAFE, query=query, options=options)
            yield from answer["data"]
            if not answer["data"] or answer["next"] == query.get("after"):
                return
            query["after"] = answer["next"]

    def latest(self, **options):
        """The place at which new events will begin: pass it as `after` to read none from before."""
        query = {"after": "latest"}
        return self._call("GET", "/event", repeat=_SAFE, query=query, options=options)["next"]

    def types(self, **options):
        return self._call("GET", "/event-type", repeat=_SAFE, options=options)["data"]

    def deliveries(self, id, **options):
        path = f"/event/{_part(id)}/deliveries"
        return self._call("GET", path, repeat=_SAFE, options=options)["data"]

    def resend(self, id, fields=None, **options):
        path = f"/event/{_part(id)}/resend"
        body = fields or {}
        return self._call("POST", path, repeat=_KEYED, body=body, options=options)["data"]


class _Clock:
    def __init__(self, transport):
        self._call = transport.json

    def get(self, **options):
        return self._call("GET", "/sandbox/clock", repeat=_SAFE, options=options)

    def advance(self, fields, **options):
        """Moves the clock of the whole deployment: days, hours, minutes or advance_to."""
        return self._call("POST", "/sandbox/clock", repeat=_KEYED, body=fields, options=options)


class _Sandbox:
    def __init__(self, transport):
        self._transport = transport
        self.clock = _Clock(transport)

    def _act(self, act, id, fields, options):
        path = f"/sandbox/{act}/{_part(id)}"
        body = fields or {}
        return self._transport.json("POST", path, repeat=_KEYED, body=body, options=options)

    def pay(self, request_id, fields=None, **options):
        return self._act("pay", request_id, fields, options)

    def chargeback(self, request_id, fields=None, **options):
        return self._act("chargeback", request_id, fields, options)

    def refund(self, request_id, fields=None, **options):
        return self._act("refund", request_id, fields, options)


class Recaudo:
    """A client of one account. Every call takes `deadline` (seconds) and `idempotency_key`."""

    def __init__(
        self, key, base_url, *, qr_base_url=None, deadline=30.0, retries=4, on_attempt=None
    ):
        transport = _Transport(key, base_url, qr_base_url, deadline, retries, on_attempt)
        self._transport = transport
        self.payment_requests = _PaymentRequests(transport)
        self.adhesions = _Cancelable(transport, "/adhesion", "adhesion")
        self.card_adhesions = _CardAdhesions(transport, "/card-adhesion", "card_adhesion")
        self.debit_requests = _Debits(transport, "/debit-request", "debit_request")
        self.card_debit_requests = _Debits(transport, "/card-debit-request", "card_debit_request")
        self.qr = _Qrs(transport)
        self.reports = _Reports(transport)
        self.webhooks = _Webhooks(transport)
        self.events = _Events(transport)
        self.sandbox = _Sandbox(transport)

    def account(self, **options):
        return self._transport.json("GET", "/account", repeat=_SAFE, options=options)

    def balances(self, **options):
        return self._transport.json("GET", "/account/balances", repeat=_SAFE, options=options)

    def installments(self, amount, **options):
        path = f"/helper/channel-installments/{_part(amount)}"
        return self._transport.json("GET", path, repeat=_SAFE, options=options)

    def next_business_day(self, date, days, **options):
        body = {"next_business_day": {"date": date, "days": days}}
        path = "/validator/next-business-day"
        return self._transport.json("POST", path, repeat=_SAFE, body=body, options=options)


def _secret_bytes(secret):
    try:
        found = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except (binascii.Error, ValueError):
        found = b""
    if not found:
        message = "A secret is whsec_ and base64, as it was shown."
        raise WebhookError("secret_malformed", message)
    return found


def verify_webhook(headers, raw_body, secret, *, tolerance=300, now=None):
    """Returns the event of a delivery whose signature is right, or raises WebhookError.

    Pass the body as it came: bytes or text. While a secret rotates, pass both in a list.
    """
    if not isinstance(raw_body, (bytes, str)):
        raise WebhookError("body_not_raw", "Pass the body as it came: bytes or text.")
    body = raw_body.encode() if isinstance(raw_body, str) else raw_body
    found = {str(name).lower(): value for name, value in headers.items()}
    for name in ("webhook-id", "webhook-timestamp", "webhook-signature"):
        if not found.get(name):
            raise WebhookError("header_missing", f"The header {name} is missing.")
    timestamp = found["webhook-timestamp"]
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        message = "webhook-timestamp is not a number of seconds."
        raise WebhookError("timestamp_malformed", message)
    age = (time.time() if now is None else now) - int(timestamp)
    if age > tolerance:
        raise WebhookError("too_old", f"The delivery is {age:.0f} s old, or your clock is fast.")
    if age < -tolerance:
        raise WebhookError("too_new", f"The delivery is {-age:.0f} s ahead: your clock is slow.")
    signed = f"{found['webhook-id']}.{timestamp}.".encode() + body
    for one in [secret] if isinstance(secret, str) else secret:
        digest = hmac.new(_secret_bytes(one), signed, hashlib.sha256).digest()
        wanted = b"v1," + base64.b64encode(digest)
        for signature in found["webhook-signature"].split(" "):
            if hmac.compare_digest(signature.encode(), wanted):
                return _event(body)
    raise WebhookError("signature_wrong", "No signature fits the body and the secret.")


def _event(body):
    try:
        return json.loads(body, parse_float=Decimal)
    except ValueError:
        raise WebhookError("body_not_json", "The body is signed, but is not JSON.") from None
