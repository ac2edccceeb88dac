<?php

declare(strict_types=1);

/**
 * The part of WordPress that the plugin uses, written from its public documentation: options with
 * their cache, hooks, named locks. SHOP names the folder in which several processes share a shop.
 */

define('ABSPATH', __DIR__ . '/');
define('DB_NAME', 'shop');
define('SHOP', getenv('SHOP'));

/** Caches of one request. The worker empties them before each job, like a new request. */
final class Cache
{
    public static array $options = [];
    public static array $orders = [];

    public static function flush(): void
    {
        [self::$options, self::$orders] = [[], []];
    }
}

/** A JSON file that one process at a time changes, in place of a database row. */
function change_file(string $file, callable $change): mixed
{
    $handle = fopen($file, 'c+');
    flock($handle, LOCK_EX);
    $text = stream_get_contents($handle);
    $next = $change($text === '' ? null : json_decode($text, true));
    rewind($handle);
    ftruncate($handle, 0);
    fwrite($handle, json_encode($next));
    fclose($handle);
    return $next;
}

function read_file_of(string $file): mixed
{
    $handle = @fopen($file, 'r');
    if ($handle === false) {
        return null;
    }
    flock($handle, LOCK_SH);
    $text = stream_get_contents($handle);
    fclose($handle);
    return $text === '' ? null : json_decode($text, true);
}

function option_file(string $name): string
{
    return SHOP . '/options/' . rawurlencode($name);
}

function get_option(string $name, mixed $default = false): mixed
{
    if (!array_key_exists($name, Cache::$options)) {
        Cache::$options[$name] = read_file_of(option_file($name));
    }
    return Cache::$options[$name] ?? $default;
}

function update_option(string $name, mixed $value, mixed $autoload = null): bool
{
    change_file(option_file($name), fn () => $value);
    Cache::$options[$name] = $value;
    return true;
}

function add_option(string $name, mixed $value = '', string $deprecated = '', mixed $autoload = null): bool
{
    $kept = change_file(option_file($name), fn ($old) => $old ?? $value);
    return $kept === $value;
}

function wp_cache_delete(string $key, string $group = ''): bool
{
    if ($group === 'options') {
        unset(Cache::$options[$key]);
    }
    return true;
}

final class Database
{
    public string $prefix = 'wp_';
    private array $held = [];

    public function prepare(string $query, mixed ...$values): string
    {
        return vsprintf(str_replace('%s', "'%s'", $query), $values);
    }

    /** Simulates GET_LOCK and RELEASE_LOCK: a connection may take its own lock again. */
    public function get_var(string $query): ?string
    {
        preg_match("/^SELECT (GET|RELEASE)_LOCK\\('([^']+)'(?:, (\\d+))?\\)$/", $query, $found);
        [, $act, $name] = $found;
        [$handle, $times] = $this->held[$name] ?? [null, 0];
        if ($act === 'RELEASE') {
            if ($times === 1) {
                fclose($handle);
                unset($this->held[$name]);
            } else {
                $this->held[$name] = [$handle, $times - 1];
            }
            return '1';
        }
        $handle ??= fopen(SHOP . '/locks/' . rawurlencode($name), 'c');
        $flags = (int) $found[3] === 0 ? LOCK_EX | LOCK_NB : LOCK_EX;
        if ($times === 0 && !flock($handle, $flags)) {
            return '0';
        }
        $this->held[$name] = [$handle, $times + 1];
        return '1';
    }
}
$wpdb = new Database();

$hooks = [];
function add_action(string $name, callable $run, int $priority = 10, int $count = 1): void
{
    global $hooks;
    $hooks[$name][] = [$run, $priority, $count];
    usort($hooks[$name], fn ($a, $b) => $a[1] <=> $b[1]);
}

function add_filter(string $name, callable $run, int $priority = 10, int $count = 1): void
{
    add_action($name, $run, $priority, $count);
}

function remove_action(string $name, callable $run, int $priority = 10): void
{
    global $hooks;
    $hooks[$name] = array_values(array_filter($hooks[$name] ?? [], fn ($one) => $one[0] !== $run));
}

function do_action(string $name, mixed ...$values): void
{
    global $hooks;
    foreach ($hooks[$name] ?? [] as [$run, , $count]) {
        $run(...array_slice($values, 0, $count));
    }
}

function apply_filters(string $name, mixed $value, mixed ...$more): mixed
{
    global $hooks;
    foreach ($hooks[$name] ?? [] as [$run, , $count]) {
        $value = $run(...array_slice([$value, ...$more], 0, $count));
    }
    return $value;
}

final class WP_Error
{
    public function __construct(public string $code = '', public string $message = '')
    {
    }

    public function get_error_message(): string
    {
        return $this->message;
    }
}

function is_wp_error(mixed $value): bool
{
    return $value instanceof WP_Error;
}

function __(string $text, string $domain = ''): string
{
    return $text;
}

function register_deactivation_hook(string $file, callable $run): void
{
}

function wp_next_scheduled(string $hook): int
{
    return 1;
}

function load_plugin_textdomain(string ...$names): bool
{
    return true;
}

function get_bloginfo(string $name): string
{
    return 'Tienda Ñandú';
}

function home_url(string $path = ''): string
{
    return "https://shop.example$path";
}

function admin_url(string $path = ''): string
{
    return "https://shop.example/wp-admin/$path";
}

function wp_nonce_url(string $address, string $action): string
{
    return "$address&_wpnonce=1";
}

function add_query_arg(array $values, string $address): string
{
    return $address . (str_contains($address, '?') ? '&' : '?') . http_build_query($values);
}

function is_email(string $text): string|false
{
    return filter_var($text, FILTER_VALIDATE_EMAIL);
}

function current_user_can(string $right): bool
{
    return true;
}

function esc_html(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}

function esc_attr(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}

function esc_url(string $text): string
{
    return htmlspecialchars($text, ENT_QUOTES);
}
