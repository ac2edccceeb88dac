"""A process of the shop. Reads jobs as lines of JSON, each with its own request and transaction."""

import fcntl
import itertools
import json
import logging
import os
import pathlib
import signal
import sys
from decimal import Decimal

here = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(here), str(here.parents[2] / "plugins/odoo")]
SHOP = pathlib.Path(os.environ["SHOP"])
logging.basicConfig(filename=SHOP / "log", level=logging.INFO)

from odoo import models  # noqa: E402
from odoo.exceptions import ValidationError  # noqa: E402

broken = []


class Provider(models.Model):
    _name = "payment.provider"
    code = "recaudo"

    def get_base_url(self):
        return os.environ["SHOP_URL"]

    def search(self, _domain):
        return self.browse(1)


class Currency:
    name = "ARS"


def child_id(source, place):
    return int(f"{source}0{place:03d}")


class Transaction(models.Model):
    _name = "payment.transaction"
    provider_code, currency_id = "recaudo", Currency
    partner_name, partner_email = "Ana Pérez", "ana@example.com"

    @property
    def provider_id(self):
        return self.env["payment.provider"].browse(1)

    def search(self, domain):
        source = domain[0][2]
        # Children are numbered without gaps, so that a search need not list the folder of all orders.
        kept = itertools.takewhile(
            lambda number: (SHOP / "orders" / f"{self._model}-{number}").exists(),
            (child_id(source, place) for place in itertools.count(1)),
        )
        new = [number for model, number in self.env.cr.dirty if model == self._model]
        is_child = lambda one: one.source_transaction_id == source  # noqa: E731
        return self.browse(sorted({*kept, *new})).filtered(is_child)

    def _move(self, state, allowed, message=None):
        if self.state not in allowed:
            return
        self.write({"state": state, "state_message": message})
        self._log_message_on_linked_documents(message or f"Payment {state}")

    def _set_pending(self, state_message=None, extra_allowed_states=()):
        self.write({}) if self.state == "pending" else self._move(
            "pending", ("draft", *extra_allowed_states), state_message or "waits"
        )

    def _set_done(self, state_message=None, extra_allowed_states=()):
        if broken:
            raise ValueError("broken")
        allowed = ("draft", "pending", "authorized", "error", *extra_allowed_states)
        self._move("done", allowed, state_message)

    def _set_canceled(self, state_message=None, extra_allowed_states=()):
        self._move("cancel", ("draft", "pending", "authorized"), state_message or "cancelled")

    def _set_error(self, message):
        self._move("error", ("draft", "pending", "authorized"), message)

    def _log_message_on_linked_documents(self, message):
        notes = [*(self.notes or []), message]
        self.notes = notes

    def _get_specific_rendering_values(self, _values):
        return {}

    def _create_child_transaction(self, amount, is_refund=False):
        children = self.search([("source_transaction_id", "=", self.id)])
        child = self.browse(child_id(self.id, len(list(children)) + 1))
        values = {"reference": f"R-{self.id}", "amount": -float(amount), "state": "draft"}
        child.write({**values, "operation": "refund", "source_transaction_id": self.id})
        return child

    def _send_refund_request(self, amount_to_refund=None):
        return self._create_child_transaction(amount_to_refund or self.amount, is_refund=True)


import payment_recaudo.models  # noqa: E402,F401
from payment_recaudo.service import centavos  # noqa: E402


def order(env, job):
    tx = env["payment.transaction"].browse(job["id"])
    new = {"state": "draft", "reference": f"S{job['id']:05d}", "operation": "online_redirect"}
    amount = float(job["fields"]["total"])
    tx.write({**({} if tx.exists() else new), "amount": amount})


def pay(env, job):
    tx = env["payment.transaction"].browse(job["id"])
    if tx.state == "done":
        return {"result": "success", "redirect": "/payment/status", "notices": []}
    # Showing the order and paying it are separate requests.
    env.cr.commit()
    try:
        url = tx._get_specific_rendering_values({})["api_url"]
        return {"result": "success", "redirect": url, "notices": []}
    except ValidationError as error:
        env.cr.rollback()
        return {"result": "failure", "notices": [str(error)]}


def refund(env, job):
    try:
        tx = env["payment.transaction"].browse(job["id"])
        return tx._send_refund_request(Decimal(job["amount"])).id
    except ValidationError as error:
        env.cr.rollback()
        return str(error)


def poll(env):
    """Simulates Odoo, which runs a cron job in one process at a time."""
    with open(SHOP / "locks" / "cron", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return env["payment.provider"]._cron_recaudo_poll()


def state(tx):
    children = tx._recaudo_refunds()
    return {
        "isPaid": tx.state == "done",
        "isCancelled": tx.state == "cancel",
        "isHeld": bool(tx.recaudo_review),
        "refunded": sum(centavos(-one.amount) for one in children if one.state != "error"),
    }


def apply(env, provider, job):
    tx = env["payment.transaction"].browse(job["id"])
    return provider._recaudo_apply(int(tx.provider_reference), provider._recaudo_reference(tx.id))


def die(env, job):
    from payment_recaudo.service import client

    client._Refunds.refund = lambda *_args, **_options: os.kill(os.getpid(), signal.SIGKILL)
    refund(env, job)


def settings(provider, values):
    names = {"sandbox_url": "recaudo_url", "sandbox_key": "recaudo_key", "days": "recaudo_days"}
    known = {names[name]: value for name, value in values.items() if name in names}
    if "recaudo_days" in known:
        known["recaudo_days"] = int(known["recaudo_days"])
    provider.write({"code": "recaudo", "state": "test", **known})


def run(job):
    env = models.Environment()
    provider = env["payment.provider"].browse(1)
    tx = env["payment.transaction"].browse(job.get("id", 0))
    acts = {
        "settings": lambda: settings(provider, job["settings"]),
        "set": lambda: settings(provider, job["settings"]),
        "save": provider.action_recaudo_connect,
        "order": lambda: order(env, job),
        "buy": lambda: [order(env, job), pay(env, job)][1],
        "pay": lambda: pay(env, job),
        "cancel": tx._set_canceled,
        "state": lambda: state(tx),
        "notice": lambda: provider._recaudo_notice(job["headers"], job["body"]),
        "return": lambda: apply(env, provider, job),
        "apply": lambda: apply(env, provider, job),
        "poll": lambda: poll(env),
        "refund": lambda: refund(env, job),
        "die in refund": lambda: die(env, job),
        "age refunds": lambda: None,
        "secret": lambda: provider.recaudo_secret,
        "reference": lambda: provider._recaudo_reference(job["id"]),
        "notes": lambda: "\n".join(tx.notes or []),
        "reviewed": tx.action_recaudo_reviewed,
        "reports": provider._recaudo_reports,
        "break": lambda: broken.append(True),
        "mend": broken.clear,
    }
    try:
        value = acts[job["do"]]()
        env.cr.commit()
        return value
    except Exception:
        env.cr.rollback()
        if job["do"] == "notice":
            logging.exception("A notice was not applied")
            return 503
        raise


for line in sys.stdin:
    try:
        answer = {"value": run(json.loads(line))}
    except Exception as error:  # noqa: BLE001 - the test reads it
        logging.exception("job")
        answer = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(answer), flush=True)
