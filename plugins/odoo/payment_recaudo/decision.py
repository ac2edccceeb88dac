"""What the state of a payment request means for its transaction. Pure."""

from .service import centavos


def _results(request, *kinds):
    return [one for one in request.get("request_result", []) if one["type"].startswith(kinds)]


def total(request, *kinds):
    """Centavos of the results whose types begin so."""
    return sum(centavos(one["amount"]) for one in _results(request, *kinds))


def _is_more(request, kept, amount, sent):
    """True if more is there than was asked for. Plans of cards may cost their payer more."""
    payments = _results(request, "collected_")
    is_one_card = len(payments) == 1 and "payment_metadata" in payments[0]
    # One payment and a refund that ends between two readings look like money to spare.
    is_settled = len(payments) > 1 or sent == 0
    return not is_one_card and is_settled and kept > amount - sent


def decide(request, *, amount, currency, state, token, environment, requested, sent):
    """
    Returns (act, concern, refund): `pay`, `hold`, `cancel` or None; the code of a concern or None;
    the centavos of a refund that the transaction does not show.

    `token` and `environment` say whether both belong to this request.
    """
    collected = total(request, "collected_")
    back = total(request, "refund_", "chargeback_")
    if state == "done":
        more = _is_more(request, collected - back - requested, amount, sent)
        return None, "too_much" if more else None, max(0, back + requested - sent)
    if collected == 0:
        is_over = request["state"] == "expired" and token and state in ("draft", "pending")
        return "cancel" if is_over else None, None, 0
    if collected - back <= 0:
        return None, None, 0
    if not token or not environment:
        return "hold", "unknown_request", 0
    if currency != "ARS":
        return "hold", "currency", 0
    if centavos(request["first_total"]) != amount:
        return "hold", "amount", 0
    if collected < amount:
        return "hold", "too_little", 0
    return "pay", "too_much" if _is_more(request, collected, amount, 0) else None, back
