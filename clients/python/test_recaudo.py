"""Tests of the client. With RECAUDO_URL and RECAUDO_KEY, also against a service (a sandbox)."""

import base64
import contextlib
import email.utils
import hashlib
import hmac
import json
import os
import threading
import tempfile
import time
import tracemalloc
import unittest
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import recaudo as client
from recaudo import Recaudo

KEY = "rk_live_0123456789abcdefSECRET"
FIELDS = {
    "description": "Cuota de diciembre",
    "first_due_date": "10-12-2030",
    "first_total": Decimal("1430.50"),
    "payer_name": "Ana Pérez",
}


def answer(status, body, kind="application/json; charset=utf-8", **headers):
    text = body if isinstance(body, str) else json.dumps(body)
    return status, {"Content-Type": kind, **headers}, text.encode()


def refused(status, code, **headers):
    body = {"code": status, "message": "No.", "errors": ["No."], "error_code": code}
    return answer(status, body, **headers)


@contextlib.contextmanager
def scripted(*steps):
    """A server that answers each call with the next step; None drops the connection."""
    heard = []

    class Handler(BaseHTTPRequestHandler):
        def _answer(self):
            length = int(self.headers.get("Content-Length", 0))
            heard.append((self.command, self.path, dict(self.headers), self.rfile.read(length)))
            step = steps[min(len(heard), len(steps)) - 1]
            if step is None:
                return
            if callable(step):
                step(self)
                return
            status, headers, body = step
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name.replace("_", "-"), value)
            self.send_header("Content-Length", headers.get("X-Length", str(len(body))))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_DELETE = _answer

        def log_message(self, *_args):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", heard
    finally:
        server.shutdown()
        server.server_close()


def keys(heard):
    return {headers.get("idempotency-key") for _, _, headers, _ in heard}


class Failures(unittest.TestCase):
    def test_repeats_a_keyed_call_under_one_key(self):
        html = answer(502, "<html>", "text/html")
        steps = (None, html, refused(503, "outcome_unknown"), answer(201, {"id": 1}))
        with scripted(*steps) as (origin, heard):
            self.assertEqual(Recaudo(KEY, origin).payment_requests.create(FIELDS), {"id": 1})
        self.assertEqual(len(heard), 4)
        self.assertEqual(len(keys(heard)), 1)
        self.assertIn(b'"first_total": "1430.50"', heard[0][3])

    def test_repeats_a_call_without_a_key_only_if_the_service_did_nothing(self):
        with scripted(refused(503, "over_capacity"), answer(200, {"id": 1})) as (origin, _):
            self.assertEqual(Recaudo(KEY, origin).webhooks.delete(1), {"id": 1})
        for step in (refused(503, "outcome_unknown"), None, answer(503, "x", "text/html")):
            with scripted(step, answer(200, {"id": 1})) as (origin, heard):
                with self.assertRaises(client.RecaudoError):
                    Recaudo(KEY, origin).webhooks.delete(1)
            self.assertEqual(len(heard), 1)

    def test_does_not_repeat_a_refusal_and_names_its_fields(self):
        children = {"items": {"children": {"0": {"children": {"amount": {
            "errors": ["Too much."], "codes": ["field.too_large"]}}}}}, "payer_name": {}}
        body = {"code": 400, "message": "m", "errors": [], "error_code": "invalid_fields"}
        with scripted(answer(400, {**body, "children": children})) as (origin, heard):
            with self.assertRaises(client.RefusedError) as caught:
                Recaudo(KEY, origin).payment_requests.create(FIELDS)
        self.assertEqual(len(heard), 1)
        fault = {"path": "items.0.amount", "message": "Too much.", "code": "field.too_large"}
        self.assertEqual(caught.exception.fields, [fault])

    def test_skips_a_pause_that_exceeds_the_deadline(self):
        with scripted(refused(429, "too_many_calls", Retry_After="60")) as (origin, heard):
            with self.assertRaises(client.RefusedError):
                Recaudo(KEY, origin).account(deadline=5)
        self.assertEqual(len(heard), 1)

    def test_ends_a_slow_answer_at_the_deadline(self):
        def drip(handler):
            handler.send_response(200)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Connection", "close")
            handler.end_headers()
            with contextlib.suppress(OSError):
                for _ in range(40):
                    handler.wfile.write(b" ")
                    time.sleep(0.05)

        with scripted(drip) as (origin, _):
            started = time.monotonic()
            with self.assertRaises(client.DeadlineError):
                Recaudo(KEY, origin).account(deadline=0.3)
            self.assertLess(time.monotonic() - started, 1.5)
        with scripted(answer(200, {"id": 1})) as (origin, _):
            self.assertEqual(Recaudo(KEY, origin).account(deadline=float("inf")), {"id": 1})

    def test_does_not_retry_before_the_time_that_a_proxy_asks_for(self):
        moment = email.utils.formatdate(time.time() + 60, usegmt=True)
        for after in ("60", moment, "9" * 400):
            busy = answer(503, "Busy", "text/html", Retry_After=after)
            with scripted(busy) as (origin, heard):
                with self.assertRaises(client.UnexpectedAnswerError) as caught:
                    Recaudo(KEY, origin).account()
            self.assertGreater(caught.exception.retry_after, 50)
            self.assertEqual(len(heard), 1)
        busy = refused(503, "over_capacity", Retry_After="-5")
        with scripted(busy, answer(200, {"id": 1})) as (origin, _):
            self.assertEqual(Recaudo(KEY, origin).account(), {"id": 1})

    def test_refuses_ids_of_other_paths_and_invalid_idempotency_keys(self):
        with scripted(answer(200, {"id": 1})) as (origin, heard):
            recaudo = Recaudo(KEY, origin)
            for id in ("", ".", ".."):
                for call in (recaudo.qr.get, recaudo.qr.refund, recaudo.adhesions.cancel):
                    with self.assertRaises(client.ConfigurationError):
                        call(id)
            for key in ("", "order €", "order\n66", "x" * 256):
                with self.assertRaises(client.ConfigurationError):
                    recaudo.payment_requests.create(FIELDS, idempotency_key=key)
            self.assertEqual(heard, [])
            recaudo.payment_requests.create({"first_total": Decimal("1E+3")}, idempotency_key=66)
            recaudo.qr.get("../account")
        self.assertIn(b'"first_total": "1000"', heard[0][3])
        self.assertEqual(keys(heard[:1]), {"66"})
        self.assertEqual(heard[1][1], "/status/..%2Faccount")

    def test_reports_pages_of_a_proxy_cut_answers_and_redirects(self):
        cut = answer(200, '{"id":1}', **{"X-Length": "80"})
        for step in (answer(200, "<html>", "text/html"), answer(200, '{"id":'), answer(301, "")):
            with scripted(step) as (origin, _):
                with self.assertRaises(client.UnexpectedAnswerError):
                    Recaudo(KEY, origin, retries=0).account()
        with scripted(cut) as (origin, _):
            with self.assertRaises(client.ConnectionFailedError):
                Recaudo(KEY, origin, retries=0).account()

    def test_hides_the_key_in_errors_and_refuses_an_invalid_key_or_address(self):
        echo = answer(400, f"<p>{KEY}</p>", "text/html")
        with scripted(echo) as (origin, _):
            with self.assertRaises(client.UnexpectedAnswerError) as caught:
                Recaudo(KEY, origin).account()
        error = caught.exception
        self.assertNotIn("SECRET", f"{error!r} {error.excerpt} {error.call}")
        for wrong in (f" {KEY}", f"{KEY}\n", "", "clavé"):
            with self.assertRaises(client.ConfigurationError) as refusal:
                Recaudo(wrong, "https://pay.example.com")
            self.assertNotIn("SECRET", str(refusal.exception))
        for base in (
            "pay.example.com",
            "ftp://x",
            "https://a:b@pay.example.com",
            "https://pay.example.com/#pagos",
            "https://pay.example.com:99999",
        ):
            with self.assertRaises(client.ConfigurationError):
                Recaudo(KEY, base)

    def test_reads_no_further_page_after_the_loop_ends(self):
        page = answer(200, {"data": [{"id": 1}, {"id": 2}]})
        with scripted(page) as (origin, heard):
            for _ in Recaudo(KEY, origin).payment_requests.list(limit=2, deadline=5):
                break
        self.assertEqual([path for _, path, _, _ in heard], ["/payment-request?limit=2&after=0"])

    def test_raises_if_a_list_repeats_the_same_page(self):
        page = answer(200, {"data": [{"id": 1}, {"id": 2}]})
        with scripted(page) as (origin, heard):
            with self.assertRaisesRegex(client.RecaudoError, "does not go on after 2"):
                list(Recaudo(KEY, origin).payment_requests.list(limit=2))
        self.assertEqual(len(heard), 2)

    def test_retries_a_malformed_answer_only_if_that_is_safe(self):
        broken = (answer(200, '{"id":'), answer(200, "null"), answer(200, [1]))
        with scripted(*broken, answer(201, {"id": 1})) as (origin, heard):
            self.assertEqual(Recaudo(KEY, origin).payment_requests.create(FIELDS), {"id": 1})
        self.assertEqual(len(keys(heard)), 1)
        with scripted(answer(200, [1]), answer(200, {})) as (origin, heard):
            with self.assertRaises(client.UnexpectedAnswerError):
                Recaudo(KEY, origin).webhooks.delete(1)
        self.assertEqual(len(heard), 1)
        for body in ({}, {"data": None}, {"data": {"a": 1}}, {"data": [1]}, [], "x"):
            with scripted(answer(200, body)) as (origin, _):
                recaudo = Recaudo(KEY, origin, retries=0)
                calls = (recaudo.payment_requests.list, recaudo.events.list, recaudo.webhooks.list,
                         lambda: recaudo.qr.imports.rows("a"), lambda: recaudo.qr.list_refunds("a"))
                for call in calls:
                    with self.assertRaises(client.UnexpectedAnswerError):
                        list(call())

    def test_treats_a_malformed_refusal_as_one_without_fields(self):
        body = {"code": 400, "message": "m", "error_code": "invalid_fields"}
        shapes = ({"children": None}, {"children": {"a": None}}, {"children": {"a": {"errors": 1}}},
                  {"errors": None}, {"errors": [None, "x"]})
        for shape in shapes:
            with scripted(answer(400, {**body, **shape})) as (origin, _):
                with self.assertRaises(client.RefusedError) as caught:
                    Recaudo(KEY, origin).account()
            self.assertEqual(caught.exception.fields, [])

    def test_ignores_the_errors_of_a_listener(self):
        told = []

        def listener(attempt):
            told.append((attempt["path"], attempt["status"]))
            raise ValueError("x")

        with scripted(answer(502, "x", "text/html"), answer(200, {"id": 1})) as (origin, _):
            self.assertEqual(Recaudo(KEY, origin, on_attempt=listener).account(), {"id": 1})
        self.assertEqual(told, [("/account", 502), ("/account", 200)])

    def test_creates_the_file_of_a_report_only_once_it_is_complete(self):
        day = ("collection", "24-11-2026")
        cut = answer(200, "request_id,amount_paid\n7,", "text/csv", **{"X-Length": "80"})
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "day.csv")
            for step in (cut, answer(200, "<html>", "text/html")):
                with scripted(step) as (origin, _):
                    with self.assertRaises(client.RecaudoError):
                        Recaudo(KEY, origin, retries=0).reports.csv(*day, file)
                self.assertEqual(os.listdir(folder), [])
            # The longer first attempt must leave nothing behind.
            with scripted(cut, answer(200, "request_id\n7\n", "text/csv")) as (origin, _):
                Recaudo(KEY, origin).reports.csv(*day, file)
            self.assertEqual(os.listdir(folder), ["day.csv"])
            with open(file, encoding="utf-8") as report:
                self.assertEqual(report.read(), "request_id\n7\n")
            with self.assertRaises(client.ConfigurationError):
                Recaudo(KEY, origin).reports.csv(*day, os.path.join(folder, "none", "day.csv"))

    def test_reads_the_rows_of_a_report_in_little_memory(self):
        text = "a,b\n" + ("x" * 99 + ",1\n") * 150_000
        with scripted(answer(200, text, "text/csv")) as (origin, _):
            tracemalloc.start()
            held = tracemalloc.get_traced_memory()[0]
            rows = Recaudo(KEY, origin).reports.rows("collection", "24-11-2026")
            self.assertEqual(next(rows), {"a": "x" * 99, "b": "1"})
            del text
            self.assertEqual(sum(int(row["b"]) for row in rows), 149_999)
            peak = tracemalloc.get_traced_memory()[1] - held
            tracemalloc.stop()
        self.assertLess(peak, 4_000_000)

    def test_uploads_without_the_key_and_hides_the_address_in_errors(self):
        with scripted(None) as (origin, heard):
            uploads = {"id": "b1", "url": f"{origin}/upload/TOKEN?a=1", "webhook_secret": "s"}
            with scripted(answer(200, uploads)) as (service, _):
                with self.assertRaises(client.ConnectionFailedError) as caught:
                    Recaudo(KEY, service).qr.imports.upload(iter([{"id": "1"}]))
        self.assertEqual(len(heard), 1)
        self.assertEqual(heard[0][1], "/upload/TOKEN?a=1")
        self.assertNotIn("SECRET", str(heard[0][2]))
        self.assertEqual(json.loads(heard[0][3]), {"total_count": 1, "data": [{"id": "1"}]})
        self.assertNotIn("TOKEN", f"{caught.exception!r} {caught.exception.call}")


class Webhooks(unittest.TestCase):
    secret = "whsec_" + base64.b64encode(b"0123456789abcdef").decode()
    body = b'{"event_type":"payment_request.paid","payload":{"amount":1430.5}}'

    def headers(self, body=None, at=1000):
        signed = b"evt_1.%d." % at + (self.body if body is None else body)
        digest = hmac.new(b"0123456789abcdef", signed, hashlib.sha256).digest()
        signature = "v1," + base64.b64encode(digest).decode()
        return {"Webhook-Id": "evt_1", "webhook-timestamp": str(at), "webhook-signature": signature}

    def reason(self, *args, **options):
        with self.assertRaises(client.WebhookError) as caught:
            client.verify_webhook(*args, **options)
        return caught.exception.reason

    def test_returns_the_event_of_a_signed_delivery(self):
        for body in (self.body, self.body.decode()):
            event = client.verify_webhook(self.headers(), body, self.secret, now=1300)
            self.assertEqual(event["payload"]["amount"], Decimal("1430.5"))
        both = ["whsec_AAAA", self.secret]
        self.assertTrue(client.verify_webhook(self.headers(), self.body, both, now=700))

    def test_refuses_other_deliveries_with_a_reason(self):
        headers, secret = self.headers(), self.secret
        self.assertEqual(self.reason(headers, b"{}", secret, now=1000), "signature_wrong")
        self.assertEqual(self.reason(headers, self.body, "whsec_AAAA", now=1000), "signature_wrong")
        self.assertEqual(self.reason(headers, self.body, secret, now=1301), "too_old")
        self.assertEqual(self.reason(headers, self.body, secret, now=699), "too_new")
        self.assertEqual(self.reason({}, self.body, secret), "header_missing")
        self.assertEqual(self.reason(headers, {}, secret), "body_not_raw")
        self.assertEqual(self.reason(headers, self.body, "whsec_%", now=1000), "secret_malformed")
        text = self.headers(b"no")
        self.assertEqual(self.reason(text, b"no", secret, now=1000), "body_not_json")


@unittest.skipUnless("RECAUDO_URL" in os.environ, "needs a sandbox")
class Service(unittest.TestCase):
    def setUp(self):
        self.recaudo = Recaudo(os.environ["RECAUDO_KEY"], os.environ["RECAUDO_URL"])

    def test_creates_a_request_once_pays_refunds_lists_and_reports_it(self):
        recaudo = self.recaudo
        fields = {**FIELDS, "external_reference": "python 1"}
        made = recaudo.payment_requests.create(fields, idempotency_key="python 1")
        again = recaudo.payment_requests.create(fields, idempotency_key="python 1")
        self.assertEqual(made, again)
        self.assertEqual(made["first_total"], Decimal("1430.5"))
        self.assertEqual(recaudo.sandbox.pay(made["id"], {"channel": "credit_card"})["state"], "paid")
        refund = recaudo.payment_requests.refund(made["id"], {"amount": Decimal("30.50")})
        found = recaudo.payment_requests.get_refund(made["id"], refund["id"])
        self.assertEqual(found["amount"], Decimal("30.5"))
        read = recaudo.payment_requests.get(made["id"], detail_retentions=True)
        self.assertIn("retentions", read)
        listed = recaudo.payment_requests.list(external_reference="python 1", limit=1)
        self.assertEqual([one["id"] for one in listed], [made["id"]])
        year, month, day = recaudo.sandbox.clock.get()["now"][:10].split("-")
        today = f"{day}-{month}-{year}"
        whole = recaudo.reports.get("collection", today)
        rows = list(recaudo.reports.rows("collection", today))
        self.assertEqual(len(rows), len(whole["data"]))
        self.assertIn(str(made["id"]), [row["request_id"] for row in rows])
        self.assertIn("available_balance", recaudo.balances())
        unpaid = recaudo.payment_requests.create(FIELDS)
        self.assertEqual(recaudo.payment_requests.cancel(unpaid["id"])["state"], "expired")

    def test_reports_refused_fields_and_an_unknown_key(self):
        with self.assertRaises(client.RefusedError) as caught:
            self.recaudo.payment_requests.create({**FIELDS, "first_total": 0})
        self.assertEqual(caught.exception.error_code, "invalid_fields")
        self.assertEqual([one["path"] for one in caught.exception.fields], ["first_total"])
        self.assertTrue(caught.exception.request_id)
        with self.assertRaises(client.RefusedError) as caught:
            Recaudo("rk_unknown", os.environ["RECAUDO_URL"]).account()
        self.assertEqual((caught.exception.status, caught.exception.error_code),
                         (401, "api_key.unknown"))

    def test_manages_mandates_debits_and_qrs(self):
        recaudo = self.recaudo
        adhesion = recaudo.adhesions.create({
            "adhesion_holder_name": "Ana Pérez", "email": "ana@example.com",
            "description": "Cuota social", "short_description": "Cuota",
            "cbu_number": "0110599500000123456784", "cbu_holder_name": "Ana Pérez",
            "cbu_holder_id_number": 20055361682,
        })
        debit = recaudo.debit_requests.create({
            "adhesion_id": adhesion["id"], "description": "Cuota",
            "first_due_date": "10-12-2030", "first_total": 100,
        })
        self.assertEqual(recaudo.debit_requests.cancel(debit["id"])["state"], "canceled")
        self.assertEqual(recaudo.adhesions.cancel(adhesion["id"])["state"], "canceled")
        item = {"id": "PY-1", "city": "Rosario", "multiple_payment": False, "first_total": 1500,
                "description": "Cuota", "first_due_date": "10-12-2030", "payer_name": "Ana"}
        recaudo.qr.save([item, {**item, "id": "PY-2"}])
        self.assertEqual(recaudo.qr.pay("PY-1")["status"], "Paid")
        recaudo.qr.delete_many(["PY-2"])
        upload = recaudo.qr.imports.upload({**item, "id": f"PY-{n}"} for n in range(10, 160))
        while recaudo.qr.imports.result(upload["id"])["state"] not in ("completed", "failed"):
            time.sleep(0.02)
        rows = list(recaudo.qr.imports.rows(upload["id"]))
        self.assertEqual([row["status"] for row in rows], ["created"] * 150)
        self.assertEqual(recaudo.qr.get("PY-2")["status"], "Deleted")
        with self.assertRaises(client.RefusedError) as caught:
            recaudo.qr.save([{**item, "id": "PY-3", "city": ""}])
        self.assertEqual(caught.exception.qr_code, "H103")
        self.assertEqual(caught.exception.fields[0]["path"], "city")


if __name__ == "__main__":
    unittest.main()
