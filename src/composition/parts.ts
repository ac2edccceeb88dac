import {
  createAuthenticator,
  createCallLog,
  printedLogos,
  readAccount,
} from '../accounts/index.ts';
import type { Config } from '../config.ts';
import { signInRulesOf } from '../config-people.ts';
import { barcodeTermsOf } from '../config-rails.ts';
import { openConnectors } from '../connectors/http.ts';
import { readAlarms } from '../connectors/index.ts';
import { migrationsDirectory } from '../database.ts';
import type { Centavos } from '../kernel/money.ts';
import { raiseForged } from '../money/alarms/index.ts';
import { createAttemptVerbs } from '../money/charges/index.ts';
import { requestFinder } from '../money/collections/index.ts';
import { booksCloser, holdStill } from '../money/ledger/index.ts';
import { readPlans } from '../money/plans/index.ts';
import { createRefundVerbs } from '../money/refunds/index.ts';
import { assignSuspense, returnSuspense } from '../money/suspense/index.ts';
import { createUnwanted } from '../money/unwanted/index.ts';
import { createCoupons } from '../payment-requests/http.ts';
import {
  createPayerMails,
  createPaymentRequestVerbs,
  createTransferAccounts,
} from '../payment-requests/index.ts';
import type { Actor } from '../platform/actor.ts';
import { keepDrawn } from '../platform/drawing/cache.ts';
import { createLinks } from '../platform/links.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import { pending } from '../platform/postgres/migrate.ts';
import { alone, type RateExchange } from '../platform/processes/rates.ts';
import type { Reads } from '../platform/replica/reads.ts';
import { createSweepRuns, readSweepRuns } from '../platform/sweep-runs.ts';
import { createSweeper } from '../platform/sweeps.ts';
import { lateFiles, receiveTransfers } from '../rails/index.ts';
import { createReportReader } from '../reports/index.ts';
import { moveClock } from '../sandbox/index.ts';
import { receiverAt, type Sealer } from '../seals/index.ts';
import { createKeyRing } from '../secrets/index.ts';
import { createUserVerbs } from '../users/index.ts';
import { createWebhookVerbs } from '../webhooks/http.ts';
import { systemResolver } from '../webhooks/index.ts';
import { createBase } from './base.ts';
import { cardSeenBy } from './card-seen.ts';
import { createCardKindLoader } from './cards.ts';
import { closeAccount } from './close-account.ts';
import { createDigests } from './digests.ts';
import { createFourEyes } from './four-eyes.ts';
import { createImports, createImportWork } from './imports.ts';
import { auditSealKeys, configuredVault } from './keys.ts';
import { lookDecisions } from './look-decisions.ts';
import { createMachineLook } from './machine.ts';
import { createMails, payersHeads, waitingLettersOf } from './mails.ts';
import { createMandateWing } from './mandates.ts';
import { measureConnectors, measureState } from './measures.ts';
import { createMoneyWing } from './money.ts';
import { connectionsOf, offeredBy } from './offer.ts';
import { createPortalKeys } from './portal-keys.ts';
import { createPortalSettings } from './portal-settings.ts';
import { createPortalWebhooks } from './portal-webhooks.ts';
import { createQrWing } from './qr.ts';
import { createDesk } from './rail-desk.ts';
import { createRetention } from './retention.ts';
import { simulatedChannels } from './simulator.ts';
import { sweepsOf } from './sweeps.ts';
import {
  cardVelocityOf,
  guessLimit,
  reportLimitsOf,
  tryLimitsOf,
  webhookTermsOf,
} from './terms.ts';

/** Builds the parts of the service and hands them to each other; starts nothing. */
export async function createParts(
  config: Config,
  {
    sql,
    log,
    metrics,
    origin,
    exchange = alone,
    reads,
  }: {
    sql: Sql;
    log: Log;
    metrics: Metrics;
    origin: string;
    exchange?: RateExchange;
    /** Unset: all is read from the primary. */
    reads?: Reads;
  },
) {
  const sealKeys = await auditSealKeys(config, sql);
  const keys = async () => sealKeys;
  const { base, clocks } = await createBase(sql, log, { ...(reads && { reads }), keys });
  measureState(base, metrics.registry);
  const sandbox = config.ENVIRONMENT === 'sandbox';
  const vault = await configuredVault(config);
  const rings = { ...base, vault };
  const linkKeys = await createKeyRing(rings, 'links');
  const webhookKeys = await createKeyRing(rings, 'webhooks');
  const links = createLinks(origin, linkKeys);
  const users = createUserVerbs(base, {
    vault,
    links,
    rules: signInRulesOf(config),
    passwordCosts: config.passwordCosts,
  });
  const connectors = openConnectors(base, config.CONNECTORS ?? [], { metrics });
  measureConnectors(connectors, metrics.registry);
  const simulated = sandbox ? simulatedChannels(base, links.origin) : null;
  const connections = connectionsOf(connectors.channels, simulated);
  const offer = offeredBy(config, connections);
  const money = createMoneyWing(base);
  const loadCardKinds = createCardKindLoader(base, config);
  const { online: connected } = connections;
  const refunds = createRefundVerbs({ base, connected });
  const unwanted = createUnwanted({ base, connected, refunds });
  const attempts = createAttemptVerbs(base, {
    connected,
    record: money.record,
    unwanted,
    limits: tryLimitsOf(config),
    velocity: cardVelocityOf(config),
    loadCardKinds,
  });
  const find = requestFinder(base);
  const wing = createMandateWing(base, config, {
    links,
    vault,
    find,
    money,
    connected,
    attempts,
  });
  const requests = createPaymentRequestVerbs(base, {
    find,
    links,
    barcode: barcodeTermsOf(config),
    attempts,
    record: money.record,
  });
  const sealer: Sealer = {
    keys: sealKeys,
    moment: clocks.wall.now,
    forged: (facts) => raiseForged(base, facts),
  };
  const webhooks = createWebhookVerbs(base, {
    keys: webhookKeys,
    resolve: systemResolver,
    metrics,
    terms: webhookTermsOf(config),
  });
  const qrs = createQrWing(base, config, { links, offer, attempts, requests, webhooks });
  const importTerms = { links, offer, calendar: money.calendar };
  const transferAccounts = createTransferAccounts(base, { connected, offer });
  const drawn = keepDrawn(config.DOCUMENT_CACHE_MB * 1024 * 1024);
  const accountOf = (id: string) => readAccount(sql, id);
  const shown = { find: requests.find, readAccount: accountOf, links };
  const readLogo = printedLogos(sql, drawn);
  const coupons = createCoupons({ ...shown, offer, transferAccounts, drawn, readLogo });
  const payersHead = payersHeads(readLogo);
  const payerMails = createPayerMails(base, {
    ...shown,
    drawCoupon: coupons.ofRequest,
    headOf: payersHead,
  });
  const sweeps = sweepsOf(base, config, {
    ...wing,
    reminders: payerMails.sweep,
    vault,
    links,
    money,
    attempts,
    refunds,
    unwanted,
    transactions: qrs.qr.statics.sweep,
  });
  const sweeper = createSweeper(sql, clocks, sweeps, {
    log,
    metrics,
    holdStill: holdStill(sql),
    runs: createSweepRuns(sql, clocks.wall),
  });
  const railDesk = createDesk(base, config, { vault, money, offer });
  return {
    base,
    clocks,
    sandbox,
    links,
    connections,
    offer,
    connectors,
    connected,
    attempts,
    find,
    sealer,
    refunds,
    anchors: config.ANCHORS === null ? null : receiverAt(config.ANCHORS, clocks.wall.now),
    requests,
    users,
    keys: createPortalKeys(base, config, users),
    digests: createDigests(base, links),
    looks: lookDecisions,
    settings: createPortalSettings(base, { users, links, looksWait: !sandbox }),
    ...wing,
    ...qrs,
    webhooks,
    hooks: createPortalWebhooks(base, webhooks),
    imports: createImports(base, config, importTerms),
    workOnImports: createImportWork(base, config, {
      ...importTerms,
      ...wing,
      requests,
      dynamics: qrs.qr.dynamics,
    }),
    loadCardKinds,
    calendar: money.calendar,
    reverse: money.reverse,
    record: money.record,
    suspend: money.suspend,
    assignSuspense: assignSuspense(base, money.prepareFacts),
    returnSuspense: returnSuspense(base),
    fourEyes: createFourEyes(base, config),
    railDesk,
    readMachine: createMachineLook(base, config, vault),
    readSweepRuns: () => readSweepRuns(sql),
    forgetOld: createRetention(base, config, railDesk),
    closeAccount: (actor: Actor, order: { accountId: string; reason: string }) =>
      closeAccount({ base, actor }, order),
    readAlarms: () => readAlarms(sql),
    missingMigrations: () => pending(sql, migrationsDirectory()),
    readAccount: accountOf,
    lateFiles: (today: Temporal.PlainDate) => lateFiles(sql, today),
    plansFor: async (accountId: string, amount: Centavos) =>
      offer.credit_card ? await readPlans(sql, accountId, amount) : [],
    closeBooks: booksCloser(sql),
    transferAccounts,
    payerMails,
    coupons,
    hasMailServer: Boolean(config.SMTP_URL),
    readReport: createReportReader(base.reads, reportLimitsOf(config)),
    receiveTransfer: receiveTransfers({
      sql,
      record: money.record,
      suspend: money.suspend,
      psp: config.CVU_PSP,
    }),
    waitingLetters: waitingLettersOf(base, config),
    sendMails: await createMails(base, config, { links, payerMails, payersHead }),
    /** Learns of keys that were added or retired elsewhere. */
    refreshKeys: async () => {
      await Promise.all([linkKeys.refresh(), webhookKeys.refresh()]);
    },
    drawn,
    cardSeen: cardSeenBy(base),
    calls: createCallLog(sql, clocks.wall, (count) => metrics.callsLeftOut.inc(count)),
    authenticator: createAuthenticator(sql, clocks.wall, guessLimit(config, clocks.wall, exchange)),
    sweeper,
    sweeps,
    moveClock: (actor: Actor, to: Temporal.Instant) =>
      moveClock({ ...base, actor }, sweeper, {
        advance_to: to,
        days: null,
        hours: null,
        minutes: null,
      }),
  };
}

export type Parts = Awaited<ReturnType<typeof createParts>>;
