<?php

declare(strict_types=1);

namespace RecaudoWoo;

use Recaudo\Recaudo;
use Recaudo\RefusedError;

/** Settings of the shop, and the client built from them. */
final class Settings
{
    public const OPTION = 'woocommerce_recaudo_settings';
    private const DEADLINE = 8.0;
    /** @var array<string, Recaudo> */
    private array $clients = [];

    public function get(string $name, string $default = ''): string
    {
        $all = get_option(self::OPTION, []);
        $value = is_array($all) ? ($all[$name] ?? $default) : $default;
        return is_scalar($value) ? trim((string) $value) : $default;
    }

    public function isEnabled(): bool
    {
        return $this->get('enabled') === 'yes' && $this->isComplete();
    }

    public function isComplete(): bool
    {
        return $this->key() !== '' && $this->url() !== '';
    }

    /** `sandbox` or `live`. An order of one environment cannot be paid in the other. */
    public function environment(): string
    {
        return $this->get('environment') === 'live' ? 'live' : 'sandbox';
    }

    public function url(): string
    {
        return $this->get($this->environment() . '_url');
    }

    public function days(): int
    {
        return max(1, min(60, (int) $this->get('days', '3')));
    }

    /** Prefers a constant in wp-config.php, which keeps the key out of the database. */
    public function keyOf(string $environment): string
    {
        $constant = 'RECAUDO_' . strtoupper($environment) . '_KEY';
        return defined($constant)
            ? trim((string) constant($constant))
            : $this->get($environment . '_key');
    }

    private function key(): string
    {
        return $this->keyOf($this->environment());
    }

    /** Reuses one client per key and address, because it keeps its connection open. */
    public function client(float $deadline = self::DEADLINE): Recaudo
    {
        $name = "{$this->fingerprint()} $deadline";
        return $this->clients[$name] ??= new Recaudo(
            $this->key(),
            $this->url(),
            deadline: $deadline,
            retries: 2,
        );
    }

    /** Returns today in the service's calendar, because a sandbox's clock may be ahead. */
    public function today(): \DateTimeImmutable
    {
        $now = 'now';
        if ($this->environment() === 'sandbox') {
            try {
                $now = $this->client()->sandbox->clock->get()['now'];
            } catch (RefusedError) {
                // A key without the permission `sandbox` cannot read the clock.
            }
        }
        $zone = new \DateTimeZone('America/Argentina/Buenos_Aires');
        return (new \DateTimeImmutable($now))->setTimezone($zone)->setTime(0, 0);
    }

    /** Identifies key and address without revealing them, because another key may be of another account. */
    private function fingerprint(): string
    {
        return substr(hash('sha256', $this->url() . '|' . $this->key()), 0, 24);
    }

    /** Returns the account of the key, queried once per key. */
    public function account(): string
    {
        $known = get_option('recaudo_account', []);
        $name = $this->fingerprint();
        if (is_array($known) && isset($known[$name])) {
            return $known[$name];
        }
        $account = (string) $this->client()->account()['id'];
        update_option('recaudo_account', [$name => $account], false);
        return $account;
    }

    /** Returns the prefix of this shop's references, because several shops may share an account. */
    public function prefix(): string
    {
        $prefix = get_option('recaudo_prefix');
        if (!is_string($prefix) || $prefix === '') {
            add_option('recaudo_prefix', 'wc-' . bin2hex(random_bytes(3)) . '-', '', false);
            wp_cache_delete('recaudo_prefix', 'options');
            $prefix = (string) get_option('recaudo_prefix');
        }
        return $prefix;
    }

    public function reference(int $orderId): string
    {
        return $this->prefix() . $orderId;
    }

    /** Returns the order of a reference; null if it belongs to another shop. */
    public function orderIdOf(mixed $reference): ?int
    {
        if (!is_string($reference) || !str_starts_with($reference, $this->prefix())) {
            return null;
        }
        $id = substr($reference, strlen($this->prefix()));
        return preg_match('/^[1-9][0-9]{0,17}$/D', $id) ? (int) $id : null;
    }

    public function secret(): ?string
    {
        $webhook = get_option('recaudo_webhook_' . $this->environment());
        return is_array($webhook) ? ($webhook['secret'] ?? null) : null;
    }

    public function webhookUrl(): string
    {
        return WC()->api_request_url('recaudo');
    }

    /** Registers the shop's address for notices, unless it is registered already. */
    public function registerWebhook(): void
    {
        $option = 'recaudo_webhook_' . $this->environment();
        $own = get_option($option);
        $webhooks = $this->client()->webhooks;
        $url = $this->webhookUrl();
        $found = array_column($webhooks->list(), null, 'url')[$url] ?? null;
        if ($found !== null && is_array($own) && ($own['id'] ?? null) === $found['id']) {
            return;
        }
        // Nobody has the secret if the answer to a registration was lost, so request a new one.
        $made = $found === null
            ? $webhooks->create(['url' => $url, 'event_types' => self::events()])
            : ['id' => $found['id']] + $webhooks->rotateSecret($found['id']);
        update_option($option, ['id' => $made['id'], 'secret' => $made['secret']], false);
    }

    /** @return list<string> */
    private static function events(): array
    {
        $types = ['paid', 'expired', 'reverted', 'refunded', 'refund_requested', 'refund_failed'];
        return array_map(fn (string $type) => "payment_request.$type", $types);
    }
}
