<?php

declare(strict_types=1);

/** Client for a Recaudo service. Requires PHP 8.2 or newer with the extensions curl and mbstring. */

namespace Recaudo;

require_once __DIR__ . '/errors.php';
require_once __DIR__ . '/transport.php';
require_once __DIR__ . '/webhooks.php';
require_once __DIR__ . '/nouns.php';
require_once __DIR__ . '/qr.php';

/** A client for one account. Every call accepts `deadline` (seconds) and `idempotencyKey` by name. */
final class Recaudo
{
    public readonly PaymentRequests $paymentRequests;
    public readonly Adhesions $adhesions;
    public readonly CardAdhesions $cardAdhesions;
    public readonly Debits $debitRequests;
    public readonly Debits $cardDebitRequests;
    public readonly Qrs $qr;
    public readonly Reports $reports;
    public readonly Webhooks $webhooks;
    public readonly Events $events;
    public readonly Sandbox $sandbox;
    private readonly Transport $transport;

    public function __construct(
        #[\SensitiveParameter] string|false|null $key,
        string $baseUrl,
        ?string $qrBaseUrl = null,
        float $deadline = 30.0,
        int $retries = 4,
        ?callable $onAttempt = null,
    ) {
        $listener = $onAttempt === null ? null : $onAttempt(...);
        $transport = new Transport($key, $baseUrl, $qrBaseUrl, $deadline, $retries, $listener);
        $this->transport = $transport;
        $this->paymentRequests = new PaymentRequests($transport, '/payment-request', 'payment_request');
        $this->adhesions = new Adhesions($transport, '/adhesion', 'adhesion');
        $this->cardAdhesions = new CardAdhesions($transport, '/card-adhesion', 'card_adhesion');
        $this->debitRequests = new Debits($transport, '/debit-request', 'debit_request');
        $this->cardDebitRequests = new Debits($transport, '/card-debit-request', 'card_debit_request');
        $this->qr = new Qrs($transport);
        $this->reports = new Reports($transport);
        $this->webhooks = new Webhooks($transport);
        $this->events = new Events($transport);
        $this->sandbox = new Sandbox($transport);
    }

    /** Returns the account that owns the key, with its balances. */
    public function account(mixed ...$options): array
    {
        return $this->transport->json(new Call('GET', '/account'), $options);
    }

    public function balances(mixed ...$options): array
    {
        return $this->transport->json(new Call('GET', '/account/balances'), $options);
    }

    /** Returns the card plans and installments for an amount. */
    public function installments(int|float|string $amount, mixed ...$options): array
    {
        $path = '/helper/channel-installments/' . part($amount);
        return $this->transport->json(new Call('GET', $path, shape: Shape::Items), $options);
    }

    /** Returns the nth business day after a date, in ISO 8601. */
    public function nextBusinessDay(string $date, int $days, mixed ...$options): string
    {
        $body = ['next_business_day' => ['date' => $date, 'days' => $days]];
        $path = '/validator/next-business-day';
        $call = new Call('POST', $path, Repeat::Safe, $body, shape: Shape::Text);
        return $this->transport->json($call, $options);
    }
}

/** Converts an amount to centavos, which can be added exactly, unlike floats. */
function centavos(int|float|string $amount): int
{
    return (int) round((float) $amount * 100);
}
