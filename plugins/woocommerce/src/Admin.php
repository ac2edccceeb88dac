<?php

declare(strict_types=1);

namespace RecaudoWoo;

/** Pages and actions for the shop's staff: reports, orders in review and two order actions. */
final class Admin
{
    public function __construct(
        private readonly Reconciler $reconciler,
        private readonly Health $health,
    ) {
    }

    public function hook(): void
    {
        add_action('admin_notices', [$this, 'show']);
        add_filter('woocommerce_order_actions', [$this, 'actions'], 10, 2);
        add_action('woocommerce_order_action_recaudo_ask', [$this, 'ask']);
        add_action('woocommerce_order_action_recaudo_reviewed', [$this, 'reviewed']);
        add_action('woocommerce_thankyou_recaudo', [$this, 'thank']);
        add_action('admin_post_recaudo_orphans', [$this, 'forgetOrphans']);
    }

    public function show(): void
    {
        if (!current_user_can('manage_woocommerce')) {
            return;
        }
        foreach ($this->health->reports() as $sentence) {
            printf('<div class="notice notice-error"><p>Recaudo: %s</p></div>', esc_html($sentence));
        }
        if (($this->health->read()['orphans'] ?? []) !== []) {
            $address = wp_nonce_url(admin_url('admin-post.php?action=recaudo_orphans'), 'recaudo_orphans');
            $label = __('These are refunded: hide them', 'recaudo');
            printf('<div class="notice"><p><a href="%s">%s</a></p></div>', esc_url($address), esc_html($label));
        }
        $links = [];
        foreach (Order::idsInReview() as $id) {
            $order = wc_get_order($id);
            $links[] = sprintf('<a href="%s">%d</a>', esc_url($order->get_edit_order_url()), $id);
        }
        if ($links !== []) {
            printf(
                '<div class="notice notice-warning"><p>%s %s</p></div>',
                esc_html(__('Recaudo: payments that do not fit their orders, please review:', 'recaudo')),
                implode(', ', $links),
            );
        }
    }

    public function forgetOrphans(): void
    {
        check_admin_referer('recaudo_orphans');
        if (current_user_can('manage_woocommerce')) {
            $this->health->forgetOrphans();
        }
        wp_safe_redirect(wp_get_referer() ?: admin_url());
        exit;
    }

    /** @param array<string, string> $actions */
    public function actions(array $actions, ?\WC_Order $order = null): array
    {
        $shop = $order === null ? null : Order::fresh($order->get_id());
        if ($shop?->lastAttempt() !== null) {
            $actions['recaudo_ask'] = __('Recaudo: ask for the payment', 'recaudo');
        }
        if ($shop?->review() !== null) {
            $actions['recaudo_reviewed'] = __('Recaudo: reviewed', 'recaudo');
        }
        return $actions;
    }

    public function ask(\WC_Order $order): void
    {
        try {
            $this->reconciler->applyToOrder($order->get_id());
        } catch (\Throwable $error) {
            $order->add_order_note('Recaudo: ' . $error->getMessage());
        }
    }

    public function reviewed(\WC_Order $order): void
    {
        Order::fresh($order->get_id())?->endReview();
    }

    /** Links the confirmation page of an unpaid order to Recaudo's payment page. */
    public function thank(int $orderId): void
    {
        $shop = Order::fresh($orderId);
        $url = $shop?->lastAttempt()['url'] ?? null;
        if ($shop !== null && !$shop->isPaid() && is_string($url)) {
            printf('<p>%s <a href="%s">%s</a></p>', esc_html(Texts::waiting()), esc_url($url), esc_html($url));
        }
    }
}
