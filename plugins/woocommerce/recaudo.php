<?php
/**
 * Plugin Name: Recaudo for WooCommerce
 * Description: Payments on the checkout of a Recaudo service: cards, transfers, cash and QR.
 * Version: 1.0.0
 * Requires at least: 6.5
 * Requires PHP: 8.2
 * Requires Plugins: woocommerce
 * WC requires at least: 8.2
 * License: Apache-2.0
 * Text Domain: recaudo
 * Domain Path: /languages
 */

declare(strict_types=1);

namespace RecaudoWoo;

defined('ABSPATH') || exit;

if (!class_exists('Recaudo\\Recaudo')) {
    // The package includes a copy of the client; a checkout of the repository has the original.
    $packed = __DIR__ . '/client/recaudo.php';
    require_once is_file($packed) ? $packed : dirname(__DIR__, 2) . '/clients/php/recaudo.php';
}
foreach (['Settings', 'Locks', 'Order', 'Texts', 'Health', 'Decision', 'Refunds', 'Reconciler',
    'Feed', 'Checkout', 'Notices', 'Admin', 'Plugin'] as $part) {
    require_once __DIR__ . "/src/$part.php";
}

Plugin::start(__FILE__);
