<?php

declare(strict_types=1);

namespace Recaudo;

/** @internal Encodes a value as a path segment. */
function part(int|float|string $value): string
{
    return rawurlencode((string) $value);
}

/** @internal */
trait Refunds
{
    /** Refunds a payment in full or in part; the whole remainder by default. */
    public function refund(int|string $id, array $fields = [], mixed ...$options): array
    {
        $body = ['refund' => (object) $fields];
        $call = new Call('POST', $this->refundPath($id), Repeat::Keyed, $body, ofQr: self::OF_QR);
        return $this->transport->json($call, $options);
    }

    public function getRefund(int|string $id, int $refundId, mixed ...$options): array
    {
        $path = $this->refundPath($id) . '/' . part($refundId);
        return $this->transport->json(new Call('GET', $path, ofQr: self::OF_QR), $options);
    }

    /** @return list<array> */
    public function listRefunds(int|string $id, mixed ...$options): array
    {
        $path = $this->refundPath($id);
        $call = new Call('GET', $path, ofQr: self::OF_QR, shape: Shape::Page);
        return $this->transport->json($call, $options)['data'];
    }
}

/** @internal */
abstract class Noun
{
    protected const OF_QR = false;

    public function __construct(
        protected readonly Transport $transport,
        protected readonly string $path,
        private readonly string $wrapper,
    ) {
    }

    public function create(#[\SensitiveParameter] array $fields, mixed ...$options): array
    {
        $body = [$this->wrapper => (object) $fields];
        return $this->transport->json(new Call('POST', $this->path, Repeat::Keyed, $body), $options);
    }

    public function get(int $id, mixed ...$options): array
    {
        $query = ['detail_retentions' => $options['detail_retentions'] ?? null];
        unset($options['detail_retentions']);
        $call = new Call('GET', "{$this->path}/" . part($id), query: $query);
        return $this->transport->json($call, $options);
    }

    /**
     * Yields all items of a list, page by page. Leaving the loop early fetches no further page.
     *
     * @return \Generator<int, array>
     */
    public function list(mixed ...$filters): \Generator
    {
        $options = array_intersect_key($filters, ['deadline' => true]);
        $query = array_diff_key($filters, $options) + ['limit' => 100, 'after' => 0];
        do {
            $call = new Call('GET', $this->path, query: $query, shape: Shape::Page);
            $data = $this->transport->json($call, $options)['data'];
            $last = $data === [] ? null : end($data)['id'] ?? null;
            // A cache that ignores `after` would repeat the same page forever.
            if ($data !== [] && (!is_int($last) || $last === $query['after'])) {
                throw new RecaudoError("{$this->path} does not go on after {$query['after']}.");
            }
            foreach ($data as $one) {
                yield $one;
            }
            $query['after'] = $last;
        } while (count($data) >= $query['limit']);
    }

    protected function refundPath(int|string $id): string
    {
        return "{$this->path}/" . part($id) . '/refund';
    }
}

/** @internal */
abstract class Cancelable extends Noun
{
    /** Cancels an unpaid request or debit, or a mandate together with its pending debits. */
    public function cancel(int $id, mixed ...$options): array
    {
        $path = "{$this->path}/" . part($id) . '/cancel';
        return $this->transport->json(new Call('PUT', $path), $options);
    }
}

final class PaymentRequests extends Cancelable
{
    use Refunds;
}

final class Adhesions extends Cancelable
{
}

final class CardAdhesions extends Cancelable
{
    /** Returns the public key with which card numbers may be encrypted. */
    public function publicKey(mixed ...$options): array
    {
        return $this->transport->json(new Call('GET', "{$this->path}/public-key"), $options);
    }
}

/** Debits on an account or on a card. */
final class Debits extends Cancelable
{
    use Refunds;
}

/** Daily reports: collection, chargeback, refund, settlement or retentions. */
final class Reports
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /** Returns the whole report. */
    public function get(string $kind, string $date, mixed ...$options): array
    {
        return $this->transport->json(self::call($kind, $date, Shape::Page), $options);
    }

    /** Writes the report as CSV to a file, which appears only once it is complete. */
    public function csv(string $kind, string $date, string $file, mixed ...$options): void
    {
        $unfinished = $file . '.' . bin2hex(random_bytes(4)) . '.part';
        $target = @fopen($unfinished, 'x+');
        if ($target === false) {
            throw new ConfigurationError("$unfinished cannot be written.");
        }
        try {
            $this->transport->save(self::call($kind, $date), 'text/csv', $target, $options);
            if (!fflush($target) || !@rename($unfinished, $file)) {
                throw new RecaudoError("$file cannot be written.");
            }
        } finally {
            fclose($target);
            @unlink($unfinished);
        }
    }

    /**
     * Yields the items of a report one by one, as texts by column name, in constant memory.
     *
     * @return \Generator<int, array<string, string>>
     */
    public function rows(string $kind, string $date, mixed ...$options): \Generator
    {
        $file = tmpfile();
        if ($file === false) {
            throw new RecaudoError('No temporary file could be made.');
        }
        try {
            $this->transport->save(self::call($kind, $date), 'text/csv', $file, $options);
            rewind($file);
            $headings = fgetcsv($file, escape: '') ?: [];
            while (($cells = fgetcsv($file, escape: '')) !== false) {
                if (count($cells) !== count($headings)) {
                    throw new RecaudoError('A row of the report has another number of cells.');
                }
                yield array_combine($headings, $cells);
            }
        } finally {
            fclose($file);
        }
    }

    private static function call(string $kind, string $date, Shape $shape = Shape::Object): Call
    {
        return new Call('GET', '/report/' . part($kind) . '/' . part($date), shape: $shape);
    }
}

final class Webhooks
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /** Registers an address. Store the returned secret: it is shown only once. */
    public function create(array $fields, mixed ...$options): array
    {
        $call = new Call('POST', '/webhook', Repeat::Keyed, ['webhook' => (object) $fields]);
        return $this->transport->json($call, $options);
    }

    /** @return list<array> */
    public function list(mixed ...$options): array
    {
        $call = new Call('GET', '/webhook', shape: Shape::Page);
        return $this->transport->json($call, $options)['data'];
    }

    /** Changes its address or event types; the secret stays. */
    public function update(int $id, array $fields, mixed ...$options): array
    {
        $body = ['webhook' => (object) $fields];
        return $this->transport->json(new Call('PUT', '/webhook/' . part($id), Repeat::Safe, $body), $options);
    }

    public function delete(int $id, mixed ...$options): array
    {
        return $this->transport->json(new Call('DELETE', '/webhook/' . part($id), Repeat::Once), $options);
    }

    /** Issues a new secret; the old one also signs for a day, unless `revoke_now` is set. */
    public function rotateSecret(int $id, array $fields = [], mixed ...$options): array
    {
        $path = '/webhook/' . part($id) . '/rotate-secret';
        return $this->transport->json(new Call('POST', $path, Repeat::Once, (object) $fields), $options);
    }

    /** Verifies a delivery, like `verifyWebhook`, which needs no client. */
    public function verify(
        array $headers,
        mixed $rawBody,
        #[\SensitiveParameter] string|array $secret,
        int $tolerance = 300,
        ?float $now = null,
    ): array {
        return verifyWebhook($headers, $rawBody, $secret, $tolerance, $now);
    }
}

final class Events
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Yields the events of the feed up to now. Store the `position` of the last event you
     * processed, and pass it as `after` next time.
     *
     * @return \Generator<int, array>
     */
    public function list(mixed ...$filters): \Generator
    {
        $options = array_intersect_key($filters, ['deadline' => true]);
        $query = array_diff_key($filters, $options) + ['limit' => 100];
        while (true) {
            $call = new Call('GET', '/event', query: $query, shape: Shape::Page);
            $answer = $this->transport->json($call, $options);
            foreach ($answer['data'] as $one) {
                yield $one;
            }
            $next = $answer['next'] ?? null;
            if ($answer['data'] === [] || $next === null || $next === ($query['after'] ?? null)) {
                return;
            }
            $query['after'] = $next;
        }
    }

    /** Returns the current end of the feed. Pass it as `after` to skip all earlier events. */
    public function latest(mixed ...$options): int|string
    {
        $call = new Call('GET', '/event', query: ['after' => 'latest'], shape: Shape::Page);
        return $this->transport->json($call, $options)['next'];
    }

    /** @return list<array> */
    public function types(mixed ...$options): array
    {
        $call = new Call('GET', '/event-type', shape: Shape::Page);
        return $this->transport->json($call, $options)['data'];
    }

    /** @return list<array> the deliveries of an event, with all attempts */
    public function deliveries(int $id, mixed ...$options): array
    {
        $call = new Call('GET', '/event/' . part($id) . '/deliveries', shape: Shape::Page);
        return $this->transport->json($call, $options)['data'];
    }

    /** @return list<array> the deliveries of the resent event */
    public function resend(int $id, array $fields = [], mixed ...$options): array
    {
        $path = '/event/' . part($id) . '/resend';
        $call = new Call('POST', $path, Repeat::Keyed, (object) $fields, shape: Shape::Page);
        return $this->transport->json($call, $options)['data'];
    }
}

/** Simulates time and payers; sandbox only. */
final class Sandbox
{
    public readonly Clock $clock;

    public function __construct(private readonly Transport $transport)
    {
        $this->clock = new Clock($transport);
    }

    /** Pays a request as its payer would; by default the amount due, in cash. */
    public function pay(int $requestId, array $fields = [], mixed ...$options): array
    {
        return $this->act('pay', $requestId, $fields, $options);
    }

    public function chargeback(int $requestId, array $fields = [], mixed ...$options): array
    {
        return $this->act('chargeback', $requestId, $fields, $options);
    }

    public function refund(int $requestId, array $fields = [], mixed ...$options): array
    {
        return $this->act('refund', $requestId, $fields, $options);
    }

    private function act(string $act, int $id, array $fields, array $options): array
    {
        $path = "/sandbox/$act/" . part($id);
        return $this->transport->json(new Call('POST', $path, Repeat::Keyed, (object) $fields), $options);
    }
}

final class Clock
{
    public function __construct(private readonly Transport $transport)
    {
    }

    public function get(mixed ...$options): array
    {
        return $this->transport->json(new Call('GET', '/sandbox/clock'), $options);
    }

    /** Advances the clock of the whole deployment: days, hours, minutes or advance_to. */
    public function advance(array $fields, mixed ...$options): array
    {
        $call = new Call('POST', '/sandbox/clock', Repeat::Keyed, (object) $fields);
        return $this->transport->json($call, $options);
    }
}
