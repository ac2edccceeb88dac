<?php

declare(strict_types=1);

namespace RecaudoWoo;

use Recaudo\RefusedError;

/**
 * Applies the state of a payment request to its order. Notices, return pages, the feed and the
 * shop's staff change an order only through this class. It queries the API under the order's lock,
 * and is idempotent in any order of calls.
 */
final class Reconciler
{
    /** Concerns that need no action: a note explains what happened. */
    private const NOTES = ['went_back', 'went_back_unheard'];

    public function __construct(
        private readonly Settings $settings,
        private readonly Locks $locks,
        private readonly Refunds $refunds,
        private readonly Health $health,
    ) {
    }

    /**
     * @param mixed $hint the reference in a notice, which only selects the lock to take
     * @return string `foreign`, `missing`, `unchanged` or `changed`
     */
    public function apply(int $requestId, mixed $hint = null): string
    {
        $orderId = $this->settings->orderIdOf($hint);
        if ($orderId === null) {
            $request = $this->read($requestId) ?? [];
            $orderId = $this->settings->orderIdOf($request['external_reference'] ?? null);
        }
        if ($orderId === null) {
            return 'foreign';
        }
        $found = $this->locks->order($orderId, fn () => $this->applyLocked($orderId, $requestId));
        // The hint was wrong: the request itself names another order.
        return $found === 'elsewhere' ? $this->apply($requestId) : $found;
    }

    /** Applies the latest request of an order; null if the order has none. */
    public function applyToOrder(int $orderId): ?string
    {
        $requestId = Order::fresh($orderId)?->lastAttempt()['request_id'] ?? null;
        return $requestId === null
            ? null
            : $this->apply($requestId, $this->settings->reference($orderId));
    }

    /**
     * Reads and applies a request. Callers hold the order's lock: earlier reads would be stale.
     *
     * @return string as for `apply`, or `elsewhere` if the request belongs to another order
     */
    public function applyLocked(int $orderId, int $requestId): string
    {
        $request = $this->read($requestId);
        if ($request === null) {
            return 'foreign';
        }
        $reference = $request['external_reference'] ?? null;
        if ($reference !== $this->settings->reference($orderId)) {
            return $this->settings->orderIdOf($reference) === null ? 'foreign' : 'elsewhere';
        }
        $shop = Order::fresh($orderId);
        if ($shop === null) {
            if (Decision::sum($request, ['collected_']) > 0) {
                $this->health->orphan($requestId, $orderId);
            }
            return 'missing';
        }
        return $this->carryOut($shop, $request, $this->attemptOf($shop, $request));
    }

    /** @return array<string, mixed>|null */
    private function read(int $requestId): ?array
    {
        try {
            return $this->settings->client()->paymentRequests->get($requestId);
        } catch (RefusedError $error) {
            if ($error->status === 404) {
                return null;
            }
            throw $error;
        }
    }

    /** Returns the attempt that created the request. If its answer was lost, stores the request's id. */
    private function attemptOf(Order $shop, array $request): ?array
    {
        $token = $request['metadata']['shop_token'] ?? null;
        $attempt = is_string($token) ? $shop->attemptOf($token) : null;
        if ($attempt === null || $attempt['environment'] !== $this->settings->environment()) {
            return null;
        }
        if (!isset($attempt['request_id'])) {
            $attempt = ['request_id' => $request['id'], 'url' => $request['checkout_url']] + $attempt;
            $shop->keep($attempt);
        }
        return $attempt;
    }

    private function carryOut(Order $shop, array $request, ?array $attempt): string
    {
        $isChanged = false;
        [$requested, $sent, $asked] = [0, 0, 0];
        if ($shop->paidBy() === $request['id']) {
            $isChanged = $this->refunds->settle($shop, $request['id']);
            $requested = $this->refunds->requested($shop, $request);
            $sent = $this->refunds->marked($shop, ['sent']);
            $asked = $this->refunds->marked($shop, ['asked']);
        }
        $decision = Decision::of($shop, $request, $attempt, $requested, $sent, $asked);
        $concern = $decision->concern === null ? null : "{$decision->concern}:{$request['id']}";
        // An order that a person has reviewed is not held again.
        $act = $decision->act === 'hold' && $shop->knows((string) $concern) ? null : $decision->act;
        $isChanged = $this->changeStatus($act, $shop, $request['id']) || $isChanged;
        if ($concern !== null) {
            $needsReview = !in_array($decision->concern, self::NOTES, true);
            $isChanged = $shop->ask($concern, Texts::concern($concern), $needsReview) || $isChanged;
        }
        if ($decision->refund > 0) {
            $isChanged = $this->refunds->record($shop, $request, $decision->refund) || $isChanged;
        }
        return $isChanged ? 'changed' : 'unchanged';
    }

    private function changeStatus(?string $act, Order $shop, int $requestId): bool
    {
        $order = $shop->order;
        if ($act === 'pay') {
            $this->pay($shop, $requestId);
        } elseif ($act === 'show refund') {
            $this->markPaid($shop, $requestId);
        } elseif ($act === 'hold') {
            $order->update_status('on-hold', Texts::held());
        } elseif ($act === 'cancel') {
            $order->update_status('cancelled', Texts::expired());
        }
        return $act !== null;
    }

    /**
     * Marks an order as paid without WooCommerce's payment steps: its money was returned, so no stock
     * change, download or e-mail may follow. The subsequent refund sets it to `refunded`.
     */
    private function markPaid(Order $shop, int $requestId): void
    {
        self::takeMethod($shop->order);
        $shop->order->set_transaction_id((string) $requestId);
        $shop->order->set_date_paid(time());
        $shop->order->save();
        if ($shop->review() !== null) {
            $shop->endReview();
        }
    }

    private static function takeMethod(\WC_Order $order): void
    {
        if ($order->get_payment_method() !== 'recaudo') {
            $order->set_payment_method('recaudo');
            $order->set_payment_method_title(Texts::method());
        }
    }

    private function pay(Order $shop, int $requestId): void
    {
        $order = $shop->order;
        self::takeMethod($order);
        if ($order->has_status('cancelled')) {
            $order->add_order_note(Texts::reopened());
        } elseif (!$order->has_status(['pending', 'on-hold', 'failed'])) {
            // WooCommerce does not complete payments of orders in the trash or in another plugin's
            // status.
            $order->set_status('pending');
        }
        $order->payment_complete((string) $requestId);
        // WooCommerce returns errors of other plugins instead of throwing them.
        $stored = Order::fresh($order->get_id());
        if ($stored?->paidBy() !== $requestId) {
            throw new \RuntimeException("Order {$order->get_id()} did not take its payment.");
        }
        if ($stored->review() !== null) {
            $stored->endReview();
        }
    }
}
