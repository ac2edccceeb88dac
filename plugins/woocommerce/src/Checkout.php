<?php

declare(strict_types=1);

namespace RecaudoWoo;

use Recaudo\RefusedError;

/** Creates the payment request of an order once, and redirects the payer to its page. */
final class Checkout
{
    private const LARGEST = 9_999_999_999;
    /** The service keeps an Idempotency-Key for at least 24 hours. */
    private const KEY_SECONDS = 20 * 3600;

    public function __construct(
        private readonly Settings $settings,
        private readonly Locks $locks,
        private readonly Reconciler $reconciler,
        private readonly Feed $feed,
    ) {
    }

    /**
     * Returns the address to redirect the payer to; null if the order is missing, paid or in
     * review.
     */
    public function start(int $orderId): ?string
    {
        $this->feed->begin();
        return $this->locks->order($orderId, fn () => $this->startLocked($orderId));
    }

    private function startLocked(int $orderId): ?string
    {
        $shop = Order::fresh($orderId);
        if ($shop === null || $shop->isPaid()) {
            return null;
        }
        $attempt = $this->current($shop);
        if (isset($attempt['request_id'])) {
            $this->reconciler->applyLocked($orderId, $attempt['request_id']);
            $shop = Order::fresh($orderId);
            if ($shop->isPaid() || $shop->review() !== null) {
                return null;
            }
            // Payable until the end of its due day, unless the order was canceled.
            if (time() < $attempt['payable_until'] && !$shop->order->has_status('cancelled')) {
                return $attempt['url'];
            }
            if ($shop->order->has_status('cancelled')) {
                $shop->order->update_status('pending');
            }
            $attempt = null;
        }
        $attempt ??= $this->newAttempt($shop);
        $made = $this->create($shop, $attempt);
        $shop->keep(['request_id' => $made['id'], 'url' => $made['checkout_url']] + $attempt);
        return $made['checkout_url'];
    }

    /**
     * Returns the attempt to continue: in this environment, for the order's current amount. Null if
     * there is none.
     */
    private function current(Order $shop): ?array
    {
        $last = $shop->lastAttempt();
        if (
            $last === null
            || $last['environment'] !== $this->settings->environment()
            || $last['amount'] !== $shop->total()
        ) {
            return null;
        }
        $isKnown = isset($last['request_id']);
        if (!$isKnown && time() - $last['made_at'] > self::KEY_SECONDS) {
            return $this->lookUp($shop, $last);
        }
        return $last;
    }

    /** Finds the request of an attempt whose answer was lost long ago. Null if there is none. */
    private function lookUp(Order $shop, array $attempt): ?array
    {
        $reference = $this->settings->reference($shop->order->get_id());
        $all = $this->settings->client()->paymentRequests->list(external_reference: $reference);
        foreach ($all as $one) {
            if (($one['metadata']['shop_token'] ?? null) === $attempt['token']) {
                $found = ['request_id' => $one['id'], 'url' => $one['checkout_url']] + $attempt;
                $shop->keep($found);
                return $found;
            }
        }
        return null;
    }

    /** Stores the attempt before the service is called, so a retry sends the same fields and key. */
    private function newAttempt(Order $shop): array
    {
        $token = bin2hex(random_bytes(16));
        $due = $this->settings->today()->modify("+{$this->settings->days()} days");
        $attempt = [
            'token' => $token,
            'environment' => $this->settings->environment(),
            'amount' => $shop->total(),
            'made_at' => time(),
            'payable_until' => $due->modify('+1 day')->getTimestamp(),
            'fields' => $this->fields($shop, $token, $due->format('d-m-Y')),
        ];
        $shop->keep($attempt);
        return $attempt;
    }

    /** @return array<string, mixed> */
    private function fields(Order $shop, string $token, string $due): array
    {
        $order = $shop->order;
        $name = trim($order->get_billing_first_name() . ' ' . $order->get_billing_last_name());
        $email = (string) $order->get_billing_email();
        $number = (string) $order->get_order_number();
        $fields = [
            'description' => mb_substr(Texts::description($number, get_bloginfo('name')), 0, 500),
            'first_due_date' => $due,
            'first_total' => sprintf('%d.%02d', intdiv($shop->total(), 100), $shop->total() % 100),
            'payer_name' => mb_substr($name ?: $order->get_billing_company() ?: $email ?: $number, 0, 255),
            'external_reference' => $this->settings->reference($order->get_id()),
            'metadata' => ['shop_token' => $token, 'order' => $order->get_id()],
        ];
        if (is_email($email) && strlen($email) <= 255) {
            $fields['payer_email'] = $email;
        }
        $back = add_query_arg(
            ['order' => $order->get_id(), 'key' => $order->get_order_key()],
            WC()->api_request_url('recaudo_return'),
        );
        if (strlen($back) <= 255) {
            $fields += array_fill_keys(
                ['back_url_success', 'back_url_pending', 'back_url_rejected'],
                $back,
            );
        }
        return $fields;
    }

    private function create(Order $shop, array $attempt): array
    {
        if ($shop->order->get_currency() !== 'ARS' || $attempt['amount'] > self::LARGEST) {
            $shop->drop($attempt);
            throw new \RuntimeException(Texts::refused());
        }
        try {
            return $this->settings->client(20.0)->paymentRequests->create(
                $attempt['fields'],
                idempotencyKey: $attempt['token'],
            );
        } catch (RefusedError $error) {
            if (in_array($error->status, [400, 413, 422], true)) {
                // Nothing was created, and the same fields would be refused again.
                $shop->drop($attempt);
            }
            throw $error;
        }
    }

    /** Keeps WooCommerce from canceling orders whose coupon can still be paid. */
    public function mayCancel(bool $mayCancel, \WC_Order $order): bool
    {
        $last = Order::fresh($order->get_id())?->lastAttempt();
        $isOurs = $order->get_payment_method() === 'recaudo' && isset($last['request_id']);
        return $mayCancel && !($isOurs && time() < $last['payable_until'] + 3600);
    }
}
