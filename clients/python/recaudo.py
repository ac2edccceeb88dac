"""Client for a Recaudo service. Standard library only; Python 3.10 or newer."""

import base64
import binascii
import contextlib
import csv
import email.utils
import hashlib
import hmac
import http.client
import io
import json
import os
import random
import re
import tempfile
import time
import uuid
from decimal import Decimal
from urllib.parse import quote, urlencode, urlsplit

__version__ = "1.0.0"


class RecaudoError(Exception):
    """Base class of all errors of this client. None of them contains the API key."""

    def __init__(self, message, call=None):
        super().__init__(message)
        #: method, path, attempts and, if there is one, idempotency_key
        self.call = dict(call or {})


class ConfigurationError(RecaudoError):
    """An argument that can never work, such as a key with spaces or a wrong address."""


class RefusedError(RecaudoError):
    """The service refused the call."""

    def __init__(self, status, headers, body, call):
        message = body.get("message", "No message")
        super().__init__(f"{message} ({status} {body['error_code']})", call)
        self.status = status
        self.error_code = body["error_code"]
        code = body.get("code")
        #: The QR service's own code, such as H103.
        self.qr_code = code if isinstance(code, str) else None
        #: The faulty fields: path, message, code; in a batch also index and id.
        self.fields = _faults(body)
        self.request_id = headers.get("request-id")
        self.retry_after = _retry_after(headers)


class UnexpectedAnswerError(RecaudoError):
    """The answer did not come from the service: a proxy's page, a truncated text, another type or shape."""

    def __init__(self, problem, status, headers, excerpt, call):
        self.content_type = headers.get("content-type", "")
        found = self.content_type or "no content type"
        super().__init__(f"{problem}: status {status}, {found}.", call)
        self.status = status
        self.excerpt = excerpt
        self.retry_after = _retry_after(headers)


class ConnectionFailedError(RecaudoError):
    """No complete answer arrived: the service was unreachable, or the connection broke."""

    def __init__(self, problem, nothing_sent, call):
        super().__init__(problem, call)
        self.nothing_sent = nothing_sent


class DeadlineError(RecaudoError):
    """The deadline passed. A call that writes may have succeeded."""


class WebhookError(RecaudoError):
    """A delivery that the service did not send, or that was changed on the way."""

    def __init__(self, reason, message):
        super().__init__(message)
        self.reason = reason


def _retry_after(headers):
    """Returns the seconds of a Retry-After header, which may be a number or a date; None if missing."""
    text = headers.get("retry-after", "")
    if re.fullmatch(r"[0-9]+", text):
        return float(text)
    try:
        return max(0.0, email.utils.parsedate_to_datetime(text).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def _member(value, name, kind):
    """Returns a member of any value, or an empty `kind` if it is missing or of another type."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, kind) else kind()


def _tree(value, path=()):
    for name, field in _member(value, "children", dict).items():
        here = (*path, name)
        errors, codes = _member(field, "errors", list), _member(field, "codes", list)
        for place, message in enumerate(errors):
            code = codes[place] if place < len(codes) else None
            yield {"path": ".".join(here), "message": message, "code": code}
        if not errors:
            yield from _tree(field, here)


def _faults(body):
    if "children" in body:
        return list(_tree(body))
    items = [one for one in _member(body, "errors", list) if isinstance(one, dict)]
    return [
        {
            "path": one.get("field", ""),
            "message": one.get("message", ""),
            "code": one.get("error_code"),
            "index": one.get("index"),
            "id": one.get("id"),
        }
        for one in items
    ]


_SAFE, _KEYED, _ONCE = "safe", "keyed", "once"
#: The expected shapes of an answer.
_OBJECT, _PAGE, _ITEMS, _TEXT = "object", "page", "items", "text"
_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 8.0
_EXCERPT = 200
#: Sockets do not accept an infinite timeout.
_LONGEST_TIMEOUT = 86_400.0


def _may_pass(error, repeat):
    """Returns True if a call that failed with this error may be retried."""
    if isinstance(error, ConnectionFailedError):
        return repeat != _ONCE or error.nothing_sent
    if isinstance(error, UnexpectedAnswerError):
        is_json = error.content_type.lower().startswith("application/json")
        passes = error.status in (429, 502, 503, 504) or (error.status < 300 and is_json)
        return repeat != _ONCE and passes
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


def _has_shape(value, shape):
    if shape == _TEXT:
        return isinstance(value, str)
    if shape == _ITEMS:
        return isinstance(value, list)
    if shape == _PAGE:
        data = value.get("data") if isinstance(value, dict) else None
        return isinstance(data, list) and all(isinstance(one, dict) for one in data)
    return isinstance(value, dict)


def _plain(value):
    if isinstance(value, Decimal):
        # Amounts must not have an exponent: Decimal("1E+3") is 1000.
        return format(value, "f")
    raise TypeError(f"{type(value).__name__} cannot be sent as JSON.")


def _checked_base(base, name, with_query=False):
    try:
        url = urlsplit(base)
        plain = url.port != 0 and url.hostname and "@" not in url.netloc
    except ValueError:
        plain = False
    more = url.fragment or (url.query and not with_query) if plain else True
    if more or url.scheme not in ("http", "https"):
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
    """Sends calls: adds the key and the Idempotency-Key, enforces the deadline, retries, maps errors."""

    def __init__(self, key, base_url, qr_base_url, deadline, retries, on_attempt):
        if not isinstance(key, str) or key == "":
            raise ConfigurationError("The API key is missing.")
        if not re.fullmatch(r"[!-~]+", key):
            raise ConfigurationError(
                "The API key has a space, a line break or another character that no key has. "
                "Copy it again."
            )
        # A closure hides the key from `repr` and debuggers.
        self._authorization = lambda: f"Bearer {key}"
        self._without_key = lambda text: text.replace(key, "…")
        self._payments = _checked_base(base_url, "base_url")
        self._qr = _checked_base(qr_base_url or base_url, "qr_base_url")
        self._deadline, self._retries, self._on_attempt = deadline, retries, on_attempt

    def json(
        self, method, path, *, repeat, options, query=None, body=None, qr=False, shape=_OBJECT
    ):
        def read(answer, ends, call):
            text = answer.read(ends, call)
            if not answer.kind.startswith("application/json"):
                raise self._unexpected("The answer is not JSON", answer, text, call)
            try:
                value = json.loads(text, parse_float=Decimal)
            except (ValueError, RecursionError):
                problem = "The answer is cut or malformed"
                raise self._unexpected(problem, answer, text, call) from None
            if not _has_shape(value, shape):
                raise self._unexpected("The answer has another shape", answer, text, call)
            return value

        accept = "application/json"
        return self._run(method, path, repeat, options, query, body, qr, accept, read)

    def save(self, path, accept, target, options):
        """Writes an answer of this type to a file as it arrives. Each attempt starts over."""

        def read(answer, ends, call):
            if not answer.kind.startswith(accept):
                text = answer.read(ends, call)
                raise self._unexpected(f"The answer is not {accept}", answer, text, call)
            target.seek(0)
            target.truncate()
            for piece in answer.pieces(ends, call):
                target.write(piece)

        self._run("GET", path, _SAFE, options, None, None, False, accept, read)

    def upload(self, url, body, options):
        """Uploads a body to an address that needs no key, and that errors must not show."""
        address = _checked_base(url, "The address of the upload", with_query=True)
        target = address.path + (f"?{address.query}" if address.query else "")
        call = {"method": "PUT", "path": "/upload", "attempts": 0}
        ends = time.monotonic() + options.get("deadline", self._deadline)
        headers = {"accept": "*/*", "content-type": "application/json"}
        data = json.dumps(body, default=_plain).encode()
        base = address._replace(path="")
        self._repeat(call, _ONCE, base, target, data, headers, ends, _Answer.read)

    def _run(self, method, path, repeat, options, query, body, qr, accept, read):
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
        base = self._qr if qr else self._payments
        return self._repeat(call, repeat, base, target, data, headers, ends, read)

    def _repeat(self, call, repeat, base, target, data, headers, ends, read):
        while True:
            call["attempts"] += 1
            try:
                return self._attempt(call, base, target, data, headers, ends, read)
            except RecaudoError as error:
                if not _may_pass(error, repeat) or call["attempts"] > self._retries:
                    raise
                whole = min(_FIRST_PAUSE * 2 ** (call["attempts"] - 1), _LONGEST_PAUSE)
                asked = getattr(error, "retry_after", None) or 0
                pause = max(asked, whole * random.uniform(0.5, 1))
                if time.monotonic() + pause >= ends:
                    raise
            time.sleep(pause)

    def _attempt(self, call, base, target, data, headers, ends, read):
        secure = base.scheme == "https"
        kind = http.client.HTTPSConnection if secure else http.client.HTTPConnection
        connection = kind(base.hostname, base.port, timeout=_left(ends, call))
        started, status, nothing_sent = time.monotonic(), None, True
        try:
            connection.connect()
            nothing_sent = False
            # http.client drops its socket once it knows that no further answer follows.
            sock = connection.sock
            sock.settimeout(_left(ends, call))
            connection.request(
                call["method"], base.path.rstrip("/") + target, body=data, headers=headers
            )
            answer = _Answer(connection.getresponse(), sock)
            status = answer.status
            if 200 <= status < 300:
                return read(answer, ends, dict(call))
            raise self._refusal(answer, answer.read(ends, call), call)
        except TimeoutError:
            raise DeadlineError("The deadline passed before the answer came.", call) from None
        except _FileError as error:
            raise RecaudoError(f"The file cannot be written: {error}.", call) from None
        except (OSError, http.client.HTTPException) as error:
            problem = f"No whole answer came ({type(error).__name__})."
            raise ConnectionFailedError(problem, nothing_sent, call) from None
        finally:
            connection.close()
            self._tell({**call, "status": status, "ms": (time.monotonic() - started) * 1000})

    def _tell(self, attempt):
        """Calls the listener. Ignores its errors, which must not change the call's outcome."""
        if self._on_attempt:
            with contextlib.suppress(Exception):
                self._on_attempt(attempt)

    def _refusal(self, answer, text, call):
        if answer.status < 400:
            return self._unexpected("The address leads to another one", answer, text, call)
        try:
            body = json.loads(text) if answer.kind.startswith("application/json") else None
        except (ValueError, RecursionError):
            body = None
        if isinstance(body, dict) and isinstance(body.get("error_code"), str):
            return RefusedError(answer.status, answer.headers, body, call)
        problem = "Something other than the service answered"
        return self._unexpected(problem, answer, text, call)

    def _unexpected(self, problem, answer, text, call):
        excerpt = self._without_key(text)[:_EXCERPT]
        return UnexpectedAnswerError(problem, answer.status, answer.headers, excerpt, call)


def _left(ends, call):
    left = ends - time.monotonic()
    if left <= 0:
        raise DeadlineError("The deadline passed before the answer came.", call)
    return min(left, _LONGEST_TIMEOUT)


class _FileError(Exception):
    """The caller's file failed, not the connection."""


class _File:
    """A file whose errors are distinguished from those of a connection."""

    def __init__(self, file):
        self._file = file

    def __getattr__(self, name):
        def act(*args):
            try:
                return getattr(self._file, name)(*args)
            except OSError as error:
                raise _FileError(error.strerror) from None

        return act


class _Answer:
    """An answer whose body has not been read yet."""

    def __init__(self, response, sock):
        self._response, self._sock = response, sock
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.kind = self.headers.get("content-type", "").lower()

    def pieces(self, ends, call):
        while True:
            left = _left(ends, call)
            # An empty body is closed at once.
            if not self._response.isclosed():
                self._sock.settimeout(left)
            piece = self._response.read1(65536)
            if not piece:
                break
            yield piece
        # A truncated body is detected only here.
        if self._response.length:
            raise http.client.IncompleteRead(b"")

    def read(self, ends, call):
        return b"".join(self.pieces(ends, call)).decode(errors="replace")


def _taken(filters, *names):
    """Removes call options from filters and returns them."""
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
        """Yields all items of a list, page by page."""
        options = _taken(filters, "deadline")
        query = {"limit": 100, "after": 0, **filters}
        while True:
            answer = self._call(
                "GET", self._path, repeat=_SAFE, query=query, options=options, shape=_PAGE
            )
            data = answer["data"]
            last = data[-1].get("id") if data else None
            # A cache that ignores `after` would repeat the same page forever.
            if data and last in (None, query["after"]):
                raise RecaudoError(f"{self._path} does not go on after {query['after']}.")
            yield from data
            if len(data) < query["limit"]:
                return
            query["after"] = last


class _Cancelable(_Noun):
    def cancel(self, id, **options):
        path = f"{self._path}/{_part(id)}/cancel"
        return self._call("PUT", path, repeat=_SAFE, options=options)


class _Refunds:
    """Refunds under a path, in which `{}` stands for the id of the request."""

    def __init__(self, transport, path, qr=False):
        self._transport, self._pattern, self._of_qr = transport, path, qr

    def _refunds(self, method, id, end, **rest):
        path = self._pattern.format(_part(id)) + end
        return self._transport.json(method, path, qr=self._of_qr, **rest)

    def refund(self, id, fields=None, **options):
        """Refunds a payment in full or in part; the whole remainder by default."""
        body = {"refund": fields or {}}
        return self._refunds("POST", id, "", repeat=_KEYED, body=body, options=options)

    def get_refund(self, id, refund_id, **options):
        return self._refunds("GET", id, f"/{_part(refund_id)}", repeat=_SAFE, options=options)

    def list_refunds(self, id, **options):
        return self._refunds("GET", id, "", repeat=_SAFE, options=options, shape=_PAGE)["data"]


class _PaymentRequests(_Cancelable, _Refunds):
    def __init__(self, transport):
        _Cancelable.__init__(self, transport, "/payment-request", "payment_request")
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
        self.imports = _QrImports(transport)

    def _call(self, method, path, repeat, options, body=None):
        return self._transport.json(method, path, repeat=repeat, options=options, body=body, qr=True)

    def save(self, items, **options):
        """Saves up to 10000 dynamic QRs atomically."""
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


class _QrImports:
    """Imports of up to 100000 QRs in one document, processed in the background."""

    def __init__(self, transport):
        self._transport = transport

    def upload(self, items, *, webhook_url=None, **options):
        """Uploads the items. The result's id identifies the import; webhook_secret verifies its webhook."""
        upload = self._transport.json("GET", "/bucket-url", repeat=_SAFE, options=options, qr=True)
        webhook = {} if webhook_url is None else {"webhook_url": webhook_url}
        self._transport.upload(upload.get("url", ""), {**_batch(items), **webhook}, options)
        return upload

    def result(self, id, page=1, **options):
        """Returns the state of an import with one page of its rows, counted from 1."""
        path = f"/batch-result/{_part(id)}/{_part(page)}"
        return self._transport.json(
            "GET", path, repeat=_SAFE, options=options, qr=True, shape=_PAGE
        )

    def rows(self, id, **options):
        """Yields all rows of an import that have been processed so far."""
        page, pages = 0, 1
        while page < pages:
            page += 1
            result = self.result(id, page, **options)
            yield from result["data"]
            pages = result.get("pages", 0)


def _batch(items):
    data = list(items)
    return {"total_count": len(data), "data": data}


class _Reports:
    def __init__(self, transport):
        self._transport = transport

    def get(self, kind, date, **options):
        """Returns the report of a day: collection, chargeback, refund, settlement or retentions."""
        path = f"/report/{_part(kind)}/{_part(date)}"
        return self._transport.json("GET", path, repeat=_SAFE, options=options, shape=_PAGE)

    def csv(self, kind, date, file, **options):
        """Writes a report as CSV to a file, which appears only once it is complete."""
        file = os.fspath(file)
        try:
            number, unfinished = tempfile.mkstemp(
                ".part", os.path.basename(file), os.path.dirname(file) or "."
            )
            os.close(number)
        except OSError as error:
            raise ConfigurationError(f"{file} cannot be written: {error.strerror}.") from None
        try:
            with open(unfinished, "wb") as target:
                self._save(kind, date, target, options)
            os.replace(unfinished, file)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(unfinished)

    def rows(self, kind, date, **options):
        """Yields the items of a report one by one, as texts by column name, in constant memory."""
        with tempfile.TemporaryFile() as target:
            self._save(kind, date, target, options)
            target.seek(0)
            with io.TextIOWrapper(target, encoding="utf-8", newline="") as text:
                for row in csv.DictReader(text):
                    if None in row or None in row.values():
                        raise RecaudoError("A row of the report has another number of cells.")
                    yield row

    def _save(self, kind, date, target, options):
        path = f"/report/{_part(kind)}/{_part(date)}"
        self._transport.save(path, "text/csv", _File(target), options)


class _Webhooks:
    def __init__(self, transport):
        self._call = transport.json

    def create(self, fields, **options):
        body = {"webhook": fields}
        return self._call("POST", "/webhook", repeat=_KEYED, body=body, options=options)

    def list(self, **options):
        return self._call("GET", "/webhook", repeat=_SAFE, options=options, shape=_PAGE)["data"]

    def update(self, id, fields, **options):
        body = {"webhook": fields}
        path = f"/webhook/{_part(id)}"
        return self._call("PUT", path, repeat=_SAFE, body=body, options=options)

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
        """Yields the events of the feed up to now, after the position of the last event read."""
        options = _taken(filters, "deadline")
        query = {"limit": 100, **filters}
        while True:
            answer = self._call(
                "GET", "/event", repeat=_SAFE, query=query, options=options, shape=_PAGE
            )
            yield from answer["data"]
            if not answer["data"] or answer.get("next") in (None, query.get("after")):
                return
            query["after"] = answer["next"]

    def latest(self, **options):
        """Returns the current end of the feed. Pass it as `after` to skip all earlier events."""
        query = {"after": "latest"}
        return self._call("GET", "/event", repeat=_SAFE, query=query, options=options)["next"]

    def types(self, **options):
        return self._call("GET", "/event-type", repeat=_SAFE, options=options, shape=_PAGE)["data"]

    def deliveries(self, id, **options):
        path = f"/event/{_part(id)}/deliveries"
        return self._call("GET", path, repeat=_SAFE, options=options, shape=_PAGE)["data"]

    def resend(self, id, fields=None, **options):
        path = f"/event/{_part(id)}/resend"
        body = fields or {}
        return self._call(
            "POST", path, repeat=_KEYED, body=body, options=options, shape=_PAGE
        )["data"]


class _Clock:
    def __init__(self, transport):
        self._call = transport.json

    def get(self, **options):
        return self._call("GET", "/sandbox/clock", repeat=_SAFE, options=options)

    def advance(self, fields, **options):
        """Advances the clock of the whole deployment: days, hours, minutes or advance_to."""
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
    """A client for one account. Every call accepts `deadline` (seconds) and `idempotency_key`."""

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
        return self._transport.json("GET", path, repeat=_SAFE, options=options, shape=_ITEMS)

    def next_business_day(self, date, days, **options):
        body = {"next_business_day": {"date": date, "days": days}}
        path = "/validator/next-business-day"
        return self._transport.json(
            "POST", path, repeat=_SAFE, body=body, options=options, shape=_TEXT
        )


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
    """Returns the event of a correctly signed delivery. Raises WebhookError otherwise.

    Pass the raw body, as bytes or text. While a secret rotates, pass both secrets in a list.
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
        event = json.loads(body, parse_float=Decimal)
    except (ValueError, RecursionError):
        event = None
    if not isinstance(event, dict):
        raise WebhookError("body_not_json", "The body is signed, but is not a JSON object.")
    return event
