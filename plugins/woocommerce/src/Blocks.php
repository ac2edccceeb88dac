<?php

declare(strict_types=1);

namespace RecaudoWoo;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** The payment method in the block checkout. */
final class Blocks extends AbstractPaymentMethodType
{
    protected $name = 'recaudo';

    public function __construct(private readonly string $file)
    {
    }

    public function initialize(): void
    {
        $this->settings = get_option(Settings::OPTION, []);
    }

    public function is_active(): bool
    {
        return Plugin::instance()->settings->isEnabled();
    }

    public function get_payment_method_script_handles(): array
    {
        wp_register_script(
            'recaudo-blocks',
            plugins_url('assets/blocks.js', $this->file),
            ['wc-blocks-registry', 'wc-settings', 'wp-element'],
            '1.0.0',
            true,
        );
        return ['recaudo-blocks'];
    }

    public function get_payment_method_data(): array
    {
        return [
            'title' => $this->get_setting('title') ?: Texts::method(),
            'description' => $this->get_setting('description'),
            'supports' => ['products'],
        ];
    }
}
