import type { TrustedProxies } from '../platform/http/callers.ts';
import { normalNetwork } from '../platform/http/networks.ts';
import { fault, flag, integer, ok, type Variable } from './variable.ts';

const trustedProxies: Variable<TrustedProxies> = {
  doc: 'Reverse proxies whose X-Forwarded-For is trusted: their number (`1`), or their addresses and networks separated by commas (`10.0.0.0/8,fd00::/8`). The caller is the rightmost address that is not a proxy. `false`: no proxy is trusted',
  fallback: 'false',
  read(text) {
    if (text === 'false' || text === '0') return ok(false);
    if (/^[1-9]$|^10$/.test(text)) return ok(Number(text));
    const networks = text.split(',').map((one) => normalNetwork(one.trim()));
    return networks.every((one) => one !== null)
      ? ok(networks)
      : fault('must be false, a number of proxies from 1 to 10, or a list of networks');
  },
};

export const originList: Variable<string[], null> = {
  doc: 'Origins whose pages may call the APIs from a browser, separated by commas, such as `https://panel.example.com`. Everyone who opens such a page can read its API key. Unset: none in production, loopback origins in the sandbox',
  fallback: null,
  read(text) {
    const list = text.split(',').map((one) => one.trim());
    return list.every((one) => /^https?:/.test(one) && URL.parse(one)?.origin === one)
      ? ok([...new Set(list)])
      : fault('must be a list of origins such as https://panel.example.com, separated by commas');
  },
};

const triesOfCard: Variable<number, null> = {
  ...integer(
    'Like CARD_TRIES_ADDRESS, for each card, identified by its first and last digits. Unset: 10 in production, no limit in the sandbox, where everyone shares the test cards',
    '0',
    0,
    1_000_000,
  ),
  fallback: null,
};

export const limitVariables = {
  TRUST_PROXY: trustedProxies,
  DOCS: {
    ...flag(
      '`true` serves `/docs` and `/openapi.json`. Unset: `true` in the sandbox, `false` in production',
      'true',
    ),
    fallback: null,
  } satisfies Variable<boolean, null>,
  SANDBOX_PRIVATE_WEBHOOKS: {
    ...flag(
      '`true` lets webhooks of a sandbox call private addresses. Unset: only addresses of this machine, and only if `HOST` is a loopback address',
      'true',
    ),
    fallback: null,
  } satisfies Variable<boolean, null>,
  SANDBOX_SHARED_CLOCK: flag(
    '`true` lets API keys move the clock of a sandbox with several accounts. The operator always can',
    'false',
  ),
  RATE_LIMIT: integer(
    'Maximum calls per second of each API key, counted over all processes of a machine. 0: no limit',
    '10000',
    0,
    1_000_000,
  ),
  RATE_BURST: integer(
    'Maximum burst of calls of each API key after a pause',
    '20000',
    1,
    1_000_000,
  ),
  CALLS_AT_ONCE: integer(
    'Maximum concurrent calls of each account, in each process. Further calls get 429',
    '512',
    1,
    100_000,
  ),
  SLOW_CALLS_AT_ONCE: integer(
    'Maximum concurrent lists, reports and QR batches of each account, in each process. Further ones wait up to 10 seconds and then get 429',
    '4',
    1,
    100,
  ),
  UNKNOWN_KEY_RATE: integer(
    'Maximum unknown API keys per second from each IPv4 address or IPv6 /64, with bursts of ten times as many. Further calls get 429 without a database lookup',
    '20',
    1,
    10_000,
  ),
  STRANGER_RATE: integer(
    'Maximum calls per second without an API key (pages, coupons, images, uploads) from each IPv4 address or IPv6 /64, with bursts of ten times as many. 0: no limit',
    '50',
    0,
    100_000,
  ),
  LINK_RATE: integer(
    'Maximum calls per second to each payer link, from all addresses together, with bursts of ten times as many. 0: no limit',
    '10',
    0,
    100_000,
  ),
  REFUSED_TRIES_FREE: integer(
    'Refused payment attempts on one request within 24 hours before the next attempt must wait. Counts attempts by card and by DEBIN',
    '5',
    1,
    1000,
  ),
  REFUSED_TRIES_PAUSE_SECONDS: integer(
    'Length of the first wait after REFUSED_TRIES_FREE, in seconds. Each further refusal doubles it, up to a day',
    '60',
    1,
    86_400,
  ),
  REFUSED_TRIES_A_DAY: integer(
    'Maximum refused payment attempts on one request within 24 hours',
    '20',
    1,
    1000,
  ),
  REFUSED_TRIES_A_REQUEST: integer(
    'Maximum refused payment attempts on one request. After that, only channels without a card or DEBIN remain',
    '50',
    1,
    10_000,
  ),
  CARD_TRIES_ADDRESS: integer(
    'Refused card payments within an hour from each IPv4 address or IPv6 /64 before the next one must wait. For payments without an answer the limit is ten times higher. 0: no limit',
    '30',
    0,
    1_000_000,
  ),
  CARD_TRIES_CARD: triesOfCard,
  CARD_TRIES_BIN: integer(
    'Like CARD_TRIES_ADDRESS, for the cards of each BIN on each account',
    '60',
    0,
    1_000_000,
  ),
  CARD_TRIES_ACCOUNT: integer('Like CARD_TRIES_ADDRESS, for each account', '300', 0, 1_000_000),
  LETTERS_A_DAY: integer(
    'Maximum signing e-mails of an account to one mailbox within 24 hours. Further ones wait. 0: no limit. `accounts set --letters-a-day` overrides it for an account',
    '10',
    0,
    1_000_000_000,
  ),
  LETTERS_A_MINUTE: integer(
    'Maximum signing e-mails of an account per minute, to all mailboxes. Further ones wait. 0: no limit. `accounts set --letters-a-minute` overrides it for an account',
    '120',
    0,
    1_000_000_000,
  ),
  UNSIGNED_MANDATES: integer(
    'Maximum unsigned mandates of an account. Further mandates get 409. 0: no limit. `accounts set --unsigned-mandates` overrides it for an account',
    '20000',
    0,
    1_000_000_000,
  ),
  PAYOUT_APPROVAL_ABOVE: integer(
    'Pesos that one operator can pay out to an account per day. A payout above that needs a second operator. 0: every payout does',
    '10000000',
    0,
    1_000_000_000,
  ),
  PAYOUT_CHANGE_DAYS: integer(
    'Days for which an operator who changed the members or the CBU of an account cannot decide on its payouts above PAYOUT_APPROVAL_ABOVE. A change by a command without `--operator` blocks every operator. 0: never',
    '7',
    0,
    365,
  ),
  CORRECTION_APPROVAL_ABOVE: integer(
    'Pesos above which a correction of a balance, in either direction, needs a second operator. 0: every correction does',
    '100000',
    0,
    1_000_000_000,
  ),
  MAX_CONNECTIONS: integer(
    'Maximum open HTTP connections of each process. Further ones are closed',
    '10000',
    10,
    1_000_000,
  ),
  MAX_CONNECTIONS_PER_ADDRESS: integer(
    'Maximum open HTTP connections from one address, in each process. Trusted proxies are exempt',
    '1000',
    1,
    1_000_000,
  ),
  BODY_SECONDS: integer(
    'Maximum seconds for the headers of a call to arrive, and again for its body. A large body gets a second more for each BODY_MIN_RATE_KB received. After that the call gets 408',
    '20',
    1,
    600,
  ),
  BODY_MIN_RATE_KB: integer('Minimum rate of a large body, in KiB per second', '64', 1, 100_000),
  BODY_MEMORY_MB: integer(
    'Maximum memory for bodies above 64 KiB, in MiB, in each process. One account gets half of it at most. Further bodies wait up to 10 seconds and then get 503',
    '256',
    192,
    65_536,
  ),
  REPORT_MIN_RATE_KB: integer(
    'Minimum rate at which a client must read a long report, in KiB per second. Slower clients are disconnected',
    '64',
    1,
    100_000,
  ),
  DOCUMENT_CACHE_MB: integer(
    'Size of the cache of rendered coupons and images, in MiB, in each process',
    '32',
    1,
    4096,
  ),
  MAIL_RETENTION_DAYS: integer(
    'Days for which sent e-mails are kept. The history of a request still shows that they were sent',
    '90',
    7,
    3650,
  ),
  UPLOAD_RETENTION_HOURS: integer(
    'Hours for which a file uploaded to the portal waits for confirmation. After that it is deleted',
    '24',
    1,
    720,
  ),
} satisfies Record<string, Variable<unknown, string | null>>;
