<?php

declare(strict_types=1);

namespace Recaudo;

/** The base of all errors of this client. None of them holds the API key. */
class RecaudoError extends \RuntimeException
{
    /** @param array<string, mixed> $call method, path, attempts and, where there is one, idempotencyKey */
    public function __construct(string $message, public readonly array $call = [])
    {
        parent::__construct($message);
    }
}

/** The client was given something that cannot work: a key with spaces, a wrong address. */
final class ConfigurationError extends RecaudoError
{
}

/** A field that the service refused. */
final class FieldError
{
    public function __construct(
        /** As in `items.0.amount`; of a batch, without the place of its item. */
        public readonly string $path,
        public readonly string $message,
        /** Stable, for programs; null where the service gives none. */
        public readonly ?string $code = null,
        /** Of a batch: the place of the item, from 0, and its id. */
        public readonly ?int $index = null,
        public readonly ?string $id = null,
    ) {
    }
}

/** The service refused the call. */
final class RefusedError extends RecaudoError
{
    /** Stable, for programs. */
    public readonly string $errorCode;
    /** Of the QR service: its own code, such as H103. */
    public readonly ?string $qrCode;
    /** @var list<FieldError> the fields that are wrong */
    public readonly array $fields;
    /** Names the call in the logs of the service. */
    public readonly ?string $requestId;
    /** Seconds after which the same call may go through. */
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

/** The answer is not the service's: a page of a proxy, a cut text, another type or shape. */
final class UnexpectedAnswerError extends RecaudoError
{
    /** Seconds after which to call again, if it says so. */
    public readonly ?float $retryAfter;

    public function __construct(
        string $problem,
        public readonly int $status,
        public readonly string $contentType,
        /** How the answer begins. */
        public readonly string $excerpt,
        array $headers,
        array $call,
    ) {
        $this->retryAfter = retryAfterOf($headers);
        $type = $contentType === '' ? 'no content type' : $contentType;
        parent::__construct("$problem: status $status, $type.", $call);
    }
}

/** No whole answer came: the service was not reached, or the connection ended. */
final class ConnectionFailedError extends RecaudoError
{
    public function __construct(string $problem, public readonly bool $nothingSent, array $call)
    {
        parent::__construct($problem, $call);
    }
}

/** The deadline passed. What a call that changes something did is unknown. */
final class DeadlineError extends RecaudoError
{
}

/** A delivery that the service did not send, or not in this form. */
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

/** @internal Seconds that a Retry-After asks for, as a number or as a moment; null: none. */
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
