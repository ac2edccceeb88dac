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


def _mismatch(request, collected, amount, currency, is_own):
    """The reason not to take a payment for the transaction: the code of a concern, or None."""
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
    fault = _mismatch(request, collected, amount, currency, token and environment)
    if collected - back <= 0:
        return (None, "went_back", 0) if fault else ("show refund", "went_back_unheard", back)
    if fault:
        return "hold", fault, 0
    return "pay", "too_much" if _is_more(request, collected, amount, 0) else None, back
