<?php

declare(strict_types=1);

namespace RecaudoWoo;

use Recaudo\RecaudoError;
use Recaudo\RefusedError;

use function Recaudo\centavos;

/**
 * Refunds, in the shop and at the service. Each WooCommerce refund that belongs to the service has
 * a mark: `asked` before the service is called, `sent` after its answer, `failed` if it was refused
 * or failed. The Idempotency-Key names the sum of the earlier refunds and the amount, so a retry
 * after a lost answer requests the same refund.
 */
final class Refunds
{
    private const MARK = '_recaudo_refund';
    private const AMOUNT = '_recaudo_amount';
    private const SERVICE_ID = '_recaudo_refund_id';

    public function __construct(
        private readonly Settings $settings,
        private readonly Locks $locks,
    ) {
    }

    /** Marks a refund before WooCommerce stores it; on woocommerce_create_refund. */
    public function mark(\WC_Order_Refund $refund, array $args): void
    {
        $order = wc_get_order($refund->get_parent_id());
        $isOurs = $order instanceof \WC_Order && $order->get_payment_method() === 'recaudo';
        if ($isOurs && !empty($args['refund_payment'])) {
            $refund->update_meta_data(self::MARK, 'asked');
            $refund->update_meta_data(self::AMOUNT, centavos($refund->get_amount()));
        }
    }

    /** Requests a refund for the shop's admin. Throws an error whose message is for the admin. */
    public function ask(int $orderId, float|string $amount, string $reason): void
    {
        $this->locks->order($orderId, function () use ($orderId, $amount, $reason) {
            $shop = Order::fresh($orderId);
            $requestId = $shop?->paidBy();
            if ($shop === null || $requestId === null) {
                throw new \RuntimeException(Texts::notPaidHere());
            }
            $this->send($shop, $requestId, centavos($amount), $reason);
        });
    }

    private function send(Order $shop, int $requestId, int $amount, string $reason): void
    {
        $fields = ['amount' => self::pesos($amount)];
        if (preg_match('/(?<!\d)\d{22}(?!\d)/', $reason, $found)) {
            $fields['cbu'] = $found[0];
        }
        $before = $this->marked($shop, ['sent', 'failed']);
        $key = $this->settings->reference($shop->order->get_id()) . " refund $before+$amount";
        try {
            $made = $this->settings->client(20.0)->paymentRequests->refund(
                $requestId,
                $fields,
                idempotencyKey: $key,
            );
        } catch (RefusedError $error) {
            $needsAccount = in_array('refund.cbu_missing', array_column($error->fields, 'code'), true)
                || $error->errorCode === 'refund.cbu_missing';
            throw $needsAccount ? new \RuntimeException(Texts::cbuMissing()) : $error;
        }
        foreach (self::ofService($shop) as $refund) {
            $isIt = (int) $refund->get_meta(self::AMOUNT) === $amount;
            if ($isIt && $refund->get_meta(self::MARK) === 'asked') {
                $refund->update_meta_data(self::MARK, 'sent');
                $refund->update_meta_data(self::SERVICE_ID, $made['id']);
                $refund->save();
                break;
            }
        }
        $sum = self::pesos($amount);
        $shop->order->add_order_note(Texts::refundSent($sum, $made['id'], $made['state']));
    }

    /**
     * Sends refunds that a dead process left marked as asked, and marks those that the service
     * refuses as failed. Returns true if the order changed.
     */
    public function settle(Order $shop, int $requestId): bool
    {
        $isChanged = false;
        foreach (self::ofService($shop) as $refund) {
            $age = time() - (int) $refund->get_date_created()?->getTimestamp();
            if ($refund->get_meta(self::MARK) === 'asked' && $age > 60) {
                $amount = (int) $refund->get_meta(self::AMOUNT);
                try {
                    $this->send($shop, $requestId, $amount, (string) $refund->get_reason());
                } catch (\RuntimeException $error) {
                    if ($error instanceof RecaudoError && !self::isFinal($error)) {
                        throw $error;
                    }
                    $this->fail($shop, $refund, "asked-{$refund->get_id()}");
                }
                $isChanged = true;
            }
        }
        return $isChanged;
    }

    private static function isFinal(RecaudoError $error): bool
    {
        return $error instanceof RefusedError
            && $error->status < 500
            && !in_array($error->status, [401, 403, 408, 409, 429], true);
    }

    private function fail(Order $shop, \WC_Order_Refund $refund, string $name): void
    {
        $refund->update_meta_data(self::MARK, 'failed');
        $refund->save();
        $shop->ask("refund_failed:$name", Texts::concern("refund_failed:$name"));
    }

    /** Returns the centavos of refunds in progress at the service. Failed ones go into review. */
    public function requested(Order $shop, array $request): int
    {
        if (self::ofService($shop) === [] && Decision::sum($request, ['refund_']) === 0) {
            return 0;
        }
        $sum = 0;
        $own = [];
        foreach (self::ofService($shop) as $refund) {
            $own[(int) $refund->get_meta(self::SERVICE_ID)] = $refund;
        }
        $all = $this->settings->client()->paymentRequests->listRefunds($request['id']);
        foreach ($all as $one) {
            $sum += $one['state'] === 'requested' ? centavos($one['amount']) : 0;
            $refund = $own[$one['id']] ?? null;
            if ($one['state'] === 'failed' && $refund?->get_meta(self::MARK) === 'sent') {
                $this->fail($shop, $refund, (string) $one['id']);
            }
        }
        return $sum;
    }

    /**
     * Sums the centavos of the order's refunds with these marks.
     *
     * @param list<string> $marks
     */
    public function marked(Order $shop, array $marks): int
    {
        $sum = 0;
        foreach (self::ofService($shop) as $refund) {
            $isMarked = in_array($refund->get_meta(self::MARK), $marks, true);
            $sum += $isMarked ? (int) $refund->get_meta(self::AMOUNT) : 0;
        }
        return $sum;
    }

    /**
     * Shows money that was refunded elsewhere as a refund of the order, or asks for a review if the
     * order has nothing left to refund. Returns false if that review is known.
     */
    public function record(Order $shop, array $request, int $amount): bool
    {
        $left = centavos($shop->order->get_remaining_refund_amount());
        if ($left <= 0) {
            $concern = "refunded_more:{$request['id']}";
            return $shop->ask($concern, Texts::concern($concern));
        }
        $isChargeback = $request['state'] === 'reverted';
        $mark = function (\WC_Order_Refund $refund, array $args) use ($shop, $amount) {
            if ($args['order_id'] === $shop->order->get_id()) {
                $refund->update_meta_data(self::MARK, 'sent');
                $refund->update_meta_data(self::AMOUNT, $amount);
            }
        };
        add_action('woocommerce_create_refund', $mark, 20, 2);
        try {
            $made = wc_create_refund([
                'order_id' => $shop->order->get_id(),
                'amount' => self::pesos(min($amount, $left)),
                'reason' => $isChargeback ? Texts::chargeback() : Texts::refundedElsewhere(),
                'refund_payment' => false,
            ]);
        } finally {
            remove_action('woocommerce_create_refund', $mark, 20);
        }
        if (is_wp_error($made)) {
            throw new \RuntimeException($made->get_error_message());
        }
        // WooCommerce treats a full refund of an order with free items as partial, which leaves an
        // order that was never paid in its old status.
        $stored = Order::fresh($shop->order->get_id());
        if ($amount >= $left && $stored?->order->has_status(['pending', 'on-hold', 'failed', 'cancelled'])) {
            $stored->order->update_status('refunded');
        }
        if ($isChargeback) {
            $concern = "chargeback:{$request['id']}";
            $shop->ask($concern, Texts::concern($concern));
        }
        return true;
    }

    /** @return list<\WC_Order_Refund> */
    private static function ofService(Order $shop): array
    {
        $isMarked = fn (\WC_Order_Refund $one) => $one->get_meta(self::MARK) !== '';
        $all = array_values(array_filter($shop->order->get_refunds(), $isMarked));
        // WooCommerce lists the newest refund first.
        return array_reverse($all);
    }

    private static function pesos(int $centavos): string
    {
        return sprintf('%d.%02d', intdiv($centavos, 100), $centavos % 100);
    }
}
