import logging

from odoo import http
from odoo.http import request

from ..service import client as recaudo

_logger = logging.getLogger(__name__)


class RecaudoController(http.Controller):
    @http.route(
        "/payment/recaudo/webhook/<int:provider_id>",
        type="http",
        auth="public",
        methods=["POST"],
        csrf=False,
        save_session=False,
    )
    def webhook(self, provider_id, **_fields):
        provider = request.env["payment.provider"].sudo().browse(provider_id).exists()
        if not provider or provider.code != "recaudo":
            return request.make_response("", status=404)
        try:
            body = request.httprequest.get_data()
            status = provider._recaudo_notice(dict(request.httprequest.headers), body)
        except recaudo.RecaudoError as error:
            _logger.warning("A notice could not be applied: %s", error)
            status = 503
        return request.make_response("", status=status)

    @http.route("/payment/recaudo/return", type="http", auth="public", methods=["GET"], csrf=False)
    def back(self, request_id=None, **_fields):
        """Uses the address, which the browser controls, only to find the request to query."""
        transactions = request.env["payment.transaction"].sudo()
        found = transactions.search(
            [("provider_code", "=", "recaudo"), ("provider_reference", "=", str(request_id))]
        )
        for tx in found:
            try:
                reference = tx.provider_id._recaudo_reference(tx.id)
                tx.provider_id._recaudo_apply(int(tx.provider_reference), reference)
            except recaudo.RecaudoError as error:
                _logger.warning("Return to transaction %s: %s", tx.id, error)
        return request.redirect("/payment/status")
