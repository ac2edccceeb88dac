"""Decides how a transaction changes with the state of its payment request. Pure."""

from .service import centavos


def _results(request, *kinds):
    return [one for one in request.get("request_result", []) if one["type"].startswith(kinds)]


def total(request, *kinds):
    """Sums the centavos of the results whose types have one of these prefixes."""
    return sum(centavos(one["amount"]) for one in _results(request, *kinds))


def _is_more(request, kept, amount, sent):
    """Returns True if more was collected than requested. Card plans may charge the payer more."""
    payments = _results(request, "collected_")
    is_one_card = len(payments) == 1 and "payment_metadata" in payments[0]
    # A refund that ends between two reads would make one payment look like an excess.
    is_settled = len(payments) > 1 or sent == 0
    return not is_one_card and is_settled and kept > amount - sent


def _mismatch(request, collected, amount, currency, is_own):
    """Returns the code of the concern that blocks a payment for the transaction, or None."""
    if not is_own:
        return "unknown_request"
    if currency != "ARS":
        return "currency"
    if centavos(request["first_total"]) != amount:
        return "amount"
    return "too_little" if collected < amount else None


def decide(request, *, amount, currency, state, token, environment, requested, sent):
    """
    Returns (act, concern, refund): `pay`, `show refund`, `hold`, `cancel` or None; the code of a
    concern or None; the centavos of a refund that the transaction does not show.

    `token` and `environment` are True if they belong to this request.
    """
    collected = total(request, "collected_")
    back = total(request, "refund_", "chargeback_")
    if state == "done":
        more = _is_more(request, collected - back - requested, amount, sent)
        return None, "too_much" if more else None, max(0, back + requested - sent)
    if collected == 0:
        is_over = request["state"] == "expired" and token and state in ("draft", "pending")
        return "cancel" if is_over else None, None, 0
    fault = _mismatch(request, collected, amount, currency, token and environment)
    if collected - back <= 0:
        return (None, "went_back", 0) if fault else ("show refund", "went_back_unheard", back)
    if fault:
        return "hold", fault, 0
    return "pay", "too_much" if _is_more(request, collected, amount, 0) else None, back
