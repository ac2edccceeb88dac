import datetime
import logging
import uuid
from zoneinfo import ZoneInfo

from odoo import fields, models
from odoo.exceptions import ValidationError

from ..decision import decide, total
from ..service import centavos, pesos
from ..service import client as recaudo

_logger = logging.getLogger(__name__)

CONCERNS = {
    "unknown_request": "Request %s names this transaction, but was not made for it.",
    "currency": "Request %s was paid in pesos; the transaction has another currency.",
    "amount": "Request %s asks for another amount than the transaction.",
    "too_little": "Request %s was paid in part.",
    "too_much": "More money came for request %s than was asked for: refund the rest.",
    "went_back": "Request %s was paid, and all of its money went back.",
    "went_back_unheard": "Request %s was paid, and all of its money went back before this server "
    "heard of it: there is nothing to deliver.",
    "chargeback": "The payer took the payment of request %s back (chargeback).",
}

#: Concerns that need no action: a message explains what happened.
NOTES = ("went_back", "went_back_unheard")


class PaymentTransaction(models.Model):
    _inherit = "payment.transaction"

    recaudo_token = fields.Char(copy=False)
    recaudo_environment = fields.Char(copy=False)
    recaudo_checkout = fields.Char(copy=False)
    recaudo_review = fields.Char("Review", copy=False)
    recaudo_seen = fields.Char(copy=False)

    def _recaudo_lock(self, tx_id):
        """Locks and rereads a transaction, bypassing this process's cache. Empty if there is none."""
        query = "SELECT id FROM payment_transaction WHERE id = %s FOR UPDATE"
        self.env.cr.execute(query, [tx_id])
        tx = self.browse(tx_id).exists()
        tx.invalidate_recordset()
        return tx.filtered(lambda one: one.provider_code == "recaudo" and one.operation != "refund")

    def _get_specific_rendering_values(self, processing_values):
        values = super()._get_specific_rendering_values(processing_values)
        if self.provider_code != "recaudo":
            return values
        try:
            return {"api_url": self._recaudo_start()}
        except recaudo.RecaudoError as error:
            _logger.warning("Transaction %s got no payment page: %s", self.reference, error)
            message = "The payment page cannot be reached. Nothing was charged: please try again."
            raise ValidationError(message) from error

    def _recaudo_start(self):
        """Creates the payment request once, and returns the address to redirect the payer to."""
        provider = self.provider_id
        service = provider._recaudo_client(20.0)
        provider._recaudo_begin(service)
        tx = self._recaudo_lock(self.id)
        if tx.recaudo_checkout:
            return tx.recaudo_checkout
        # Odoo rolls back failures, so only values that can be recomputed are the same on a retry.
        reference = provider._recaudo_reference(tx.id)
        token = tx._recaudo_new_token()
        made = tx._recaudo_find(service, reference, token)
        if made is None:
            made = service.payment_requests.create(
                tx._recaudo_fields(service, reference, token), idempotency_key=token
            )
        tx.write(
            {
                "recaudo_token": token,
                "recaudo_environment": provider.state,
                "recaudo_checkout": made["checkout_url"],
                "provider_reference": str(made["id"]),
            }
        )
        tx._set_pending()
        return made["checkout_url"]

    def _recaudo_new_token(self):
        provider = self.provider_id
        reference = provider._recaudo_reference(self.id)
        name = f"{reference}/{self.reference}/{centavos(self.amount)}/{provider.state}"
        return uuid.uuid5(uuid.NAMESPACE_URL, name).hex

    @staticmethod
    def _recaudo_find(service, reference, token):
        for one in service.payment_requests.list(external_reference=reference):
            if (one.get("metadata") or {}).get("shop_token") == token:
                return one
        return None

    def _recaudo_fields(self, service, reference, token):
        now = datetime.datetime.now(ZoneInfo("America/Argentina/Buenos_Aires"))
        if self.provider_id.state == "test":
            # A sandbox's clock may be ahead.
            now = datetime.datetime.fromisoformat(service.sandbox.clock.get()["now"])
        due = now + datetime.timedelta(days=max(1, min(60, self.provider_id.recaudo_days)))
        back = f"{self.provider_id.get_base_url()}/payment/recaudo/return"
        payer = {"payer_email": self.partner_email} if self.partner_email else {}
        return {
            "description": self.reference[:500],
            "first_due_date": due.strftime("%d-%m-%Y"),
            "first_total": pesos(centavos(self.amount)),
            "payer_name": (self.partner_name or self.reference)[:255],
            "external_reference": reference,
            "metadata": {"shop_token": token},
            **{f"back_url_{end}": back for end in ("success", "pending", "rejected")},
            **payer,
        }

    def _recaudo_take(self, service, request):
        """Applies the consequences of a request's state, under the lock. Returns True on any change."""
        token = (request.get("metadata") or {}).get("shop_token")
        # A notice may precede the answer to the create, or follow its rollback.
        is_own = bool(token) and token == (self.recaudo_token or self._recaudo_new_token())
        if is_own and not self.recaudo_token:
            self.write(
                {
                    "recaudo_token": token,
                    "recaudo_environment": self.provider_id.state,
                    "recaudo_checkout": request["checkout_url"],
                    "provider_reference": str(request["id"]),
                }
            )
        refunds = self._recaudo_refunds()
        requested = self._recaudo_requested(service, request) if self.state == "done" else 0
        act, concern, refund = decide(
            request,
            amount=centavos(self.amount),
            currency=self.currency_id.name,
            state=self.state,
            token=is_own,
            environment=self.recaudo_environment == self.provider_id.state,
            requested=requested,
            sent=sum(centavos(-one.amount) for one in refunds if one.state != "error"),
        )
        changed = False
        if concern:
            changed = self._recaudo_ask(f"{concern}:{request['id']}")
        if act == "pay":
            self._recaudo_reopen()
            self._set_done(extra_allowed_states=("cancel", "error"))
            self.recaudo_review = False if not concern else self.recaudo_review
        elif act == "show refund":
            self._set_done(extra_allowed_states=("cancel", "error"))
            # Its money was returned, so Odoo must neither confirm an order nor book a payment.
            self.write({"recaudo_review": False, "is_post_processed": True})
        elif act == "hold" and changed:
            message = CONCERNS[concern] % request["id"]
            self._set_pending(state_message=message, extra_allowed_states=("cancel", "error"))
        elif act == "cancel":
            self._set_canceled(state_message="The due date passed without a payment.")
        if refund:
            child = self._create_child_transaction(refund / 100, is_refund=True)
            child._set_done()
            if act == "show refund":
                child.is_post_processed = True
            if total(request, "chargeback_"):
                self._recaudo_ask(f"chargeback:{request['id']}")
        return changed or act in ("pay", "show refund", "cancel") or refund > 0

    def _recaudo_ask(self, concern):
        """Records a concern once. Returns False if it is waiting for a person or was dismissed."""
        waiting = (self.recaudo_review or "").split()
        if concern in [*waiting, *(self.recaudo_seen or "").split()]:
            return False
        code, name = concern.split(":", 1)
        if code in NOTES:
            self.recaudo_seen = f"{self.recaudo_seen or ''} {concern}".strip()
        else:
            self.recaudo_review = " ".join([*waiting, concern])
        self._log_message_on_linked_documents(f"Recaudo: {CONCERNS[code] % name}")
        return True

    def action_recaudo_reviewed(self):
        for tx in self:
            seen = f"{tx.recaudo_seen or ''} {tx.recaudo_review or ''}".strip()
            tx.write({"recaudo_seen": seen, "recaudo_review": False})

    def _recaudo_reopen(self):
        """Reopens a cancelled order for late cash, so that Odoo confirms it."""
        if "sale_order_ids" in self._fields:
            self.sale_order_ids.filtered(lambda one: one.state == "cancel").action_draft()

    def _recaudo_refunds(self):
        return self.search([("source_transaction_id", "=", self.id), ("operation", "=", "refund")])

    def _recaudo_requested(self, service, request):
        """Returns the centavos of refunds in progress at the service. Failed ones become errors."""
        own = {one.provider_reference: one for one in self._recaudo_refunds()}
        if not own and not total(request, "refund_"):
            return 0
        asked = 0
        for one in service.payment_requests.list_refunds(request["id"]):
            asked += centavos(one["amount"]) if one["state"] == "requested" else 0
            child = own.get(f"refund {one['id']}")
            if child and one["state"] == "failed" and child.state != "error":
                child._set_error("The refund failed: the money stays with you.")
            elif child and one["state"] == "done" and child.state != "done":
                child._set_done()
        return asked

    def _send_refund_request(self, amount_to_refund=None):
        refund_tx = super()._send_refund_request(amount_to_refund=amount_to_refund)
        if self.provider_code != "recaudo":
            return refund_tx
        self._recaudo_lock(self.id)
        amount = centavos(-refund_tx.amount)
        before = sum(centavos(-one.amount) for one in self._recaudo_refunds() - refund_tx)
        # The sum refunded before identifies a refund, so a retry after a lost answer repeats it.
        reference = self.provider_id._recaudo_reference(self.id)
        try:
            made = self.provider_id._recaudo_client(20.0).payment_requests.refund(
                int(self.provider_reference),
                {"amount": pesos(amount)},
                idempotency_key=f"{reference} refund {before}+{amount}",
            )
        except recaudo.RecaudoError as error:
            raise ValidationError(f"Recaudo: {error}") from error
        refund_tx.provider_reference = f"refund {made['id']}"
        if made["state"] == "done":
            refund_tx._set_done()
        else:
            refund_tx._set_pending()
        return refund_tx
