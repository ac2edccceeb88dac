<?php

declare(strict_types=1);

namespace Recaudo;

/** Base class of all errors of this client. None of them contains the API key. */
class RecaudoError extends \RuntimeException
{
    /** @param array<string, mixed> $call method, path, attempts and, if there is one, idempotencyKey */
    public function __construct(string $message, public readonly array $call = [])
    {
        parent::__construct($message);
    }
}

/** An argument that can never work, such as a key with spaces or a wrong address. */
final class ConfigurationError extends RecaudoError
{
}

/** A field that the service refused. */
final class FieldError
{
    public function __construct(
        /** Such as `items.0.amount`. In a batch, relative to the item. */
        public readonly string $path,
        public readonly string $message,
        /** Stable code for programs; null if the service sends none. */
        public readonly ?string $code = null,
        /** Index of the batch item, from 0, and its id. */
        public readonly ?int $index = null,
        public readonly ?string $id = null,
    ) {
    }
}

/** The service refused the call. */
final class RefusedError extends RecaudoError
{
    /** Stable code for programs. */
    public readonly string $errorCode;
    /** The QR service's own code, such as H103. */
    public readonly ?string $qrCode;
    /** @var list<FieldError> the faulty fields */
    public readonly array $fields;
    /** Identifies the call in the service's logs. */
    public readonly ?string $requestId;
    /** Seconds to wait before repeating the call. */
    public readonly ?float $retryAfter;

    public function __construct(public readonly int $status, array $headers, array $body, array $call)
    {
        $this->errorCode = $body['error_code'];
        $this->qrCode = textOf($body['code'] ?? null);
        $this->fields = fieldErrorsOf($body);
        $this->requestId = $headers['request-id'] ?? null;
        $this->retryAfter = retryAfterOf($headers);
        $message = textOf($body['message'] ?? null) ?? 'No message';
        parent::__construct("$message ($status {$this->errorCode})", $call);
    }
}

/** The answer did not come from the service: a proxy's page, a truncated text, another type or shape. */
final class UnexpectedAnswerError extends RecaudoError
{
    /** Seconds to wait before repeating the call, if the answer has a Retry-After header. */
    public readonly ?float $retryAfter;

    public function __construct(
        string $problem,
        public readonly int $status,
        public readonly string $contentType,
        /** Start of the answer. */
        public readonly string $excerpt,
        array $headers,
        array $call,
    ) {
        $this->retryAfter = retryAfterOf($headers);
        $type = $contentType === '' ? 'no content type' : $contentType;
        parent::__construct("$problem: status $status, $type.", $call);
    }
}

/** No complete answer arrived: the service was unreachable, or the connection broke. */
final class ConnectionFailedError extends RecaudoError
{
    public function __construct(string $problem, public readonly bool $nothingSent, array $call)
    {
        parent::__construct($problem, $call);
    }
}

/** The deadline passed. A call that writes may have succeeded. */
final class DeadlineError extends RecaudoError
{
}

/** A delivery that the service did not send, or that was changed on the way. */
final class WebhookError extends RecaudoError
{
    public function __construct(public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}

/** @internal */
function textOf(mixed $value): ?string
{
    return is_string($value) ? $value : null;
}

/** @internal Returns the seconds of a Retry-After header: a number or a date; null if missing. */
function retryAfterOf(array $headers): ?float
{
    $text = $headers['retry-after'] ?? '';
    if (preg_match('/^[0-9]+$/D', $text)) {
        return (float) $text;
    }
    $moment = \DateTimeImmutable::createFromFormat(DATE_RFC7231, $text);
    return $moment ? max(0.0, (float) $moment->format('U.u') - microtime(true)) : null;
}

/** @internal @return list<FieldError> */
function fieldErrorsOf(array $body): array
{
    if (is_array($body['children'] ?? null)) {
        return iterator_to_array(treeErrorsOf($body['children'], []), false);
    }
    $found = [];
    foreach (is_array($body['errors'] ?? null) ? $body['errors'] : [] as $one) {
        if (is_array($one) && is_string($one['message'] ?? null)) {
            $index = is_int($one['index'] ?? null) ? $one['index'] : null;
            [$path, $code, $id] = array_map(
                fn ($name) => textOf($one[$name] ?? null),
                ['field', 'error_code', 'id'],
            );
            $found[] = new FieldError($path ?? '', $one['message'], $code, $index, $id);
        }
    }
    return $found;
}

/** @internal @return \Generator<FieldError> */
function treeErrorsOf(array $children, array $path): \Generator
{
    foreach (array_filter($children, 'is_array') as $name => $field) {
        $here = [...$path, (string) $name];
        $errors = is_array($field['errors'] ?? null) ? $field['errors'] : [];
        foreach (array_filter($errors, 'is_string') as $place => $message) {
            $code = textOf($field['codes'][$place] ?? null);
            yield new FieldError(implode('.', $here), $message, $code);
        }
        if ($errors === [] && is_array($field['children'] ?? null)) {
            yield from treeErrorsOf($field['children'], $here);
        }
    }
}
