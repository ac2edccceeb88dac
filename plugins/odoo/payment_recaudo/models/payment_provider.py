import json
import logging
import uuid

from odoo import api, fields, models

from ..service import client as recaudo

_logger = logging.getLogger(__name__)

EVENTS = ["paid", "expired", "reverted", "refunded", "refund_requested", "refund_failed"]
#: Consecutive payments without a notice before a warning. A single one may be chance.
MISSED = 3
#: Consecutive failures after which the service, not a transaction, is taken to be the cause.
TROUBLE = 3
FAILURES = ("unreached", "failed")
PAGE = 100


class PaymentProvider(models.Model):
    _inherit = "payment.provider"

    code = fields.Selection(
        selection_add=[("recaudo", "Recaudo")], ondelete={"recaudo": "set default"}
    )
    recaudo_url = fields.Char("Address of the service", required_if_provider="recaudo")
    recaudo_key = fields.Char(
        "API key", required_if_provider="recaudo", groups="base.group_system", copy=False
    )
    recaudo_days = fields.Integer("Days to pay", default=3)
    recaudo_prefix = fields.Char(copy=False)
    recaudo_secret = fields.Char(groups="base.group_system", copy=False)
    recaudo_account = fields.Char(copy=False)
    recaudo_cursor = fields.Char(copy=False)
    recaudo_unfinished = fields.Text(default="{}", copy=False)
    recaudo_missed = fields.Integer(copy=False)
    recaudo_forged = fields.Integer(copy=False)
    recaudo_reason = fields.Char(copy=False)
    recaudo_report = fields.Text("Reports", compute="_compute_recaudo_report")

    @api.depends("recaudo_missed", "recaudo_forged", "recaudo_unfinished", "recaudo_reason")
    def _compute_recaudo_report(self):
        for provider in self:
            provider.recaudo_report = "\n".join(provider._recaudo_reports())

    def _recaudo_reports(self):
        """Returns the warnings that the provider's form shows to the owner."""
        found, unfinished = [], len(json.loads(self.recaudo_unfinished or "{}"))
        if self.recaudo_missed >= MISSED:
            found.append(
                f"Notices do not reach this server: the last {self.recaudo_missed} payments were "
                f"found by asking, minutes late. Last answer: {self.recaudo_reason or '?'}."
            )
        if self.recaudo_forged >= MISSED:
            found.append(
                f"{self.recaudo_forged} notices had wrong signatures ({self.recaudo_reason or '?'})."
                " If they are ours, delete the webhook and connect again."
            )
        if unfinished:
            found.append(f"{unfinished} payments could not be applied yet; see the log.")
        return found

    def _compute_feature_support_fields(self):
        super()._compute_feature_support_fields()
        self.filtered(lambda one: one.code == "recaudo").support_refund = "partial"

    def _get_supported_currencies(self):
        found = super()._get_supported_currencies()
        if self.code == "recaudo":
            found = found.filtered(lambda currency: currency.name == "ARS")
        return found

    def _get_default_payment_method_codes(self):
        codes = super()._get_default_payment_method_codes()
        return {"card"} if self.code == "recaudo" else codes

    def _recaudo_client(self, deadline=8.0):
        key = self.sudo().recaudo_key
        return recaudo.Recaudo(key, self.recaudo_url, deadline=deadline, retries=2)

    def _recaudo_reference(self, tx_id):
        """Returns a reference unique to this database, which may share an account or be a copy."""
        if not self.recaudo_prefix:
            self.recaudo_prefix = f"odoo-{uuid.uuid4().hex[:6]}-"
        return f"{self.recaudo_prefix}{tx_id}"

    def _recaudo_tx_id(self, reference):
        prefix = self.recaudo_prefix
        if not prefix or not isinstance(reference, str) or not reference.startswith(prefix):
            return None
        number = reference[len(prefix) :]
        return int(number) if number.isascii() and number.isdigit() else None

    def action_recaudo_connect(self):
        """Tests the key, registers the address for notices and stores where the feed starts."""
        service = self._recaudo_client()
        self._recaudo_reference(0)
        if service.account()["id"] != self.recaudo_account:
            self.recaudo_cursor = False
        self._recaudo_begin(service)
        url = f"{self.get_base_url()}/payment/recaudo/webhook/{self.id}"
        found = [one for one in service.webhooks.list() if one["url"] == url]
        if found and self.sudo().recaudo_secret:
            return
        types = [f"payment_request.{event}" for event in EVENTS]
        made = (
            # Nobody has the secret if the answer to a registration was lost, so request a new one.
            service.webhooks.rotate_secret(found[0]["id"])
            if found
            else service.webhooks.create({"url": url, "event_types": types})
        )
        self.sudo().recaudo_secret = made["secret"]

    def _recaudo_begin(self, service):
        if not self.recaudo_cursor:
            account, latest = service.account()["id"], str(service.events.latest())
            self.write({"recaudo_account": account, "recaudo_cursor": latest})

    def _recaudo_apply(self, request_id, hint=None):
        """
        Applies the state of a payment request to its transaction. Notices, return pages and the
        feed change it only through this method, which queries the API under the transaction's lock.

        `hint` is the reference in a notice, which only selects the row to lock.
        """
        service = self._recaudo_client()
        tx_id = self._recaudo_tx_id(hint)
        if tx_id is None:
            request = self._recaudo_read(service, request_id) or {}
            tx_id = self._recaudo_tx_id(request.get("external_reference"))
        if tx_id is None:
            return "foreign"
        tx = self.env["payment.transaction"]._recaudo_lock(tx_id)
        request = self._recaudo_read(service, request_id)
        if request is None:
            return "foreign"
        if request.get("external_reference") != self._recaudo_reference(tx_id):
            return self._recaudo_apply(request_id) if hint else "foreign"
        if not tx:
            _logger.error("Request %s was paid for no transaction: %s", request_id, tx_id)
            return "missing"
        return "changed" if tx._recaudo_take(service, request) else "unchanged"

    @staticmethod
    def _recaudo_read(service, request_id):
        try:
            return service.payment_requests.get(request_id)
        except recaudo.RefusedError as error:
            if error.status == 404:
                return None
            raise

    def _recaudo_notice(self, headers, body):
        """Returns the HTTP status. The service retries unless it is 2xx."""
        secret = self.sudo().recaudo_secret
        if not secret:
            return 400
        try:
            event = recaudo.verify_webhook(headers, body, secret)
        except recaudo.WebhookError as error:
            forged = self.recaudo_forged + 1
            self.write({"recaudo_forged": forged, "recaudo_reason": error.reason})
            return 400
        if self.recaudo_missed or self.recaudo_forged:
            self.write({"recaudo_missed": 0, "recaudo_forged": 0, "recaudo_reason": False})
        request_id, payload = event.get("entity_id"), event.get("payload") or {}
        reference = payload.get("external_reference")
        is_request = event.get("entity_name") == "payment_request" and isinstance(request_id, int)
        if is_request and self._recaudo_tx_id(reference) is not None:
            self._recaudo_apply(request_id, reference)
        return 204

    @api.model
    def _cron_recaudo_poll(self):
        is_read = True
        for provider in self.search([("code", "=", "recaudo"), ("state", "!=", "disabled")]):
            try:
                provider._recaudo_poll()
            except recaudo.RecaudoError as error:
                self.env.cr.rollback()
                is_read = False
                _logger.warning("The feed of provider %s: %s", provider.id, error)
        return is_read

    def _recaudo_poll(self):
        """Reads the feed from the cursor. Commits each page, so that a crash loses none."""
        service = self._recaudo_client()
        self._recaudo_begin(service)
        unfinished = json.loads(self.recaudo_unfinished or "{}")
        for request_id, reference in list(unfinished.items()):
            if self._recaudo_try(int(request_id), reference) not in FAILURES:
                del unfinished[request_id]
        self._recaudo_keep(unfinished, self.recaudo_cursor)
        page = []
        after = int(self.recaudo_cursor)
        for event in service.events.list(after=after, entity_name="payment_request", limit=PAGE):
            page.append(event)
            if len(page) == PAGE:
                self._recaudo_page(service, page, unfinished)
                page = []
        if page:
            self._recaudo_page(service, page, unfinished)

    def _recaudo_page(self, service, page, unfinished):
        """Applies each request once, however many events it has, because its state is read after them."""
        failures, missed = 0, self.recaudo_missed
        last = {}
        for event in page:
            reference = event["payload"].get("external_reference")
            if self._recaudo_tx_id(reference) is not None:
                last[event["entity_id"]] = (event, reference)
        for request_id, (event, reference) in last.items():
            outcome = self._recaudo_try(request_id, reference)
            failures = failures + 1 if outcome == "unreached" else 0
            if failures >= TROUBLE:
                raise recaudo.RecaudoError("Several requests in a row could not be read.")
            if outcome in FAILURES:
                unfinished[str(request_id)] = reference
            if outcome == "changed" and event["event_type"] == "payment_request.paid":
                missed += 1
                if missed == MISSED:
                    self._recaudo_explain(service, event["id"])
        self.recaudo_missed = missed
        self._recaudo_keep(unfinished, str(page[-1]["position"]))

    def _recaudo_keep(self, unfinished, cursor):
        self.write({"recaudo_unfinished": json.dumps(unfinished), "recaudo_cursor": cursor})
        self.env.cr.commit()

    def _recaudo_try(self, request_id, reference):
        """Applies a request. Returns an outcome even on errors, so that none stops the feed."""
        try:
            outcome = self._recaudo_apply(request_id, reference)
            self.env.cr.commit()
            return outcome
        except Exception as error:  # noqa: BLE001 - other modules may raise anything
            self.env.cr.rollback()
            _logger.warning("Request %s could not be applied: %s", request_id, error)
            return "unreached" if isinstance(error, recaudo.RecaudoError) else "failed"

    def _recaudo_explain(self, service, event_id):
        reasons = []
        for delivery in service.events.deliveries(event_id):
            last = delivery["attempts"][-1] if delivery["attempts"] else {}
            status = f"HTTP {last['status']}" if "status" in last else delivery["state"]
            reasons.append(last.get("error") or status)
        self.recaudo_reason = ", ".join(reasons) or "no webhook"
