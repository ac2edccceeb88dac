<?php

declare(strict_types=1);

namespace RecaudoWoo;

/** Builds the plugin's parts and registers them on WordPress hooks. */
final class Plugin
{
    private const POLL = 'recaudo_poll';
    private static ?self $instance = null;

    public readonly Settings $settings;
    public readonly Locks $locks;
    public readonly Health $health;
    public readonly Refunds $refunds;
    public readonly Reconciler $reconciler;
    public readonly Feed $feed;
    public readonly Checkout $checkout;
    public readonly Notices $notices;
    public readonly Admin $admin;

    public function __construct()
    {
        $this->settings = new Settings();
        $this->locks = new Locks();
        $this->health = new Health();
        $this->refunds = new Refunds($this->settings, $this->locks);
        $this->reconciler = new Reconciler(
            $this->settings,
            $this->locks,
            $this->refunds,
            $this->health,
        );
        $this->feed = new Feed($this->settings, $this->locks, $this->reconciler, $this->health);
        $this->checkout = new Checkout(
            $this->settings,
            $this->locks,
            $this->reconciler,
            $this->feed,
        );
        $this->notices = new Notices($this->settings, $this->reconciler, $this->health);
        $this->admin = new Admin($this->reconciler, $this->health);
    }

    public static function instance(): self
    {
        return self::$instance ??= new self();
    }

    public static function start(string $file): void
    {
        add_action('before_woocommerce_init', function () use ($file) {
            $features = 'Automattic\\WooCommerce\\Utilities\\FeaturesUtil';
            if (class_exists($features)) {
                $features::declare_compatibility('custom_order_tables', $file, true);
                $features::declare_compatibility('cart_checkout_blocks', $file, true);
            }
        });
        add_action('plugins_loaded', function () use ($file) {
            if (class_exists('WC_Payment_Gateway')) {
                require_once __DIR__ . '/Gateway.php';
                self::instance()->hook($file);
            }
        });
        register_deactivation_hook($file, fn () => wp_clear_scheduled_hook(self::POLL));
    }

    private function hook(string $file): void
    {
        $texts = fn () => load_plugin_textdomain(
            'recaudo',
            false,
            basename(dirname($file)) . '/languages',
        );
        add_action('init', $texts);
        add_filter('woocommerce_payment_gateways', fn (array $all) => [...$all, Gateway::class]);
        add_filter('cron_schedules', fn (array $all) => $all + [
            self::POLL => ['interval' => 300, 'display' => 'Recaudo'],
        ]);
        add_action('init', function () {
            if (!wp_next_scheduled(self::POLL)) {
                wp_schedule_event(time() + 60, self::POLL, self::POLL);
            }
        });
        add_action(self::POLL, fn () => $this->feed->poll());
        add_action('woocommerce_api_recaudo', fn () => $this->notices->webhook());
        add_action('woocommerce_api_recaudo_return', fn () => $this->notices->returned());
        add_action('woocommerce_create_refund', [$this->refunds, 'mark'], 10, 2);
        add_filter('woocommerce_cancel_unpaid_order', [$this->checkout, 'mayCancel'], 10, 2);
        add_action('woocommerce_blocks_payment_method_type_registration', function ($registry) use ($file) {
            require_once __DIR__ . '/Blocks.php';
            $registry->register(new Blocks($file));
        });
        $this->admin->hook();
    }
}
