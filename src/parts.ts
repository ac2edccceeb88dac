import path from 'node:path';
import { type Account, type GuessLimit, openAuthenticator, readAccount } from './accounts/index.ts';
import { type Calendar, loadCalendar } from './calendar/index.ts';
import { type Config, resolveTokensOf } from './config.ts';
import { barcodeTermsOf } from './config-rails.ts';
import { erasureSweep, openDebitRequests } from './debit-requests/index.ts';
import { debitTermsOf, openBase, openVaultOf, sealKeysOf, seenWithinMs } from './foundation.ts';
import type { Centavos } from './kernel/money.ts';
import { linksLiveUntil } from './link-life.ts';
import { openAdhesions, openNumber, signingLinks } from './mandates/index.ts';
import { cardKinds, readBins } from './money/channels/index.ts';
import { openAttempts } from './money/charges/index.ts';
import {
  batchedRecord,
  recordFacts,
  releaseSweep,
  requestFinder,
} from './money/collections/index.ts';
import { booksCloser, holdStill } from './money/ledger/index.ts';
import { readPlans } from './money/plans/index.ts';
import { reverse } from './money/reversals/index.ts';
import { suspend } from './money/suspense/index.ts';
import { connectionsOf, debitIdentityOf, offeredBy, qrTermsOf } from './offer.ts';
import { openPaymentRequests } from './payment-requests/index.ts';
import { cached } from './platform/cached.ts';
import type { Clock } from './platform/clocks.ts';
import { keepDrawn } from './platform/drawn.ts';
import { networkOf } from './platform/http/callers.ts';
import { openRateLimiter } from './platform/http/rate-limit.ts';
import { openLinks } from './platform/links.ts';
import type { Log } from './platform/log.ts';
import { openMailer } from './platform/mail/send.ts';
import { folderTransport, smtpTransport } from './platform/mail/transport.ts';
import type { Metrics } from './platform/metrics.ts';
import type { Sql } from './platform/postgres/connect.ts';
import { openKeyRing, retireSweep } from './platform/secrets/index.ts';
import { openSweeper } from './platform/sweeps.ts';
import { openBulk, openQr, type S3Settings } from './qr/index.ts';
import { type Carriers, carriersOf, receiveTransfers } from './rails/index.ts';
import { openReports } from './reports/index.ts';
import { expirySweep } from './requests/index.ts';
import { signInSandbox, simulatedDebits, simulatedReversals } from './sandbox/index.ts';
import type { Sealer } from './seals/index.ts';
import {
  openWebhooks,
  secretsLiveUntil,
  systemResolver,
  type WebhookTerms,
} from './webhooks/index.ts';

/** A report in a slow caller's hands keeps its connection; most of them stay for other calls. */
const readerWatchedMs = 10_000;
const connectionsForReports = (pool: number): number => Math.floor(pool / 4);

/** The sandbox debits everything; production what its files carry. */
const carriersFor = (config: Config): Carriers =>
  config.ENVIRONMENT === 'sandbox'
    ? { bankFault: () => null, cardFault: () => null }
    : carriersOf(debitIdentityOf(config));

/** Null where documents of bulk imports are uploaded to us. */
const storeOf = (config: Config): S3Settings | null =>
  config.S3_ENDPOINT && config.S3_BUCKET && config.S3_ACCESS_KEY_ID && config.S3_SECRET_ACCESS_KEY
    ? {
        endpoint: config.S3_ENDPOINT,
        bucket: config.S3_BUCKET,
        region: config.S3_REGION,
        accessKeyId: config.S3_ACCESS_KEY_ID,
        secretAccessKey: config.S3_SECRET_ACCESS_KEY,
      }
    : null;

const webhookTermsOf = (config: Config): WebhookTerms => ({
  production: config.ENVIRONMENT === 'production',
  concurrency: config.WEBHOOK_CONCURRENCY,
  timeoutMs: config.WEBHOOK_TIMEOUT_MS,
  retentionDays: config.EVENT_RETENTION_DAYS,
});

/** Unknown API keys by address, ten seconds' worth of them at once. */
function guessLimit({ UNKNOWN_KEY_RATE: perSecond }: Config, wall: Clock): GuessLimit {
  const limit = openRateLimiter({ perSecond, burst: perSecond * 10 }, wall);
  return {
    begin: (address) => limit(networkOf(address)).allowed,
    wasRight: (address) => void limit(networkOf(address), -1),
  };
}

export { auditWriter, openBase, openVaultOf } from './foundation.ts';
export { offeredBy } from './offer.ts';

/** Builds the parts of the service and hands them to each other; starts nothing. */
export async function openParts(
  config: Config,
  { sql, log, metrics, origin }: { sql: Sql; log: Log; metrics: Metrics; origin: string },
) {
  const { base, clocks } = await openBase(sql, log);
  const sandbox = config.ENVIRONMENT === 'sandbox';
  const vault = await openVaultOf(config);
  const ringParts = { sql, vault, wall: clocks.wall };
  const linkKeys = await openKeyRing(ringParts, 'links');
  const webhookKeys = await openKeyRing(ringParts, 'webhooks');
  const links = openLinks(origin, linkKeys);
  const calendar = cached<Calendar>(clocks.wall, seenWithinMs, () => loadCalendar(sql));
  const account = (id: string): Promise<Account | null> => readAccount(sql, id);
  const connections = connectionsOf(base, sandbox);
  const offer = offeredBy(config, connections);
  const plansFor = async (accountId: string, amount: Centavos) =>
    offer.credit_card ? await readPlans(sql, accountId, amount) : [];
  const facts = recordFacts(base, calendar);
  const record = batchedRecord(facts);
  const takeBack = reverse(base);
  const attempts = openAttempts(base, connections.online, record);
  const find = requestFinder(base);
  const carriers = carriersFor(config);
  const adhesions = openAdhesions(base, {
    carriers,
    links,
    vault,
    readAccount: account,
    afterCreate: sandbox ? signInSandbox : async () => {},
  });
  const debits = openDebitRequests(base, {
    carryFault: (mandate) =>
      mandate.kind === 'adhesion'
        ? carriers.bankFault()
        : carriers.cardFault({
            number: openNumber(vault, mandate),
            brand: mandate.details.brand,
          }),
    find,
    recordFacts: facts,
    adhesions,
    loadCalendar: calendar,
    terms: debitTermsOf(config),
  });
  const visaDebit = config.VISA_DEBIT_PREFIXES.map((prefix) => ({
    prefix,
    kind: 'debit' as const,
  }));
  const loadCardKinds = cached(clocks.wall, seenWithinMs, async () =>
    cardKinds([...visaDebit, ...(await readBins(sql))]),
  );
  const requests = openPaymentRequests(base, {
    loadCardKinds,
    find,
    links,
    barcode: barcodeTermsOf(config),
    attempts,
    record,
  });
  const sealer: Sealer = { keys: await sealKeysOf(config), moment: clocks.wall.now };
  const webhooks = openWebhooks(base, {
    keys: webhookKeys,
    resolve: systemResolver,
    metrics,
    terms: webhookTermsOf(config),
  });
  const qrTerms = qrTermsOf(config, offer);
  const qr = openQr(base, {
    links,
    terms: {
      ...qrTerms,
      administratorName: config.QR_ADMINISTRATOR_NAME,
      cvuPsp: config.CVU_PSP,
    },
    resolveTokens: resolveTokensOf(config),
    attempts,
    readAccount: account,
    findBilled: requests.findOrder,
  });
  const bulk = openBulk(base, {
    links,
    s3: storeOf(config),
    notifyOnce: webhooks.notifyOnce,
    addressFault: webhooks.guard.fault,
    onceSecret(accountId, entity, entityId) {
      const keyNo = webhooks.secrets.keyNo();
      const secret = webhooks.secrets.onceSecretOf({ accountId, entity, entityId, keyNo });
      if (secret === null) throw new Error('the key of webhooks is missing');
      return { secret, keyNo };
    },
  });
  const sweeps = [
    attempts.sweep,
    ...(sandbox ? [simulatedReversals(base, takeBack)] : []),
    adhesions.sweep,
    debits.sweep,
    ...(sandbox ? simulatedDebits(base, { debits, adhesions, vault, reverse: takeBack }) : []),
    releaseSweep(base),
    expirySweep(base, 'payment_request', 'payment requests expired'),
    qr.statics.sweep,
    expirySweep(base, 'qr', 'QRs expired'),
    erasureSweep(base, config.CARD_REVERSAL_DAYS),
    retireSweep(sql, clocks.wall, {
      links: linksLiveUntil(sql),
      webhooks: secretsLiveUntil(sql, clocks.wall),
    }),
  ];
  const transport = config.SMTP_URL
    ? smtpTransport(config.SMTP_URL, config.MAIL_FROM)
    : await folderTransport(path.join(config.DATA_DIR, 'mail'), config.MAIL_FROM);
  const sendMails = openMailer(sql, clocks.wall, transport, {
    log,
    domain: new URL(origin).host,
    linkOf: signingLinks(links),
  });
  return {
    base,
    clocks,
    sendMails,
    sealer,
    sandbox,
    links,
    calendar,
    readAccount: account,
    plansFor,
    offer,
    closeBooks: booksCloser(sql),
    readReport: openReports(sql, {
      atOnce: connectionsForReports(config.DATABASE_POOL),
      pace: {
        everyMs: readerWatchedMs,
        bytes: (config.REPORT_MIN_RATE_KB * 1024 * readerWatchedMs) / 1000,
      },
    }),
    receiveTransfer: receiveTransfers({
      sql,
      record,
      suspend: suspend(base),
      psp: config.CVU_PSP,
    }),
    reverse: takeBack,
    requests,
    adhesions,
    debits,
    qr,
    bulk,
    webhooks,
    qrTerms,
    /** Learns of keys that were added or retired elsewhere. */
    refreshKeys: async () => {
      await Promise.all([linkKeys.refresh(), webhookKeys.refresh()]);
    },
    loadCardKinds,
    drawn: keepDrawn(config.DOCUMENT_CACHE_MB * 1024 * 1024),
    authenticator: openAuthenticator(sql, clocks.wall, guessLimit(config, clocks.wall)),
    sweeper: openSweeper(sql, clocks, sweeps, { log, metrics, holdStill: holdStill(sql) }),
  };
}

export type Parts = Awaited<ReturnType<typeof openParts>>;
