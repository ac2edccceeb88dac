<?php

declare(strict_types=1);

namespace RecaudoWoo;

/** Thrown if another process holds the lock. */
final class Busy extends \RuntimeException
{
}

/** Named MySQL locks, which belong to the connection, so a process that dies releases its own. */
final class Locks
{
    /**
     * Runs a function while no other process holds the lock.
     *
     * @param int $seconds time to wait before it throws Busy
     */
    public function with(string $name, int $seconds, callable $run): mixed
    {
        global $wpdb;
        // Shops on one server share the names; MySQL allows 64 characters.
        $lock = 'recaudo_' . substr(hash('sha256', DB_NAME . $wpdb->prefix . $name), 0, 40);
        $taken = $wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, %d)', $lock, $seconds));
        if ((string) $taken !== '1') {
            throw new Busy("Another process works on $name.");
        }
        try {
            return $run();
        } finally {
            $wpdb->get_var($wpdb->prepare('SELECT RELEASE_LOCK(%s)', $lock));
        }
    }

    public function order(int $orderId, callable $run): mixed
    {
        return $this->with("order $orderId", 10, $run);
    }
}
