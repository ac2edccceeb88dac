<?php

declare(strict_types=1);

namespace RecaudoWoo;

use Recaudo\RecaudoError;

/** The payment method of WooCommerce: settings, payment and refunds. */
final class Gateway extends \WC_Payment_Gateway
{
    public function __construct()
    {
        $this->id = 'recaudo';
        $this->method_title = 'Recaudo';
        $this->method_description = __('Leads the payer to the checkout of a Recaudo service: cards, transfers, cash and QR.', 'recaudo');
        $this->has_fields = false;
        $this->supports = ['products', 'refunds'];
        $this->init_form_fields();
        $this->init_settings();
        $this->title = $this->get_option('title') ?: Texts::method();
        $this->description = $this->get_option('description');
        $save = "woocommerce_update_options_payment_gateways_{$this->id}";
        add_action($save, [$this, 'process_admin_options']);
    }

    public function init_form_fields(): void
    {
        $text = fn (string $title, string $description = '', string $default = '') => [
            'type' => 'text',
            'title' => $title,
            'description' => $description,
            'default' => $default,
        ];
        $key = fn (string $title) => ['type' => 'recaudo_key', 'title' => $title];
        $this->form_fields = [
            'enabled' => [
                'type' => 'checkbox',
                'title' => __('Enabled', 'recaudo'),
                'label' => __('Offer Recaudo in the checkout', 'recaudo'),
                'default' => 'no',
            ],
            'title' => $text(__('Title', 'recaudo'), '', Texts::method()),
            'description' => $text(__('Description', 'recaudo')),
            'environment' => [
                'type' => 'select',
                'title' => __('Environment', 'recaudo'),
                'options' => ['sandbox' => __('Sandbox', 'recaudo'), 'live' => __('Live', 'recaudo')],
                'default' => 'sandbox',
            ],
            'sandbox_url' => $text(__('Address of the sandbox', 'recaudo')),
            'sandbox_key' => $key(__('API key of the sandbox', 'recaudo')),
            'live_url' => $text(__('Address of the service', 'recaudo')),
            'live_key' => $key(__('API key', 'recaudo')),
            'days' => $text(
                __('Days to pay', 'recaudo'),
                __('Until then the coupon can be paid in cash, and the order waits (1 to 60).', 'recaudo'),
                '3',
            ),
            'webhook' => [
                'type' => 'title',
                'title' => __('Address for notices', 'recaudo'),
                'description' => esc_html((new Settings())->webhookUrl()),
            ],
        ];
    }

    /** Renders an empty field, because the form never shows the stored key. */
    public function generate_recaudo_key_html(string $name, array $data): string
    {
        $environment = substr($name, 0, -strlen('_key'));
        $isKept = (new Settings())->keyOf($environment) !== '';
        $hint = $isKept ? __('Saved; leave empty to keep it', 'recaudo') : '';
        return sprintf(
            '<tr valign="top"><th scope="row" class="titledesc"><label for="%1$s">%2$s</label></th>'
            . '<td class="forminp"><input type="password" autocomplete="new-password" class="input-text regular-input"'
            . ' name="%1$s" id="%1$s" value="" placeholder="%3$s"></td></tr>',
            esc_attr($this->get_field_key($name)),
            esc_html($data['title']),
            esc_attr($hint),
        );
    }

    public function validate_recaudo_key_field(string $name, #[\SensitiveParameter] ?string $value): string
    {
        $typed = trim((string) $value);
        return $typed === '' ? (string) $this->get_option($name) : $typed;
    }

    /** Saves the settings, and tests them: key, address for notices, start of the feed. */
    public function process_admin_options(): bool
    {
        $isSaved = parent::process_admin_options();
        $plugin = Plugin::instance();
        if (!$plugin->settings->isComplete()) {
            return $isSaved;
        }
        try {
            $plugin->settings->account();
            $plugin->feed->begin();
            $plugin->settings->registerWebhook();
        } catch (RecaudoError $error) {
            \WC_Admin_Settings::add_error('Recaudo: ' . $error->getMessage());
        }
        return $isSaved;
    }

    public function is_available(): bool
    {
        return parent::is_available()
            && Plugin::instance()->settings->isEnabled()
            && get_woocommerce_currency() === 'ARS';
    }

    /** @return array<string, string> */
    public function process_payment($order_id): array
    {
        $order = wc_get_order($order_id);
        try {
            $url = Plugin::instance()->checkout->start((int) $order_id);
            $received = $order->get_checkout_order_received_url();
            return ['result' => 'success', 'redirect' => $url ?? $received];
        } catch (\RuntimeException $error) {
            $message = "Order $order_id could not be sent to the checkout: {$error->getMessage()}";
            wc_get_logger()->error($message, ['source' => 'recaudo']);
            $isRefused = $error instanceof \Recaudo\RefusedError && $error->status < 500;
            wc_add_notice($isRefused ? Texts::refused() : Texts::unavailable(), 'error');
            return ['result' => 'failure', 'redirect' => ''];
        }
    }

    public function process_refund($order_id, $amount = null, $reason = ''): bool|\WP_Error
    {
        try {
            Plugin::instance()->refunds->ask((int) $order_id, $amount ?? 0, (string) $reason);
            return true;
        } catch (\RuntimeException $error) {
            return new \WP_Error('recaudo', $error->getMessage());
        }
    }

    public function get_transaction_url($order): string
    {
        return '';
    }
}
