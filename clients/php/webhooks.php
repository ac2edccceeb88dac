<?php

declare(strict_types=1);

namespace Recaudo;

/**
 * Returns the event of a correctly signed delivery. Throws a WebhookError otherwise.
 *
 * @param array<string, mixed> $headers the delivery's headers, or $_SERVER
 * @param mixed $rawBody the unparsed body: file_get_contents('php://input')
 * @param string|list<string> $secret both secrets during a rotation
 * @param int $tolerance maximum difference between the timestamp and the clock, in seconds
 * @param ?float $now seconds since 1970; the system clock if null
 */
function verifyWebhook(
    array $headers,
    mixed $rawBody,
    #[\SensitiveParameter] string|array $secret,
    int $tolerance = 300,
    ?float $now = null,
): array {
    if (!is_string($rawBody)) {
        throw new WebhookError('body_not_raw', 'Pass the body as it came: a text, not an array.');
    }
    $id = webhookHeader($headers, 'webhook-id');
    $timestamp = webhookHeader($headers, 'webhook-timestamp');
    $signatures = explode(' ', webhookHeader($headers, 'webhook-signature'));
    checkWebhookTime($timestamp, $tolerance, $now ?? microtime(true));
    foreach ((array) $secret as $one) {
        $digest = hash_hmac('sha256', "$id.$timestamp.$rawBody", secretBytes($one), true);
        $wanted = 'v1,' . base64_encode($digest);
        foreach ($signatures as $signature) {
            if (hash_equals($wanted, $signature)) {
                return webhookEvent($rawBody);
            }
        }
    }
    throw new WebhookError('signature_wrong', 'No signature fits the body and the secret.');
}

/** @internal */
function webhookHeader(array $headers, string $name): string
{
    foreach ($headers as $key => $value) {
        $plain = preg_replace('/^http-/', '', strtr(strtolower((string) $key), '_', '-'));
        $text = is_array($value) ? reset($value) : $value;
        if ($plain === $name && is_string($text) && $text !== '') {
            return $text;
        }
    }
    throw new WebhookError('header_missing', "The header $name is missing.");
}

/** @internal */
function checkWebhookTime(string $timestamp, int $tolerance, float $now): void
{
    if (!preg_match('/^[0-9]{1,12}$/D', $timestamp)) {
        $message = 'webhook-timestamp is not a number of seconds.';
        throw new WebhookError('timestamp_malformed', $message);
    }
    $age = $now - (int) $timestamp;
    $seconds = (int) round(abs($age));
    if ($age > $tolerance) {
        throw new WebhookError('too_old', "The delivery is $seconds s old, or your clock is fast.");
    }
    if ($age < -$tolerance) {
        throw new WebhookError('too_new', "The delivery is $seconds s ahead: your clock is slow.");
    }
}

/** @internal */
function secretBytes(#[\SensitiveParameter] mixed $secret): string
{
    $base64 = is_string($secret) ? preg_replace('/^whsec_/', '', $secret) : '';
    $bytes = base64_decode($base64, true);
    if ($bytes === false || $bytes === '') {
        $message = 'A secret is whsec_ and base64, as it was shown.';
        throw new WebhookError('secret_malformed', $message);
    }
    return $bytes;
}

/** @internal */
function webhookEvent(string $rawBody): array
{
    $event = json_decode($rawBody, true, 512, JSON_BIGINT_AS_STRING);
    if (!is_array($event)) {
        throw new WebhookError('body_not_json', 'The body is signed, but is not a JSON object.');
    }
    return $event;
}
