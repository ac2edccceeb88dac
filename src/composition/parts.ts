import { createAuthenticator, createCallLog } from '../accounts/index.ts';
import type { Config } from '../config/index.ts';
import { openConnectors } from '../connectors/http.ts';
import type { Centavos } from '../kernel/money.ts';
import { raiseForged } from '../money/alarms/index.ts';
import { readPlans } from '../money/plans/index.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import type { Sql } from '../platform/postgres/connect.ts';
import { alone, type RateExchange } from '../platform/processes/rates.ts';
import type { Reads } from '../platform/replica/reads.ts';
import type { Tracer } from '../platform/tracing.ts';
import { createReportReader } from '../reports/index.ts';
import { receiverAt, type Sealer } from '../seals/index.ts';
import { createWebhookVerbs } from '../webhooks/http.ts';
import { createBase } from './base.ts';
import { cardSeenBy } from './card-seen.ts';
import { createImports, createImportWork } from './imports.ts';
import { auditSealKeys } from './keys.ts';
import { createMandateWing } from './mandates.ts';
import { measureConnectors, measureState } from './measures.ts';
import { createMoneyWing } from './money.ts';
import { connectionsOf, offeredBy } from './offer.ts';
import { createOfficeWing } from './office.ts';
import { createPayerWing } from './payers.ts';
import { createPaymentWing } from './payments.ts';
import { createPeopleWing } from './people.ts';
import { createPortalWebhooks } from './portal-webhooks.ts';
import { createQrWing } from './qr.ts';
import { createRings } from './rings.ts';
import { simulatedChannels } from './simulator.ts';
import { guessLimit, reportLimitsOf, webhookTermsOf } from './terms.ts';
import { createTimeWing } from './time.ts';

interface Surroundings {
  sql: Sql;
  log: Log;
  metrics: Metrics;
  origin: string;
  exchange?: RateExchange;
  /** If unset, everything is read from the primary. */
  reads?: Reads;
  /** Null if traces are not exported. */
  tracer?: Tracer | null;
}

/** Builds and connects the service's parts without starting anything. */
export async function createParts(
  config: Config,
  { sql, log, metrics, origin, exchange = alone, reads, tracer = null }: Surroundings,
) {
  const sealKeys = await auditSealKeys(config, sql);
  const keys = async () => sealKeys;
  const { base, clocks } = await createBase(sql, log, { ...(reads && { reads }), keys });
  measureState(base, config, metrics.registry);
  const sealer: Sealer = {
    keys: sealKeys,
    moment: clocks.wall.now,
    forged: (tx, facts) => raiseForged({ ...base, sql: tx }, facts),
  };
  const sandbox = config.ENVIRONMENT === 'sandbox';
  const { vault, links, webhookKeys, refreshKeys } = await createRings(base, config, origin);
  const connectors = openConnectors(base, config.CONNECTORS ?? [], { metrics });
  measureConnectors(connectors, metrics.registry);
  const simulated = sandbox ? simulatedChannels(base, links.origin) : null;
  const connections = connectionsOf(connectors.channels, simulated);
  const { online: connected } = connections;
  const offer = offeredBy(config, connections);
  const shared = { vault, links, connected, offer };
  const money = createMoneyWing(base);
  const payments = createPaymentWing(base, config, { ...shared, money });
  const mandateWing = createMandateWing(base, config, { ...shared, ...payments, money });
  const webhooks = createWebhookVerbs(base, {
    keys: webhookKeys,
    metrics,
    tracer,
    terms: webhookTermsOf(config),
  });
  const qrs = createQrWing(base, config, { ...shared, ...payments, webhooks });
  const payers = await createPayerWing(base, config, { ...shared, ...payments });
  const made = { ...shared, money, ...payments, ...mandateWing };
  const importTerms = { links, offer, calendar: money.calendar };
  return {
    ...{ base, clocks, sandbox, sealer, links, refreshKeys },
    ...{ offer, connectors, connections, connected, webhooks },
    ...money,
    ...payments,
    ...mandateWing,
    ...qrs,
    ...payers,
    ...createPeopleWing(base, config, shared),
    ...createOfficeWing(base, config, made),
    ...createTimeWing(base, config, {
      swept: { ...made, reminders: payers.payerMails.sweep, transactions: qrs.qr.statics.sweep },
      ...{ clocks, metrics },
    }),
    anchors: config.ANCHORS === null ? null : receiverAt(config.ANCHORS, clocks.wall.now),
    hooks: createPortalWebhooks(base, webhooks),
    imports: createImports(base, config, importTerms),
    workOnImports: createImportWork(base, config, {
      ...{ ...importTerms, ...payments, ...mandateWing },
      dynamics: qrs.qr.dynamics,
    }),
    plansFor: async (accountId: string, amount: Centavos) =>
      offer.credit_card ? await readPlans(sql, accountId, amount) : [],
    hasMailServer: Boolean(config.SMTP_URL),
    readReport: createReportReader(base.reads, reportLimitsOf(config)),
    cardSeen: cardSeenBy(base),
    calls: createCallLog(sql, clocks.wall, (count) => metrics.callsLeftOut.inc(count)),
    authenticator: createAuthenticator(sql, clocks.wall, guessLimit(config, clocks.wall, exchange)),
  };
}

export type Parts = Awaited<ReturnType<typeof createParts>>;
