import type { TrustedProxies } from '../platform/http/callers.ts';
import { normalNetwork } from '../platform/http/networks.ts';
import { fault, flag, integer, ok, type Variable } from './variable.ts';

const trustedProxies: Variable<TrustedProxies> = {
  doc: 'Proxies in front whose X-Forwarded-For is believed: how many there are (`1`), or their addresses and networks separated by commas (`10.0.0.0/8,fd00::/8`); the caller is the rightmost address that none of them has. `false`: none',
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
  doc: 'Origins whose pages may call the APIs from a browser, separated by commas, such as `https://panel.example.com`; unset: none, but in the sandbox those of loopback addresses. A key in a page is known to all who open it',
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
    'The same of one card, known by its first and last digits; unset: 10 in production, no limit in the sandbox, where everybody shares the test cards',
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
      'Whether `/docs` and `/openapi.json` are served; unset: in the sandbox, and not in production',
      'true',
    ),
    fallback: null,
  } satisfies Variable<boolean, null>,
  SANDBOX_PRIVATE_WEBHOOKS: {
    ...flag(
      'Whether webhooks of a sandbox reach private addresses; unset: this machine alone, where `HOST` is a loopback address',
      'true',
    ),
    fallback: null,
  } satisfies Variable<boolean, null>,
  SANDBOX_SHARED_CLOCK: flag(
    'Whether API keys move the clock of a sandbox with more than one account; the operator always may',
    'false',
  ),
  RATE_LIMIT: integer(
    'Calls a second for each API key, in all processes of a machine; 0: no limit',
    '10000',
    0,
    1_000_000,
  ),
  RATE_BURST: integer(
    'Calls that an API key may make at once after a pause',
    '20000',
    1,
    1_000_000,
  ),
  CALLS_AT_ONCE: integer(
    'Calls of one account that are being answered at the same time, in each process; more get 429',
    '512',
    1,
    100_000,
  ),
  SLOW_CALLS_AT_ONCE: integer(
    'Of these, lists and reports: more wait for their turn, up to 10 seconds',
    '4',
    1,
    100,
  ),
  UNKNOWN_KEY_RATE: integer(
    'Unknown API keys a second that an address may try, ten times as many at once; more get 429 without a look into the database',
    '20',
    1,
    10_000,
  ),
  STRANGER_RATE: integer(
    'Calls without a key a second (payers’ pages, coupons, images, uploads) for each address, of IPv6 for each /64; ten times as many at once; 0: no limit',
    '50',
    0,
    100_000,
  ),
  LINK_RATE: integer(
    'The same for each link of a payer, whoever opens it; 0: no limit',
    '10',
    0,
    100_000,
  ),
  REFUSED_TRIES_FREE: integer(
    'Cards and accounts that may be refused on one request within 24 hours before the next try waits',
    '5',
    1,
    1000,
  ),
  REFUSED_TRIES_PAUSE_SECONDS: integer(
    'That first wait; each further refusal doubles it, up to a day',
    '60',
    1,
    86_400,
  ),
  REFUSED_TRIES_A_DAY: integer(
    'Cards and accounts that may be refused on one request within 24 hours',
    '20',
    1,
    1000,
  ),
  REFUSED_TRIES_A_REQUEST: integer(
    'Cards and accounts that may be refused on one request in all; after them other channels remain',
    '50',
    1,
    10_000,
  ),
  CARD_TRIES_ADDRESS: integer(
    'Card payments of one network that may be refused within an hour before the next waits; ten times as many may have no answer; 0: no limit',
    '30',
    0,
    1_000_000,
  ),
  CARD_TRIES_CARD: triesOfCard,
  CARD_TRIES_BIN: integer('The same of cards of one BIN on one account', '60', 0, 1_000_000),
  CARD_TRIES_ACCOUNT: integer('The same of one account', '300', 0, 1_000_000),
  LETTERS_A_DAY: integer(
    'Letters asking for a signature that an account’s callers may cause to one mailbox within 24 hours; more wait until there is room; 0: no limit. `accounts set` gives an account its own',
    '10',
    0,
    1_000_000_000,
  ),
  LETTERS_A_MINUTE: integer(
    'The same to all mailboxes, in a minute: more go one minute after the other',
    '120',
    0,
    1_000_000_000,
  ),
  UNSIGNED_MANDATES: integer(
    'Mandates of an account that may wait for their signature at a time; more are refused with 409; 0: no limit. `accounts set` gives an account its own',
    '20000',
    0,
    1_000_000_000,
  ),
  PAYOUT_APPROVAL_ABOVE: integer(
    'Pesos above which a payout is sent when a second operator approved it; 0: each of them',
    '10000000',
    0,
    1_000_000_000,
  ),
  PAYOUT_CHANGE_DAYS: integer(
    'Days in which an operator who changed the members or the CBU of an account decides on none of its payouts above PAYOUT_APPROVAL_ABOVE; a change by a command that named no operator counts against all. 0: no such rule',
    '7',
    0,
    365,
  ),
  CORRECTION_APPROVAL_ABOVE: integer(
    'The same of corrections of balances, whichever way',
    '100000',
    0,
    1_000_000_000,
  ),
  MAX_CONNECTIONS: integer('Connections of callers to this process', '10000', 10, 1_000_000),
  MAX_CONNECTIONS_PER_ADDRESS: integer(
    'Of these, from one address that is no proxy of ours',
    '1000',
    1,
    1_000_000,
  ),
  BODY_SECONDS: integer(
    'Seconds that the headers of a call may take to arrive, and then any body; a larger one gets a second more for each BODY_MIN_RATE_KB',
    '20',
    1,
    600,
  ),
  BODY_MIN_RATE_KB: integer('KiB a second that a large body must bring', '64', 1, 100_000),
  BODY_MEMORY_MB: integer(
    'MiB that bodies over 64 KiB may take in this process together, half of it those of one account; more wait, and get 503 after 10 seconds',
    '256',
    192,
    65_536,
  ),
  REPORT_MIN_RATE_KB: integer(
    'KiB a second that the reader of a long report must take, or it is cut off',
    '64',
    1,
    100_000,
  ),
  DOCUMENT_CACHE_MB: integer(
    'MiB of drawn coupons and images kept for the next call',
    '32',
    1,
    4096,
  ),
  MAIL_RETENTION_DAYS: integer(
    'How many days mails that went out are kept; the history of a request keeps what it tells of them',
    '90',
    7,
    3650,
  ),
  UPLOAD_RETENTION_HOURS: integer(
    'How many hours a file of a network or bank waits to be confirmed in the portal',
    '24',
    1,
    720,
  ),
} satisfies Record<string, Variable<unknown, string | null>>;
