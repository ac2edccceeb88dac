<?php

declare(strict_types=1);

namespace RecaudoWoo;

/** All texts that the plugin shows. */
final class Texts
{
    public static function method(): string
    {
        return __('Card, transfer, cash or QR', 'recaudo');
    }

    public static function description(string $number, string $shop): string
    {
        /* translators: 1: number of the order, 2: name of the shop */
        return sprintf(__('Order %1$s, %2$s', 'recaudo'), $number, $shop);
    }

    public static function reopened(): string
    {
        return __('The payment arrived after the order was cancelled: the order is open again.', 'recaudo');
    }

    public static function expired(): string
    {
        return __('The due date passed without a payment.', 'recaudo');
    }

    public static function held(): string
    {
        return __('A payment does not fit the order: please look at it.', 'recaudo');
    }

    /** Returns the text of a concern, given as `code:request`. */
    public static function concern(string $concern): string
    {
        [$code, $id] = explode(':', $concern, 2);
        $sentence = match ($code) {
            'unknown_request' => __('Request %s names this order, but this shop did not make it.', 'recaudo'),
            'currency' => __('Request %s was paid in pesos; the order has another currency.', 'recaudo'),
            'amount_of_request' => __('Request %s asks for another amount than this shop did.', 'recaudo'),
            'amount_of_order' => __('Request %s was paid, but the total of the order has changed.', 'recaudo'),
            'too_little' => __('Request %s was paid in part.', 'recaudo'),
            'too_much' => __('More money came for request %s than the order asks: refund the rest.', 'recaudo'),
            'paid_twice' => __('Request %s was paid, but the order was paid before: refund one.', 'recaudo'),
            'chargeback' => __('The payer took the payment of request %s back (chargeback).', 'recaudo'),
            'went_back' => __('Request %s was paid, and all of its money went back.', 'recaudo'),
            'went_back_unheard' => __('Request %s was paid, and all of its money went back before the shop heard of it: there is nothing to deliver.', 'recaudo'),
            'refunded_more' => __('More went back for request %s than the order can show.', 'recaudo'),
            'refund_failed' => __('Refund %s failed, the money stays: delete it and refund again.', 'recaudo'),
            default => $code . ' %s',
        };
        return 'Recaudo: ' . sprintf($sentence, $id);
    }

    public static function notPaidHere(): string
    {
        return __('Recaudo has no payment of this order.', 'recaudo');
    }

    public static function cbuMissing(): string
    {
        return __('This payment came in cash or by transfer. Write the payer’s CBU or CVU (22 digits) into the reason.', 'recaudo');
    }

    public static function refundSent(string $amount, int $id, string $state): string
    {
        return $state === 'requested'
            /* translators: 1: amount, 2: id */
            ? sprintf(__('Refund of $ %1$s asked for (%2$d); the money is on its way.', 'recaudo'), $amount, $id)
            /* translators: 1: amount, 2: id, 3: state */
            : sprintf(__('Refund of $ %1$s: %3$s (%2$d).', 'recaudo'), $amount, $id, $state);
    }

    public static function chargeback(): string
    {
        return __('Chargeback', 'recaudo');
    }

    public static function refundedElsewhere(): string
    {
        return __('Refunded at Recaudo', 'recaudo');
    }

    public static function unavailable(): string
    {
        return __('The payment page cannot be reached just now. Nothing was charged: please try again.', 'recaudo');
    }

    public static function refused(): string
    {
        return __('The payment page does not take this order. Please choose another way to pay.', 'recaudo');
    }

    public static function rejected(): string
    {
        return __('The payment was rejected. You can try again, or pay in another way.', 'recaudo');
    }

    public static function waiting(): string
    {
        return __('We are waiting for your payment. Your coupon and your options:', 'recaudo');
    }
}
