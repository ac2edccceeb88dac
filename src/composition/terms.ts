import { type GuessLimit, readLimitsOf } from '../accounts/index.ts';
import type { Config } from '../config/index.ts';
import type { CardVelocity, TryLimits } from '../money/charges/index.ts';
import type { Clock } from '../platform/clocks.ts';
import { networkOf } from '../platform/http/callers.ts';
import { createRateLimiter } from '../platform/http/rate-limit.ts';
import type { LetterLimits } from '../platform/mail/take.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { RateExchange } from '../platform/processes/rates.ts';
import type { S3Settings } from '../platform/s3.ts';
import { type Carriers, carriersOf } from '../rails/index.ts';
import type { ReportLimits } from '../reports/index.ts';
import type { Reach, WebhookTerms } from '../webhooks/index.ts';
import { debitIdentityOf } from './offer.ts';

/**
 * Returns what can carry debits. The sandbox debits every instrument, production those with a
 * configured file format.
 */
export const carriersFor = (config: Config): Carriers =>
  config.ENVIRONMENT === 'sandbox'
    ? { bankFault: () => null, cardFault: () => null }
    : carriersOf(debitIdentityOf(config));

/**
 * Returns the store for uploads of bulk imports. Returns null if the service itself receives them.
 */
export const storeOf = (config: Config): S3Settings | null =>
  config.S3_ENDPOINT && config.S3_BUCKET && config.S3_ACCESS_KEY_ID && config.S3_SECRET_ACCESS_KEY
    ? {
        endpoint: config.S3_ENDPOINT,
        bucket: config.S3_BUCKET,
        region: config.S3_REGION,
        accessKeyId: config.S3_ACCESS_KEY_ID,
        secretAccessKey: config.S3_SECRET_ACCESS_KEY,
      }
    : null;

/**
 * Returns the networks that webhooks may reach. A single-machine sandbox may reach receivers on the
 * same machine, while a shared one protects its network.
 */
function reachOf({ ENVIRONMENT, HOST, SANDBOX_PRIVATE_WEBHOOKS: allowed }: Config): Reach {
  if (ENVIRONMENT === 'production') return 'public';
  if (allowed !== null) return allowed ? 'any' : 'public';
  return ['127.0.0.1', '::1', 'localhost'].includes(HOST) ? 'loopback' : 'public';
}

export const webhookTermsOf = (config: Config): WebhookTerms => ({
  production: config.ENVIRONMENT === 'production',
  reach: reachOf(config),
  concurrency: config.WEBHOOK_CONCURRENCY,
  timeoutMs: config.WEBHOOK_TIMEOUT_MS,
  retentionDays: config.EVENT_RETENTION_DAYS,
});

/** Returns the limits on refused attempts per request, by card or DEBIN. */
export const tryLimitsOf = (config: Config): TryLimits => ({
  free: config.REFUSED_TRIES_FREE,
  pauseSeconds: config.REFUSED_TRIES_PAUSE_SECONDS,
  perDay: config.REFUSED_TRIES_A_DAY,
  perRequest: config.REFUSED_TRIES_A_REQUEST,
});

/** Returns the limits on unapproved card charges per hour, by address, card, BIN and account. */
export const cardVelocityOf = (config: Config): CardVelocity => ({
  address: config.CARD_TRIES_ADDRESS,
  card: config.CARD_TRIES_CARD ?? (config.ENVIRONMENT === 'production' ? 10 : 0),
  bin: config.CARD_TRIES_BIN,
  account: config.CARD_TRIES_ACCOUNT,
});

/**
 * Returns limits on emails that an account's callers may cause: the account's own, else the
 * defaults.
 */
export const letterLimitsOf =
  (sql: Queryable, config: Config) =>
  async (accountId: string): Promise<LetterLimits> => {
    const own = await readLimitsOf(sql, accountId);
    return {
      perMailbox: own.letters_a_day ?? config.LETTERS_A_DAY,
      perMinute: own.letters_a_minute ?? config.LETTERS_A_MINUTE,
    };
  };

/** Returns the maximum number of unsigned mandates of an account: its own, else the default. */
export const mostUnsignedOf =
  (sql: Queryable, config: Config) =>
  async (accountId: string): Promise<number> =>
    (await readLimitsOf(sql, accountId)).unsigned_mandates ?? config.UNSIGNED_MANDATES;

/** Returns the rate limit of unknown API keys by address, with a burst of ten seconds. */
export function guessLimit(
  { UNKNOWN_KEY_RATE: perSecond }: Config,
  wall: Clock,
  exchange: RateExchange,
): GuessLimit {
  const limit = createRateLimiter({ perSecond, burst: perSecond * 10 }, wall, {
    name: 'guesses',
    exchange,
  });
  return {
    begin(address) {
      const { allowed, resetSeconds } = limit(networkOf(address));
      return allowed ? null : resetSeconds;
    },
    wasRight: (address) => void limit(networkOf(address), -1),
  };
}

/**
 * Interval at which readers of reports are checked for speed. Slow ones occupy connections, so
 * reports get at most a quarter of them.
 */
const readerWatchedMs = 10_000;

export const reportLimitsOf = (config: Config): ReportLimits => ({
  atOnce: Math.floor(config.DATABASE_POOL / 4),
  pace: {
    everyMs: readerWatchedMs,
    bytes: (config.REPORT_MIN_RATE_KB * 1024 * readerWatchedMs) / 1000,
  },
});
