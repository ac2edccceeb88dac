<?php
// A receiver of webhooks, with nothing but PHP 8.1 or later:
//
//   WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3000 receiver.php
//
// INBOX is the folder that received events are written to; unset: one in the system's own.

declare(strict_types=1);

const TOLERANCE_SECONDS = 5 * 60;
const LARGEST_BODY = 1024 * 1024;

/** Whether the service sent these bytes, and just now. */
function is_genuine(string $key, array $headers, string $body): bool
{
    ['id' => $id, 'timestamp' => $timestamp, 'signature' => $signatures] = $headers;
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return false;
    }
    // The bytes as they came, not JSON that was parsed and written again.
    $expected = hash_hmac('sha256', "$id.$timestamp.$body", $key, true);
    // While a secret is being rotated there are two signatures; one that fits is enough.
    foreach (explode(' ', $signatures) as $one) {
        [$version, $signature] = explode(',', $one, 2) + [1 => ''];
        $given = base64_decode($signature, true);
        if ($version === 'v1' && $given !== false && hash_equals($expected, $given)) {
            return true;
        }
    }
    return false;
}

/**
 * Keeps the event for the work that comes after the answer; false if it was kept before. In your
 * application: an insert into a table whose primary key is the webhook-id, on whose rows another
 * process works in the order of their arrival.
 */
function keep(string $inbox, string $id, string $body): bool
{
    $file = @fopen($inbox . '/' . hash('sha256', $id) . '.json', 'x');
    if ($file === false) {
        return false;
    }
    fwrite($file, $body);
    return fclose($file);
}

function receive(): int
{
    $secret = (string) getenv('WEBHOOK_SECRET');
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret), true);
    if ($key === false || $key === '') {
        error_log('WEBHOOK_SECRET must be the secret of the webhook, whsec_…');
        return 500;
    }
    $inbox = getenv('INBOX') ?: sys_get_temp_dir() . '/webhooks';
    if (!is_dir($inbox)) {
        @mkdir($inbox, 0700, true);
    }
    $body = (string) file_get_contents('php://input', false, null, 0, LARGEST_BODY + 1);
    if (strlen($body) > LARGEST_BODY) {
        return 413;
    }
    $headers = [
        'id' => $_SERVER['HTTP_WEBHOOK_ID'] ?? '',
        'timestamp' => $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '',
        'signature' => $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '',
    ];
    if (!is_genuine($key, $headers, $body)) {
        return 401;
    }
    $event = json_decode($body, true);
    if (!is_array($event)) {
        return 400;
    }
    if (keep($inbox, $headers['id'], $body)) {
        $payload = json_encode($event['payload']);
        file_put_contents('php://stdout', "{$event['event_type']} {$event['entity_id']} $payload\n");
    }
    return 204;
}

http_response_code(receive());
