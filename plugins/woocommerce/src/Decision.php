<?php

declare(strict_types=1);

namespace RecaudoWoo;

use function Recaudo\centavos;

/**
 * Decides how an order changes with the state of its payment request. Pure: the reconciler reads
 * the facts and applies the decision, so every entry point of the plugin decides alike.
 */
final class Decision
{
    private function __construct(
        /** Change of the order's status: `pay`, `show refund`, `hold`, `cancel` or null. */
        public readonly ?string $act,
        /** A code of Texts::concern for a person to act on, or only to read. */
        public readonly ?string $concern = null,
        /** Refunded centavos that the order does not show yet. */
        public readonly int $refund = 0,
    ) {
    }

    /**
     * @param array<string, mixed> $request the API's answer, read under the order's lock
     * @param array<string, mixed>|null $attempt the shop's record of it; null if another shop created it
     * @param int $requested centavos of refunds in progress at the service
     * @param int $sent centavos of refunds that both the order and the service have
     * @param int $asked centavos of refunds not yet acknowledged by the service
     */
    public static function of(
        Order $shop,
        array $request,
        ?array $attempt,
        int $requested,
        int $sent,
        int $asked,
    ): self {
        $collected = self::sum($request, ['collected_']);
        $back = self::sum($request, ['refund_', 'chargeback_']);
        if ($shop->paidBy() === $request['id']) {
            $isMore = self::isMore($request, $collected - $back - $requested, $attempt, $sent);
            $refund = max(0, $back + $requested - $sent - $asked);
            return new self(null, $isMore ? 'too_much' : null, $refund);
        }
        if ($collected === 0) {
            return new self(self::mayCancel($shop, $request, $attempt) ? 'cancel' : null);
        }
        $fault = self::mismatch($shop, $request, $attempt, $collected);
        if ($collected - $back <= 0) {
            return $shop->isPaid() || $fault !== null
                ? new self(null, 'went_back')
                : new self('show refund', 'went_back_unheard', $back);
        }
        if ($shop->isPaid()) {
            return new self(null, 'paid_twice');
        }
        return $fault !== null
            ? new self($shop->order->get_status() === 'on-hold' ? null : 'hold', $fault)
            : new self(
                'pay',
                self::isMore($request, $collected, $attempt, 0) ? 'too_much' : null,
                $back,
            );
    }

    /** Returns true if more was collected than the order's total. Card plans may charge the payer more. */
    private static function isMore(array $request, int $kept, ?array $attempt, int $sent): bool
    {
        $payments = array_filter(
            $request['request_result'] ?? [],
            fn (array $result) => str_starts_with($result['type'], 'collected_'),
        );
        $isOneCard = count($payments) === 1 && isset(reset($payments)['payment_metadata']);
        // A refund that ends between two reads would make one payment look like an excess.
        $isSettled = count($payments) > 1 || $sent === 0;
        return !$isOneCard && $isSettled && $kept > ($attempt['amount'] ?? $kept) - $sent;
    }

    /** Sums the centavos of the results whose types have one of these prefixes. */
    public static function sum(array $request, array $kinds): int
    {
        $sum = 0;
        foreach ($request['request_result'] ?? [] as $result) {
            foreach ($kinds as $kind) {
                $sum += str_starts_with($result['type'], $kind) ? centavos($result['amount']) : 0;
            }
        }
        return $sum;
    }

    /** Returns the reason that blocks a payment for the order: a code of Texts::concern. */
    private static function mismatch(
        Order $shop,
        array $request,
        ?array $attempt,
        int $collected,
    ): ?string {
        return match (true) {
            $attempt === null => 'unknown_request',
            ($attempt['request_id'] ?? $request['id']) !== $request['id'] => 'unknown_request',
            $shop->order->get_currency() !== 'ARS' => 'currency',
            centavos($request['first_total']) !== $attempt['amount'] => 'amount_of_request',
            $shop->total() !== $attempt['amount'] => 'amount_of_order',
            $collected < $attempt['amount'] => 'too_little',
            default => null,
        };
    }

    private static function mayCancel(Order $shop, array $request, ?array $attempt): bool
    {
        return $request['state'] === 'expired'
            && $attempt !== null
            && $attempt['token'] === ($shop->lastAttempt()['token'] ?? null)
            && $shop->order->get_payment_method() === 'recaudo'
            && $shop->review() === null
            && !$shop->isPaid()
            && $shop->order->has_status(['pending', 'on-hold', 'failed']);
    }
}
