<?php

declare(strict_types=1);

namespace Recaudo;

/** @internal When a call may be retried. */
enum Repeat
{
    /** Always, because it is idempotent. */
    case Safe;
    /** Always, with its Idempotency-Key. */
    case Keyed;
    /** Only if nothing was sent, or the service reports that it did nothing. */
    case Once;
}

/** @internal The expected shape of an answer. */
enum Shape
{
    case Object;
    case Page;
    case Items;
    case Text;
}

/** @internal A call, independent of its attempts. */
final class Call
{
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly Repeat $repeat = Repeat::Safe,
        public readonly mixed $body = null,
        public readonly array $query = [],
        public readonly bool $ofQr = false,
        public readonly Shape $shape = Shape::Object,
    ) {
    }
}

/** @internal A call in progress, over all its attempts. */
final class Trip
{
    public int $attempts = 0;

    public function __construct(
        public readonly Call $call,
        public readonly string $accept,
        public readonly ?string $idempotencyKey,
        public readonly ?string $body,
        /** In seconds of hrtime. */
        public readonly float $ends,
    ) {
    }

    public function left(): float
    {
        return $this->ends - hrtime(true) / 1e9;
    }

    /** Returns what errors show of the call. The address of an upload is a secret. */
    public function context(): array
    {
        $path = str_starts_with($this->call->path, '/') ? $this->call->path : '/upload';
        $shown = ['method' => $this->call->method, 'path' => $path, 'attempts' => $this->attempts];
        return $this->idempotencyKey === null
            ? $shown
            : $shown + ['idempotencyKey' => $this->idempotencyKey];
    }
}

/** @internal */
final class Answer
{
    /** @param array<string, string> $headers names in lower case */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $text,
    ) {
    }

    public function type(): string
    {
        return strtolower($this->headers['content-type'] ?? '');
    }
}

/**
 * @internal Sends calls: adds the key and the Idempotency-Key, enforces the deadline, retries.
 *
 * Everything that may contain the key or a card is a SensitiveParameter, because stack traces show arguments.
 */
final class Transport
{
    private const FIRST_PAUSE = 0.2;
    private const LONGEST_PAUSE = 8.0;
    private const LONGEST_TIMEOUT = 86_400.0;
    private const EXCERPT = 200;
    private const NOTHING_SENT = [
        CURLE_COULDNT_RESOLVE_PROXY,
        CURLE_COULDNT_RESOLVE_HOST,
        CURLE_COULDNT_CONNECT,
    ];

    private readonly \SensitiveParameterValue $key;
    private readonly string $payments;
    private readonly string $qr;
    private readonly \CurlHandle $handle;

    public function __construct(
        #[\SensitiveParameter] string|false|null $key,
        string $baseUrl,
        ?string $qrBaseUrl,
        private readonly float $deadline,
        private readonly int $retries,
        private readonly ?\Closure $onAttempt,
    ) {
        if (in_array($key, ['', false, null], true)) {
            throw new ConfigurationError('The API key is missing.');
        }
        if (!preg_match('/^[!-~]+$/D', $key)) {
            throw new ConfigurationError(
                'The API key has a space, a line break or another character that no key has. '
                . 'Copy it again.',
            );
        }
        $this->key = new \SensitiveParameterValue($key);
        $this->payments = self::checkedBase($baseUrl, 'baseUrl');
        $this->qr = self::checkedBase($qrBaseUrl ?? $baseUrl, 'qrBaseUrl');
        $this->handle = curl_init();
    }

    public function json(#[\SensitiveParameter] Call $call, array $options = []): mixed
    {
        $trip = $this->trip($call, 'application/json', $options);
        return $this->repeat($trip, null, function (#[\SensitiveParameter] Answer $answer) use ($trip) {
            if (!str_starts_with($answer->type(), 'application/json')) {
                throw $this->unexpected('The answer is not JSON', $answer, $trip);
            }
            $value = json_decode($answer->text, true, 512, JSON_BIGINT_AS_STRING);
            if (json_last_error() !== JSON_ERROR_NONE) {
                throw $this->unexpected('The answer is cut or malformed', $answer, $trip);
            }
            if (!self::hasShape($value, $answer->text, $trip->call->shape)) {
                throw $this->unexpected('The answer has another shape', $answer, $trip);
            }
            return $value;
        });
    }

    /**
     * Writes an answer to a stream as it arrives.
     *
     * @param resource $target seekable, because each attempt starts over
     */
    public function save(Call $call, string $accept, mixed $target, array $options): void
    {
        $trip = $this->trip($call, $accept, $options);
        $this->repeat($trip, $target, function (#[\SensitiveParameter] Answer $answer) use ($trip) {
            if (!str_starts_with($answer->type(), $trip->accept)) {
                throw $this->unexpected("The answer is not {$trip->accept}", $answer, $trip);
            }
        });
    }

    /** Uploads a body to an address that needs no key. */
    public function upload(#[\SensitiveParameter] string $url, mixed $body, array $options): void
    {
        $call = new Call('PUT', $url, Repeat::Once, $body);
        $this->repeat($this->trip($call, '*/*', $options), null, fn () => null);
    }

    private function trip(#[\SensitiveParameter] Call $call, string $accept, array $options): Trip
    {
        $deadline = (float) ($options['deadline'] ?? $this->deadline);
        $key = $options['idempotencyKey'] ?? null;
        unset($options['deadline'], $options['idempotencyKey']);
        if ($options !== []) {
            $names = implode(', ', array_keys($options));
            throw new ConfigurationError("There is no option $names.");
        }
        if (str_starts_with($call->path, '/')) {
            self::checkPath($call->path);
        }
        $key = $call->repeat === Repeat::Keyed ? self::checkedKey($key ?? self::newKey()) : null;
        $body = $call->body === null ? null : self::encoded($call->body);
        return new Trip($call, $accept, $key, $body, hrtime(true) / 1e9 + $deadline);
    }

    private function repeat(
        #[\SensitiveParameter] Trip $trip,
        mixed $target,
        #[\SensitiveParameter] \Closure $read,
    ): mixed {
        while (true) {
            $trip->attempts += 1;
            try {
                $answer = $this->attempt($trip, $target);
                if ($answer->status < 200 || $answer->status >= 300) {
                    throw $this->refusal($answer, $trip);
                }
                return $read($answer);
            } catch (RecaudoError $error) {
                $repeat = $trip->call->repeat;
                if ($trip->attempts > $this->retries || !self::mayPass($error, $repeat)) {
                    throw $error;
                }
                $whole = min(self::FIRST_PAUSE * 2 ** ($trip->attempts - 1), self::LONGEST_PAUSE);
                $asked = $error->retryAfter ?? 0.0;
                $pause = max($asked, $whole * mt_rand(500, 1000) / 1000);
                // This error says more than a timeout during the pause would.
                if ($pause >= $trip->left()) {
                    throw $error;
                }
                usleep((int) ($pause * 1e6));
            }
        }
    }

    private static function mayPass(RecaudoError $error, Repeat $repeat): bool
    {
        $isRepeatable = $repeat !== Repeat::Once;
        if ($error instanceof ConnectionFailedError) {
            return $isRepeatable || $error->nothingSent;
        }
        if ($error instanceof UnexpectedAnswerError) {
            $isJson = str_starts_with(strtolower($error->contentType), 'application/json');
            $isBroken = $error->status < 300 && $isJson;
            return $isRepeatable && ($isBroken || in_array($error->status, [429, 502, 503, 504], true));
        }
        if (!$error instanceof RefusedError) {
            return false;
        }
        $busy = ['idempotency_key_in_use', 'idempotency_key_expired'];
        return match ($error->status) {
            429 => $error->retryAfter !== null,
            409 => $repeat === Repeat::Keyed && in_array($error->errorCode, $busy, true),
            503 => $isRepeatable || $error->errorCode !== 'outcome_unknown',
            default => $error->status === 408,
        };
    }

    private function attempt(#[\SensitiveParameter] Trip $trip, mixed $target): Answer
    {
        $started = hrtime(true);
        $left = $trip->left();
        if ($left <= 0) {
            throw new DeadlineError('The deadline passed before the answer came.', $trip->context());
        }
        [$headers, $text] = [[], ''];
        $this->prepare($trip, $left);
        curl_setopt($this->handle, CURLOPT_HEADERFUNCTION, function ($_, string $line) use (&$headers) {
            // An interim answer may come first.
            if (str_starts_with($line, 'HTTP/')) {
                $headers = [];
            } elseif (str_contains($line, ':')) {
                [$name, $value] = explode(':', $line, 2);
                $headers[strtolower(trim($name))] = trim($value);
            }
            return strlen($line);
        });
        if ($target !== null) {
            rewind($target);
            ftruncate($target, 0);
        }
        $take = function ($handle, string $piece) use (&$headers, &$text, $target, $trip) {
            $status = curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
            $type = strtolower($headers['content-type'] ?? '');
            if ($target !== null && $status < 300 && str_starts_with($type, $trip->accept)) {
                return (int) @fwrite($target, $piece);
            }
            $text .= $piece;
            return strlen($piece);
        };
        curl_setopt($this->handle, CURLOPT_WRITEFUNCTION, $take);
        curl_exec($this->handle);
        $status = curl_getinfo($this->handle, CURLINFO_RESPONSE_CODE);
        $failure = curl_errno($this->handle);
        $this->tell($trip, $status, (hrtime(true) - $started) / 1e6, $headers);
        if ($failure !== CURLE_OK) {
            throw self::failure($failure, $trip);
        }
        return new Answer($status, $headers, $text);
    }

    private function prepare(#[\SensitiveParameter] Trip $trip, float $left): void
    {
        $call = $trip->call;
        $headers = ["Accept: {$trip->accept}", 'Expect:'];
        $url = $call->path;
        if (str_starts_with($url, '/')) {
            $headers[] = "Authorization: Bearer {$this->key->getValue()}";
            $url = ($call->ofQr ? $this->qr : $this->payments) . $url . self::queryText($call->query);
        }
        if ($trip->idempotencyKey !== null) {
            $key = mb_convert_encoding($trip->idempotencyKey, 'ISO-8859-1', 'UTF-8');
            $headers[] = "Idempotency-Key: $key";
        }
        curl_reset($this->handle);
        curl_setopt_array($this->handle, [
            CURLOPT_URL => $url,
            CURLOPT_CUSTOMREQUEST => $call->method,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
            CURLOPT_NOSIGNAL => true,
            CURLOPT_TIMEOUT_MS => max(1, (int) (min($left, self::LONGEST_TIMEOUT) * 1000)),
            // On a reused connection, curl itself repeats a call without an answer.
            CURLOPT_FRESH_CONNECT => $call->repeat === Repeat::Once,
        ]);
        if ($trip->body !== null) {
            $headers[] = 'Content-Type: application/json';
            curl_setopt($this->handle, CURLOPT_POSTFIELDS, $trip->body);
        } elseif ($call->method === 'POST') {
            $headers[] = 'Content-Length: 0';
        }
        curl_setopt($this->handle, CURLOPT_HTTPHEADER, $headers);
    }

    /** Ignores errors of the listener, which must not change the call's outcome. */
    private function tell(#[\SensitiveParameter] Trip $trip, int $status, float $ms, array $headers): void
    {
        if ($this->onAttempt === null) {
            return;
        }
        $attempt = $trip->context() + ['status' => $status ?: null, 'ms' => $ms];
        try {
            ($this->onAttempt)($attempt + ['requestId' => $headers['request-id'] ?? null]);
        } catch (\Throwable) {
        }
    }

    private static function failure(int $failure, #[\SensitiveParameter] Trip $trip): RecaudoError
    {
        if ($failure === CURLE_OPERATION_TIMEDOUT) {
            return new DeadlineError('The deadline passed before the answer came.', $trip->context());
        }
        if ($failure === CURLE_WRITE_ERROR) {
            return new RecaudoError('The file could not be written.', $trip->context());
        }
        $problem = 'No whole answer came (' . curl_strerror($failure) . ').';
        $nothingSent = in_array($failure, self::NOTHING_SENT, true);
        return new ConnectionFailedError($problem, $nothingSent, $trip->context());
    }

    private function refusal(
        #[\SensitiveParameter] Answer $answer,
        #[\SensitiveParameter] Trip $trip,
    ): RecaudoError {
        if ($answer->status < 400) {
            return $this->unexpected('The address leads to another one', $answer, $trip);
        }
        $isJson = str_starts_with($answer->type(), 'application/json');
        $body = $isJson ? json_decode($answer->text, true) : null;
        if (is_array($body) && is_string($body['error_code'] ?? null)) {
            return new RefusedError($answer->status, $answer->headers, $body, $trip->context());
        }
        return $this->unexpected('Something other than the service answered', $answer, $trip);
    }

    private function unexpected(
        string $problem,
        #[\SensitiveParameter] Answer $answer,
        #[\SensitiveParameter] Trip $trip,
    ): UnexpectedAnswerError {
        // A proxy may echo the request.
        $text = str_replace($this->key->getValue(), '…', $answer->text);
        return new UnexpectedAnswerError(
            $problem,
            $answer->status,
            $answer->headers['content-type'] ?? '',
            mb_substr(mb_scrub($text, 'UTF-8'), 0, self::EXCERPT, 'UTF-8'),
            array_intersect_key($answer->headers, ['retry-after' => true]),
            $trip->context(),
        );
    }

    private static function hasShape(
        #[\SensitiveParameter] mixed $value,
        #[\SensitiveParameter] string $text,
        Shape $shape,
    ): bool {
        // PHP decodes {} and [] to the same array.
        $isObject = is_array($value) && ltrim($text)[0] === '{';
        return match ($shape) {
            Shape::Object => $isObject,
            Shape::Text => is_string($value),
            Shape::Items => is_array($value) && !$isObject,
            Shape::Page => $isObject
                && is_array($value['data'] ?? null)
                && array_is_list($value['data'])
                && array_filter($value['data'], 'is_array') === $value['data'],
        };
    }

    private static function encoded(#[\SensitiveParameter] mixed $body): string
    {
        try {
            $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES;
            return json_encode($body, $flags);
        } catch (\JsonException $error) {
            $problem = $error->getMessage();
            throw new ConfigurationError("The fields cannot be sent as JSON: $problem.");
        }
    }

    private static function queryText(array $query): string
    {
        $sent = array_filter($query, fn ($value) => $value !== null);
        $words = array_map(fn ($value) => is_bool($value) ? ($value ? 'true' : 'false') : $value, $sent);
        return $words === [] ? '' : '?' . http_build_query($words, '', '&', PHP_QUERY_RFC3986);
    }

    private static function checkedBase(string $base, string $name): string
    {
        $parts = preg_match('~^https?://\S+$~iD', $base) ? parse_url($base) : false;
        $more = array_intersect_key($parts ?: [], array_flip(['user', 'pass', 'query', 'fragment']));
        $isPlain = $parts && ($parts['host'] ?? '') !== '' && ($parts['port'] ?? 80) !== 0;
        if (!$isPlain || $more !== []) {
            throw new ConfigurationError(
                "$name must be an http or https address without password, query and fragment.",
            );
        }
        return rtrim($base, '/');
    }

    private static function checkPath(string $path): void
    {
        foreach (array_slice(explode('/', $path), 1) as $part) {
            if (in_array($part, ['', '.', '..'], true)) {
                throw new ConfigurationError("An id in $path is empty or dots.");
            }
        }
    }

    private static function checkedKey(mixed $key): string
    {
        $text = is_int($key) ? (string) $key : $key;
        if (!is_string($text) || !preg_match('/^[ -~\x{a0}-\x{ff}]{1,255}$/Du', $text)) {
            throw new ConfigurationError('An idempotencyKey has 1 to 255 characters of Latin-1.');
        }
        return $text;
    }

    private static function newKey(): string
    {
        return bin2hex(random_bytes(16));
    }
}
