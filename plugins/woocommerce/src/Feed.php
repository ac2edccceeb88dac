<?php

declare(strict_types=1);

namespace RecaudoWoo;

use Recaudo\RecaudoError;

/** Reads the service's events in a single process, so that no order depends on notices. */
final class Feed
{
    private const PAGE = 100;
    /** Consecutive failures after which the service, not an order, is taken to be the cause. */
    private const TROUBLE = 3;

    public function __construct(
        private readonly Settings $settings,
        private readonly Locks $locks,
        private readonly Reconciler $reconciler,
        private readonly Health $health,
    ) {
    }

    /** Stores the feed's position before the first request is created. */
    public function begin(): void
    {
        $account = $this->settings->account();
        if ($this->state($account) === null) {
            $cursor = $this->settings->client()->events->latest();
            add_option(self::option($account), ['cursor' => $cursor, 'unfinished' => []], '', false);
        }
    }

    /**
     * Reads from the cursor and applies each request of this shop.
     *
     * @param float $seconds time limit; the next run continues
     * @return bool false if the plugin is disabled, another process is reading, or a call failed
     */
    public function poll(float $seconds = 25.0): bool
    {
        if (!$this->settings->isEnabled()) {
            return false;
        }
        try {
            return $this->locks->with('feed', 0, fn () => $this->read(hrtime(true) / 1e9 + $seconds));
        } catch (Busy) {
            return false;
        } catch (RecaudoError $error) {
            $this->health->polled($this->health->read()['unfinished'] ?? 0, $error->getMessage());
            wc_get_logger()->warning($error->getMessage(), ['source' => 'recaudo']);
            return false;
        }
    }

    private function read(float $ends): bool
    {
        $this->begin();
        $account = $this->settings->account();
        $state = $this->state($account);
        $client = $this->settings->client();
        $hasTime = fn () => hrtime(true) / 1e9 < $ends;
        $state = $this->retry($state);
        $this->keep($account, $state);
        $events = $client->events->list(
            after: $state['cursor'],
            entity_name: 'payment_request',
            limit: self::PAGE,
        );
        $page = [];
        foreach ($events as $event) {
            $page[] = $event;
            if (count($page) < self::PAGE) {
                continue;
            }
            $state = $this->applyPage($page, $state);
            $this->keep($account, $state);
            $page = [];
            if (!$hasTime()) {
                break;
            }
        }
        if ($page !== []) {
            $state = $this->applyPage($page, $state);
            $this->keep($account, $state);
        }
        $this->health->explain($client);
        $this->health->polled(count($state['unfinished']), null);
        return true;
    }

    /**
     * Applies each request once, however many events it has, because its state is read after them.
     *
     * @param list<array<string, mixed>> $page
     */
    private function applyPage(array $page, array $state): array
    {
        $failures = 0;
        $last = [];
        foreach ($page as $event) {
            if ($this->settings->orderIdOf($event['payload']['external_reference'] ?? null) !== null) {
                $last[$event['entity_id']] = $event;
            }
        }
        foreach ($last as $requestId => $event) {
            $reference = $event['payload']['external_reference'];
            try {
                $isNews = $this->reconciler->apply($requestId, $reference) === 'changed';
                $failures = 0;
                // Only payments count as missed notices: the admin already knows of expiries and refunds.
                if ($isNews && $event['event_type'] === 'payment_request.paid') {
                    $this->health->missed($event['id']);
                }
            } catch (\Throwable $error) {
                $failures = $error instanceof RecaudoError ? $failures + 1 : 0;
                if ($failures >= self::TROUBLE) {
                    throw $error;
                }
                $state['unfinished'][$requestId] = $reference;
                self::log($requestId, $error);
            }
        }
        $state['cursor'] = end($page)['position'];
        return $state;
    }

    /** Retries orders that earlier runs could not change, and which must not stop the feed. */
    private function retry(array $state): array
    {
        foreach ($state['unfinished'] as $requestId => $reference) {
            try {
                $this->reconciler->apply($requestId, $reference);
                unset($state['unfinished'][$requestId]);
            } catch (\Throwable $error) {
                self::log($requestId, $error);
            }
        }
        return $state;
    }

    private static function log(int $requestId, \Throwable $error): void
    {
        $message = "Request $requestId could not be applied: {$error->getMessage()}";
        wc_get_logger()->warning($message, ['source' => 'recaudo']);
    }

    private static function option(string $account): string
    {
        return "recaudo_feed_$account";
    }

    private function state(string $account): ?array
    {
        wp_cache_delete(self::option($account), 'options');
        wp_cache_delete('notoptions', 'options');
        $state = get_option(self::option($account));
        return is_array($state) ? $state : null;
    }

    private function keep(string $account, array $state): void
    {
        update_option(self::option($account), $state, false);
    }
}
