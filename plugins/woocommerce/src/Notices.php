<?php

declare(strict_types=1);

namespace RecaudoWoo;

use Recaudo\RecaudoError;
use Recaudo\WebhookError;

/** Addresses that the service and returning payers call. */
final class Notices
{
    private const LARGEST = 1024 * 1024;

    public function __construct(
        private readonly Settings $settings,
        private readonly Reconciler $reconciler,
        private readonly Health $health,
    ) {
    }

    public function webhook(): never
    {
        $body = (string) file_get_contents('php://input', false, null, 0, self::LARGEST + 1);
        nocache_headers();
        status_header($this->receive($_SERVER, $body));
        exit;
    }

    /** Returns the HTTP status. The service retries unless it is 2xx. */
    public function receive(array $headers, string $body): int
    {
        $secret = $this->settings->secret();
        if ($secret === null || strlen($body) > self::LARGEST) {
            return 400;
        }
        try {
            $event = \Recaudo\verifyWebhook($headers, $body, $secret);
        } catch (WebhookError $error) {
            $this->health->forged($error->reason);
            return 400;
        }
        $this->health->heard();
        $requestId = $event['entity_id'] ?? null;
        $reference = $event['payload']['external_reference'] ?? null;
        $isOurs = ($event['entity_name'] ?? null) === 'payment_request'
            && is_int($requestId)
            && $this->settings->orderIdOf($reference) !== null;
        if (!$isOurs) {
            return 204;
        }
        try {
            $this->reconciler->apply($requestId, $reference);
            return 204;
        } catch (\Throwable $error) {
            $message = "Notice of request $requestId: {$error->getMessage()}";
            wc_get_logger()->warning($message, ['source' => 'recaudo']);
            return 503;
        }
    }

    public function returned(): never
    {
        $orderId = absint($_GET['order'] ?? 0);
        $key = is_string($_GET['key'] ?? null) ? wp_unslash($_GET['key']) : '';
        nocache_headers();
        wp_safe_redirect($this->comeBack($orderId, $key));
        exit;
    }

    /** Applies the order's request when its payer returns. Returns the page to continue with. */
    public function comeBack(int $orderId, string $key): string
    {
        $order = wc_get_order($orderId);
        $isPayer = $order instanceof \WC_Order && hash_equals($order->get_order_key(), $key);
        if (!$isPayer) {
            return home_url('/');
        }
        try {
            $this->reconciler->applyToOrder($orderId);
        } catch (RecaudoError | Busy $error) {
            // The payer is not at fault; a notice or the feed will bring the change.
            wc_get_logger()->warning("Return to order $orderId: {$error->getMessage()}", ['source' => 'recaudo']);
        }
        $shop = Order::fresh($orderId);
        // The browser controls the address, so it decides only the text.
        $isRejected = ($_GET['state'] ?? null) === 'rejected';
        if ($shop !== null && !$shop->isPaid() && $isRejected && $shop->order->needs_payment()) {
            wc_add_notice(Texts::rejected(), 'error');
            return $shop->order->get_checkout_payment_url();
        }
        return $order->get_checkout_order_received_url();
    }
}
