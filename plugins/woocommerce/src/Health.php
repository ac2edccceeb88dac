<?php

declare(strict_types=1);

namespace RecaudoWoo;

use Recaudo\Recaudo;

/** Warnings for the shop owner about missing notices and an unread feed. */
final class Health
{
    private const OPTION = 'recaudo_health';
    /** Consecutive payments without a notice before a warning. A single one may be chance. */
    private const MISSED = 3;

    /** @return array<string, mixed> */
    public function read(): array
    {
        wp_cache_delete(self::OPTION, 'options');
        $kept = get_option(self::OPTION, []);
        return is_array($kept) ? $kept : [];
    }

    private function write(array $changes): void
    {
        update_option(self::OPTION, array_merge($this->read(), $changes), false);
    }

    /** Records that a correctly signed notice arrived. */
    public function heard(): void
    {
        $kept = $this->read();
        $isNews = ($kept['missed'] ?? 0) > 0 || ($kept['forged'] ?? 0) > 0;
        if ($isNews || time() - ($kept['heard_at'] ?? 0) > 60) {
            $this->write(['heard_at' => time(), 'missed' => 0, 'reason' => null, 'forged' => 0]);
        }
    }

    public function forged(string $reason): void
    {
        $count = ($this->read()['forged'] ?? 0) + 1;
        $this->write(['forged' => $count, 'forged_reason' => $reason]);
    }

    /** Records a change that arrived through the feed without a notice. */
    public function missed(int $eventId): void
    {
        $count = ($this->read()['missed'] ?? 0) + 1;
        $this->write(['missed' => $count, 'missed_event' => $eventId]);
    }

    public function polled(int $unfinished, ?string $error): void
    {
        $this->write([
            'polled_at' => $error === null ? time() : ($this->read()['polled_at'] ?? time()),
            'unfinished' => $unfinished,
            'error' => $error,
        ]);
    }

    /** Asks the service why notices fail, once per outage. */
    public function explain(Recaudo $client): void
    {
        $kept = $this->read();
        if (($kept['missed'] ?? 0) < self::MISSED || ($kept['reason'] ?? null) !== null) {
            return;
        }
        $reasons = [];
        foreach ($client->events->deliveries($kept['missed_event']) as $delivery) {
            $last = $delivery['attempts'] === [] ? [] : end($delivery['attempts']);
            $answer = $last['error'] ?? (isset($last['status']) ? "HTTP {$last['status']}" : null);
            $reasons[] = $answer ?? $delivery['state'];
        }
        $this->write(['reason' => $reasons === [] ? 'no webhook' : implode(', ', $reasons)]);
    }

    /** Records money for an order that the shop no longer has. */
    public function orphan(int $requestId, int $orderId): void
    {
        $kept = $this->read();
        $orphans = $kept['orphans'] ?? [];
        if (!isset($orphans[$requestId])) {
            $this->write(['orphans' => $orphans + [$requestId => $orderId]]);
            wc_get_logger()->error(
                "Request $requestId was paid for order $orderId, which does not exist.",
                ['source' => 'recaudo'],
            );
        }
    }

    public function forgetOrphans(): void
    {
        $this->write(['orphans' => []]);
    }

    /** @return list<string> sentences for the admin pages */
    public function reports(): array
    {
        $kept = $this->read();
        $found = [];
        if (($kept['missed'] ?? 0) >= self::MISSED) {
            $found[] = sprintf(
                /* translators: 1: number of payments, 2: reason */
                __('Notices do not reach this shop: the last %1$d payments were found by asking, minutes late. Let a firewall or security plugin pass the address of the settings page. Last answer: %2$s.', 'recaudo'),
                $kept['missed'],
                $kept['reason'] ?? '?',
            );
        }
        if (($kept['forged'] ?? 0) >= self::MISSED) {
            $found[] = sprintf(
                /* translators: 1: number of notices, 2: reason */
                __('%1$d notices with wrong signatures came (%2$s). If they are ours, save the settings again.', 'recaudo'),
                $kept['forged'],
                $kept['forged_reason'] ?? '?',
            );
        }
        if (isset($kept['polled_at']) && time() - $kept['polled_at'] > 3600) {
            $found[] = sprintf(
                /* translators: %s: error */
                __('Payments have not been checked for more than an hour: make sure that WP-Cron runs. %s', 'recaudo'),
                $kept['error'] ?? '',
            );
        }
        if (($kept['unfinished'] ?? 0) > 0) {
            $found[] = sprintf(
                /* translators: %d: number of payments */
                __('%d payments could not be applied to their orders yet; see the log «recaudo».', 'recaudo'),
                $kept['unfinished'],
            );
        }
        foreach ($kept['orphans'] ?? [] as $requestId => $orderId) {
            $found[] = sprintf(
                /* translators: 1: id of the request, 2: id of the order */
                __('Request %1$d was paid for order %2$d, which this shop has deleted: refund it.', 'recaudo'),
                $requestId,
                $orderId,
            );
        }
        return $found;
    }
}
