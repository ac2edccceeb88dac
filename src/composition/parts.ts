import { openAuthenticator, readAccount } from '../accounts/index.ts';
import type { Config } from '../config.ts';
import { barcodeTermsOf } from '../config-rails.ts';
import type { Centavos } from '../kernel/money.ts';
import { openAttempts } from '../money/charges/index.ts';
import { requestFinder } from '../money/collections/index.ts';
import { booksCloser, holdStill } from '../money/ledger/index.ts';
import { readPlans } from '../money/plans/index.ts';
import { openPaymentRequests } from '../payment-requests/index.ts';
import { keepDrawn } from '../platform/drawn.ts';
import { openLinks } from '../platform/links.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import { openKeyRing } from '../platform/secrets/index.ts';
import { openSweeper } from '../platform/sweeps.ts';
import { receiveTransfers } from '../rails/index.ts';
import { openReports } from '../reports/index.ts';
import type { Sealer } from '../seals/index.ts';
import { openWebhooks, systemResolver } from '../webhooks/index.ts';
import { openBase } from './base.ts';
import { openCardKinds } from './cards.ts';
import { openVaultOf, sealKeysOf } from './keys.ts';
import { openMails } from './mails.ts';
import { openMandateWing } from './mandates.ts';
import { openMoney } from './money.ts';
import { connectionsOf, offeredBy } from './offer.ts';
import { openQrWing } from './qr.ts';
import { sweepsOf } from './sweeps.ts';
import { guessLimit, reportLimitsOf, tryLimitsOf, webhookTermsOf } from './terms.ts';

/** Builds the parts of the service and hands them to each other; starts nothing. */
export async function openParts(
  config: Config,
  { sql, log, metrics, origin }: { sql: Sql; log: Log; metrics: Metrics; origin: string },
) {
  const { base, clocks } = await openBase(sql, log);
  const sandbox = config.ENVIRONMENT === 'sandbox';
  const vault = await openVaultOf(config);
  const rings = { sql, vault, wall: clocks.wall };
  const linkKeys = await openKeyRing(rings, 'links');
  const webhookKeys = await openKeyRing(rings, 'webhooks');
  const links = openLinks(origin, linkKeys);
  const connections = connectionsOf(base, sandbox);
  const offer = offeredBy(config, connections);
  const money = openMoney(base);
  const attempts = openAttempts(base, {
    connected: connections.online,
    record: money.record,
    limits: tryLimitsOf(config),
  });
  const find = requestFinder(base);
  const loadCardKinds = openCardKinds(base, config);
  const wing = openMandateWing(base, config, { links, vault, find, money });
  const requests = openPaymentRequests(base, {
    loadCardKinds,
    find,
    links,
    barcode: barcodeTermsOf(config),
    attempts,
    record: money.record,
  });
  const sealer: Sealer = { keys: await sealKeysOf(config), moment: clocks.wall.now };
  const webhooks = openWebhooks(base, {
    keys: webhookKeys,
    resolve: systemResolver,
    metrics,
    terms: webhookTermsOf(config),
  });
  const qrs = openQrWing(base, config, { links, offer, attempts, requests, webhooks });
  const sweeps = sweepsOf(base, config, {
    ...wing,
    vault,
    money,
    attempts,
    transactions: qrs.qr.statics.sweep,
  });
  return {
    base,
    clocks,
    sandbox,
    links,
    offer,
    sealer,
    requests,
    ...wing,
    ...qrs,
    webhooks,
    loadCardKinds,
    calendar: money.calendar,
    reverse: money.reverse,
    readAccount: (id: string) => readAccount(sql, id),
    plansFor: async (accountId: string, amount: Centavos) =>
      offer.credit_card ? await readPlans(sql, accountId, amount) : [],
    closeBooks: booksCloser(sql),
    readReport: openReports(sql, reportLimitsOf(config)),
    receiveTransfer: receiveTransfers({
      sql,
      record: money.record,
      suspend: money.suspend,
      psp: config.CVU_PSP,
    }),
    sendMails: await openMails(base, config, links),
    /** Learns of keys that were added or retired elsewhere. */
    refreshKeys: async () => {
      await Promise.all([linkKeys.refresh(), webhookKeys.refresh()]);
    },
    drawn: keepDrawn(config.DOCUMENT_CACHE_MB * 1024 * 1024),
    authenticator: openAuthenticator(sql, clocks.wall, guessLimit(config, clocks.wall)),
    sweeper: openSweeper(sql, clocks, sweeps, { log, metrics, holdStill: holdStill(sql) }),
  };
}

export type Parts = Awaited<ReturnType<typeof openParts>>;
