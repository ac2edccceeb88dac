<?php

declare(strict_types=1);

namespace Recaudo;

final class Qrs
{
    use Refunds;

    private const OF_QR = true;
    /** Static QRs: printed once, paid many times. */
    public readonly StaticQrs $static;
    /** Imports of up to 100000 QRs in one document, processed in the background. */
    public readonly QrImports $imports;

    public function __construct(private readonly Transport $transport)
    {
        $this->static = new StaticQrs($transport);
        $this->imports = new QrImports($transport);
    }

    /** Saves up to 10000 dynamic QRs atomically. */
    public function save(iterable $items, mixed ...$options): array
    {
        return $this->call('POST', '/save-qr-data', Repeat::Keyed, $options, batch($items));
    }

    public function get(string $id, mixed ...$options): array
    {
        return $this->call('GET', '/status/' . part($id), Repeat::Safe, $options);
    }

    /** Edits a Pending QR. Omitted fields keep their values. */
    public function edit(string $id, array $fields, mixed ...$options): array
    {
        $path = '/edit-qr/' . part($id);
        return $this->call('POST', $path, Repeat::Keyed, $options, (object) $fields);
    }

    public function editMany(iterable $items, mixed ...$options): array
    {
        return $this->call('POST', '/batch-edit-qr', Repeat::Keyed, $options, batch($items));
    }

    public function delete(string $id, mixed ...$options): array
    {
        return $this->call('DELETE', '/delete-qr/' . part($id), Repeat::Once, $options);
    }

    public function deleteMany(iterable $ids, mixed ...$options): array
    {
        return $this->call('DELETE', '/batch-delete-qr', Repeat::Once, $options, batch($ids));
    }

    /** Pays a QR as a wallet does; sandbox only. */
    public function pay(string $id, mixed ...$options): array
    {
        return $this->call('POST', '/pay-qr/' . part($id), Repeat::Keyed, $options);
    }

    private function refundPath(int|string $id): string
    {
        return '/refund-qr/' . part($id);
    }

    private function call(string $method, string $path, Repeat $repeat, array $options, mixed $body = null): array
    {
        return $this->transport->json(new Call($method, $path, $repeat, $body, ofQr: true), $options);
    }
}

final class StaticQrs
{
    public function __construct(private readonly Transport $transport)
    {
    }

    public function create(array $fields, mixed ...$options): array
    {
        $call = new Call('POST', '/create-qr', Repeat::Keyed, (object) $fields, ofQr: true);
        return $this->transport->json($call, $options);
    }

    /** Returns a static QR, or one of its transactions by its id. */
    public function get(string $id, mixed ...$options): array
    {
        $call = new Call('GET', '/status-static/' . part($id), ofQr: true);
        return $this->transport->json($call, $options);
    }

    /** Requests an amount on a closed-amount QR, identified by its `qr_string`. */
    public function newTransaction(string $qrString, array $fields, mixed ...$options): array
    {
        $query = ['data' => $qrString];
        $call = new Call('PUT', '/new-transaction', Repeat::Keyed, (object) $fields, $query, ofQr: true);
        return $this->transport->json($call, $options);
    }

    /** Pays a QR as a wallet does; sandbox only. */
    public function pay(string $id, array $fields = [], mixed ...$options): array
    {
        $path = '/pay-qr-static/' . part($id);
        $call = new Call('POST', $path, Repeat::Keyed, (object) $fields, ofQr: true);
        return $this->transport->json($call, $options);
    }
}

final class QrImports
{
    public function __construct(private readonly Transport $transport)
    {
    }

    /**
     * Uploads the items. The result's id identifies the import; `webhook_secret` verifies the
     * webhook that is sent to the option `webhookUrl`.
     */
    public function upload(iterable $items, mixed ...$options): array
    {
        $webhook = ['webhook_url' => $options['webhookUrl'] ?? null];
        unset($options['webhookUrl']);
        $upload = $this->transport->json(new Call('GET', '/bucket-url', ofQr: true), $options);
        if (!is_string($upload['url'] ?? null) || !preg_match('~^https?://~iD', $upload['url'])) {
            throw new RecaudoError('The answer of /bucket-url has no address.');
        }
        $this->transport->upload($upload['url'], batch($items) + array_filter($webhook), $options);
        return $upload;
    }

    /** Returns the state of an import with one page of its rows, counted from 1. */
    public function result(string $id, int $page = 1, mixed ...$options): array
    {
        $path = '/batch-result/' . part($id) . '/' . part($page);
        $call = new Call('GET', $path, ofQr: true, shape: Shape::Page);
        return $this->transport->json($call, $options);
    }

    /**
     * Yields all rows of an import that have been processed so far.
     *
     * @return \Generator<int, array>
     */
    public function rows(string $id, mixed ...$options): \Generator
    {
        $page = 0;
        do {
            $page += 1;
            $result = $this->result($id, $page, ...$options);
            foreach ($result['data'] as $one) {
                yield $one;
            }
        } while ($page < (int) ($result['pages'] ?? 0));
    }
}

/** @internal */
function batch(iterable $items): array
{
    $data = is_array($items) ? array_values($items) : iterator_to_array($items, false);
    return ['total_count' => count($data), 'data' => $data];
}
