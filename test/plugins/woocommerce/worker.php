<?php

declare(strict_types=1);

/** A process of the shop. Reads jobs as lines of JSON, each handled like a separate request. */

require __DIR__ . '/wordpress.php';
require __DIR__ . '/woocommerce.php';
require dirname(__DIR__, 3) . '/plugins/woocommerce/recaudo.php';
do_action('plugins_loaded');

use RecaudoWoo\Plugin;

function job(array $job): mixed
{
    Cache::flush();
    $plugin = Plugin::instance();
    $GLOBALS['notices'] = [];
    $_GET = $job['query'] ?? [];
    return match ($job['do']) {
        'order' => order($job),
        'buy' => [order($job), pay($job)][1],
        'pay' => pay($job),
        'cancel' => wc_get_order($job['id'])->update_status('cancelled'),
        'state' => state(wc_get_order($job['id'])),
        'notice' => $plugin->notices->receive($job['headers'], $job['body']),
        'return' => $plugin->notices->comeBack($job['id'], $job['key'] ?? "wc_order_{$job['id']}"),
        'poll' => $plugin->feed->poll($job['seconds'] ?? 600.0),
        'apply' => $plugin->reconciler->applyToOrder($job['id']),
        'refund' => refund($job),
        'save' => [(new RecaudoWoo\Gateway())->process_admin_options(), WC_Admin_Settings::$errors],
        'reports' => $plugin->health->reports(),
        'settings' => update_option(RecaudoWoo\Settings::OPTION, $job['settings']),
        'set' => update_option(
            RecaudoWoo\Settings::OPTION,
            $job['settings'] + get_option(RecaudoWoo\Settings::OPTION),
        ),
        'secret' => $plugin->settings->secret(),
        'reference' => $plugin->settings->reference($job['id']),
        'notes' => (string) @file_get_contents(SHOP . "/notes/{$job['id']}"),
        'reviewed' => $plugin->admin->reviewed(wc_get_order($job['id'])),
        'break' => add_action('woocommerce_pre_payment_complete', fn () => throw new Exception('broken')),
        'mend' => $GLOBALS['hooks']['woocommerce_pre_payment_complete'] = [],
        // Kills the process between WooCommerce's refund and the call to the service.
        'die in refund' => [
            add_action('test_refund_stored', fn () => posix_kill(getmypid(), SIGKILL)),
            refund($job),
        ],
        'age refunds' => array_map(
            fn ($one) => change_file(order_file($one->get_id()), fn ($row) => ['date_created' => 0] + $row),
            wc_get_order($job['id'])->get_refunds(),
        ),
    };
}

function order(array $job): void
{
    change_file(order_file($job['id']), fn ($row) => array_merge($row ?? [
        'id' => $job['id'],
        'type' => 'shop_order',
        'status' => 'pending',
        'currency' => 'ARS',
        'payment_method' => 'recaudo',
        'order_key' => "wc_order_{$job['id']}",
    ], $job['fields']));
}

function pay(array $job): array
{
    $answer = (new RecaudoWoo\Gateway())->process_payment($job['id']);
    return $answer + ['notices' => $GLOBALS['notices']];
}

/** Returns the order in the tests' vocabulary. */
function state(WC_Order $order): array
{
    $refunds = array_map(fn ($one) => Recaudo\centavos($one->get_amount()), $order->get_refunds());
    return [
        'isPaid' => $order->has_status(['processing', 'completed', 'refunded']),
        'isCancelled' => $order->has_status('cancelled'),
        'isHeld' => $order->get_meta('_recaudo_review') !== '',
        'status' => $order->get_status(),
        'refunded' => array_sum($refunds),
    ];
}

function refund(array $job): mixed
{
    $made = wc_create_refund([
        'order_id' => $job['id'],
        'amount' => $job['amount'],
        'reason' => $job['reason'] ?? '',
        'refund_payment' => true,
    ]);
    return is_wp_error($made) ? $made->get_error_message() : $made->get_id();
}

while (($line = fgets(STDIN)) !== false) {
    try {
        $answer = ['value' => job(json_decode($line, true))];
    } catch (Throwable $error) {
        $answer = ['error' => get_class($error) . ': ' . $error->getMessage()];
    }
    echo json_encode($answer), "\n";
}
