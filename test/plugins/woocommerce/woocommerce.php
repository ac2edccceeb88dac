<?php

declare(strict_types=1);

/** The part of WooCommerce that the plugin uses, written from its public documentation. */

function order_file(int $id): string
{
    return SHOP . "/orders/$id";
}

function clean_post_cache(int $id): void
{
    unset(Cache::$orders[$id]);
}

/** Orders and refunds: getters, setters, metadata. Saving writes only what was changed. */
abstract class WC_Abstract_Order
{
    protected array $changes = [];
    protected array $meta = [];

    public function __construct(protected array $data)
    {
    }

    protected function prop(string $name, mixed $default = ''): mixed
    {
        return $this->changes[$name] ?? $this->data[$name] ?? $default;
    }

    public function get_id(): int
    {
        return $this->data['id'] ?? 0;
    }

    public function get_type(): string
    {
        return $this->data['type'];
    }

    public function get_meta(string $key): mixed
    {
        return array_key_exists($key, $this->meta) ? $this->meta[$key] : ($this->data['meta'][$key] ?? '');
    }

    public function update_meta_data(string $key, mixed $value): void
    {
        $this->meta[$key] = $value;
    }

    public function delete_meta_data(string $key): void
    {
        $this->meta[$key] = '';
    }

    public function read_meta_data(bool $force = false): void
    {
        $this->meta = [];
        $this->data['meta'] = read_file_of(order_file($this->get_id()))['meta'] ?? [];
    }

    public function save(): int
    {
        $old = $this->data['status'] ?? '';
        $this->data = change_file(order_file($this->get_id()), function (?array $row) {
            $row ??= $this->data;
            return array_merge($row, $this->changes, [
                'meta' => array_filter(array_merge($row['meta'] ?? [], $this->meta), fn ($one) => $one !== ''),
            ]);
        });
        [$this->changes, $this->meta] = [[], []];
        $status = $this->data['status'] ?? '';
        if ($status !== $old) {
            do_action("woocommerce_order_status_$status", $this->get_id(), $this);
        }
        return $this->get_id();
    }
}

final class WC_Order extends WC_Abstract_Order
{
    public function get_status(): string
    {
        return $this->prop('status');
    }

    public function has_status(string|array $status): bool
    {
        return in_array($this->get_status(), (array) $status, true);
    }

    public function set_status(string $status, string|bool $note = ''): void
    {
        $this->changes['status'] = $status;
        if (in_array($status, ['processing', 'completed'], true) && $this->get_date_paid() === null) {
            $this->set_date_paid(time());
        }
    }

    public function update_status(string $status, string $note = ''): bool
    {
        $this->set_status($status);
        if ($note !== '') {
            $this->add_order_note($note);
        }
        $this->save();
        return true;
    }

    public function get_date_paid(): ?DateTimeImmutable
    {
        $moment = $this->prop('date_paid', null);
        return $moment === null ? null : new DateTimeImmutable("@$moment");
    }

    public function set_date_paid(int $moment): void
    {
        $this->changes['date_paid'] = $moment;
    }

    public function payment_complete(string $transactionId = ''): bool
    {
        try {
            do_action('woocommerce_pre_payment_complete', $this->get_id(), $transactionId);
            if ($this->has_status(['on-hold', 'pending', 'failed', 'cancelled'])) {
                $this->set_transaction_id($transactionId);
                if ($this->get_date_paid() === null) {
                    $this->set_date_paid(time());
                }
                $this->set_status('processing');
                $this->add_order_note("Payment ($transactionId).");
                $this->save();
                do_action('woocommerce_payment_complete', $this->get_id(), $transactionId);
            }
        } catch (Exception $error) {
            $this->add_order_note('Payment complete event failed. ' . $error->getMessage());
            return false;
        }
        return true;
    }

    public function add_order_note(string $note): void
    {
        file_put_contents(SHOP . "/notes/{$this->get_id()}", "$note\n", FILE_APPEND | LOCK_EX);
    }

    /** @return list<WC_Order_Refund> newest first */
    public function get_refunds(): array
    {
        $row = read_file_of(order_file($this->get_id()));
        $rows = array_map(fn (int $id) => read_file_of(order_file($id)), $row['refunds'] ?? []);
        return array_map(fn ($one) => new WC_Order_Refund($one), array_reverse(array_filter($rows)));
    }

    public function get_remaining_refund_amount(): string
    {
        $amounts = array_map(fn ($one) => (float) $one->get_amount(), $this->get_refunds());
        return sprintf('%.2f', (float) $this->get_total() - array_sum($amounts));
    }

    public function needs_payment(): bool
    {
        return $this->has_status(['pending', 'failed']);
    }

    public function get_total(): string
    {
        return (string) $this->prop('total');
    }

    public function get_currency(): string
    {
        return $this->prop('currency');
    }

    public function get_transaction_id(): string
    {
        return $this->prop('transaction_id');
    }

    public function set_transaction_id(string $id): void
    {
        $this->changes['transaction_id'] = $id;
    }

    public function get_payment_method(): string
    {
        return $this->prop('payment_method');
    }

    public function set_payment_method(string $method): void
    {
        $this->changes['payment_method'] = $method;
    }

    public function set_payment_method_title(string $title): void
    {
        $this->changes['payment_method_title'] = $title;
    }

    public function get_order_key(): string
    {
        return $this->prop('order_key');
    }

    public function get_order_number(): string
    {
        return (string) $this->get_id();
    }

    public function get_billing_first_name(): string
    {
        return 'Ana';
    }

    public function get_billing_last_name(): string
    {
        return 'Pérez';
    }

    public function get_billing_company(): string
    {
        return '';
    }

    public function get_billing_email(): string
    {
        return 'ana@example.com';
    }

    public function get_checkout_order_received_url(): string
    {
        return "https://shop.example/received/{$this->get_id()}";
    }

    public function get_checkout_payment_url(): string
    {
        return "https://shop.example/pay/{$this->get_id()}";
    }

    public function get_edit_order_url(): string
    {
        return "https://shop.example/wp-admin/order/{$this->get_id()}";
    }
}

final class WC_Order_Refund extends WC_Abstract_Order
{
    public function get_amount(): string
    {
        return (string) $this->prop('amount');
    }

    public function get_reason(): string
    {
        return (string) $this->prop('reason');
    }

    public function get_parent_id(): int
    {
        return $this->prop('parent');
    }

    public function get_date_created(): ?DateTimeImmutable
    {
        return new DateTimeImmutable('@' . $this->prop('date_created', 0));
    }

    public function delete(bool $force = false): void
    {
        unlink(order_file($this->get_id()));
    }
}

function wc_get_order(int $id): WC_Order|WC_Order_Refund|false
{
    if (!isset(Cache::$orders[$id])) {
        $row = read_file_of(order_file($id));
        if ($row === null) {
            return false;
        }
        Cache::$orders[$id] = $row['type'] === 'shop_order' ? new WC_Order($row) : new WC_Order_Refund($row);
    }
    return Cache::$orders[$id];
}

/** @return list<int> */
function wc_get_orders(array $query): array
{
    $found = [];
    foreach (glob(SHOP . '/orders/*') as $file) {
        $row = read_file_of($file);
        if (isset($row['meta'][$query['meta_key']])) {
            $found[] = $row['id'];
        }
    }
    return array_slice($found, 0, $query['limit']);
}

function wc_create_refund(array $args): WC_Order_Refund|WP_Error
{
    $order = wc_get_order($args['order_id']);
    $left = (float) $order->get_remaining_refund_amount();
    if ($args['amount'] <= 0 || $args['amount'] > $left + 0.001) {
        return new WP_Error('error', 'Invalid refund amount.');
    }
    $id = (int) change_file(SHOP . '/next', fn ($next) => ($next ?? 1_000_000) + 1);
    $refund = new WC_Order_Refund([
        'id' => $id,
        'type' => 'shop_order_refund',
        'parent' => $order->get_id(),
        'amount' => (string) $args['amount'],
        'reason' => $args['reason'] ?? '',
        'date_created' => time(),
    ]);
    do_action('woocommerce_create_refund', $refund, $args);
    $refund->save();
    change_file(order_file($order->get_id()), function (array $row) use ($id) {
        $row['refunds'][] = $id;
        return $row;
    });
    if (!empty($args['refund_payment'])) {
        do_action('test_refund_stored', $refund);
        $result = (new RecaudoWoo\Gateway())->process_refund($order->get_id(), $args['amount'], $args['reason']);
        if ($result !== true) {
            $refund->delete();
            return $result;
        }
    }
    if ($left - (float) $args['amount'] < 0.001) {
        $order->update_status('refunded');
    }
    return $refund;
}

final class Logger
{
    public function __call(string $level, array $values): void
    {
        file_put_contents(SHOP . '/log', "$level $values[0]\n", FILE_APPEND | LOCK_EX);
    }
}

function wc_get_logger(): Logger
{
    return new Logger();
}

function get_woocommerce_currency(): string
{
    return 'ARS';
}

function wc_add_notice(string $text, string $kind): void
{
    global $notices;
    $notices[] = $text;
}

final class WC_Admin_Settings
{
    public static array $errors = [];

    public static function add_error(string $text): void
    {
        self::$errors[] = $text;
    }
}

abstract class WC_Payment_Gateway
{
    public $id;
    public $title;
    public $description;
    public $method_title;
    public $method_description;
    public $has_fields;
    public $supports;
    public array $form_fields = [];

    public function init_settings(): void
    {
    }

    public function get_option(string $name): mixed
    {
        return get_option("woocommerce_{$this->id}_settings")[$name] ?? '';
    }

    public function process_admin_options(): bool
    {
        return true;
    }

    public function is_available(): bool
    {
        return $this->get_option('enabled') === 'yes';
    }
}

function WC(): object
{
    return new class {
        public function api_request_url(string $name): string
        {
            return (getenv('SHOP_URL') ?: 'https://shop.example') . "/?wc-api=$name";
        }
    };
}
