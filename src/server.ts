import { keepCalls } from './accounts/http.ts';
import apiAnswers from './api-answers.json' with { type: 'json' };
import { apiExamples } from './api-examples.ts';
import { apiGuide } from './api-guide.ts';
import { apiWords } from './api-words.ts';
import { calendarRoutes } from './calendar/http.ts';
import { noticePartsOf } from './composition/notices.ts';
import { nothingOffered } from './composition/offer.ts';
import type { Parts } from './composition/parts.ts';
import { simulatedOf } from './composition/simulated.ts';
import { type Config, httpLimitsOf } from './config/index.ts';
import { noticeRoutes, replayLetter } from './connectors/http.ts';
import { migrationsDirectory } from './database.ts';
import { debitRequestRoutes } from './debit-requests/http.ts';
import { declared } from './declared/index.ts';
import { mandateRoutes } from './mandates/http.ts';
import { offeredChannels } from './money/channels/index.ts';
import { planRoutes } from './money/plans/http.ts';
import { qrRefundRoutes, refundRoutes } from './money/refunds/http.ts';
import { paymentRequestRoutes } from './payment-requests/http.ts';
import { requestWithdrawing } from './payment-requests/operations.ts';
import { refusal } from './platform/codes.ts';
import type { Refusal } from './platform/errors.ts';
import { allowOrigins } from './platform/http/cors.ts';
import { endpointsOn } from './platform/http/endpoint.ts';
import type { Gate } from './platform/http/gate.ts';
import { serveLlmsText } from './platform/http/llms.ts';
import { type AnsweredExamples, collectOpenApi, serveOpenApi } from './platform/http/openapi.ts';
import { serveOperation } from './platform/http/operation-api.ts';
import { operationRoutes } from './platform/http/operations.ts';
import { createRateLimiter } from './platform/http/rate-limit.ts';
import { type App, createHttp } from './platform/http/server.ts';
import { type GuardStrangers, guardStrangers } from './platform/http/strangers.ts';
import { createCalls, createTurns } from './platform/http/turns.ts';
import { keepAnswer, recall } from './platform/idempotency.ts';
import { createMemoryBudget } from './platform/memory-budget.ts';
import type { Metrics } from './platform/metrics.ts';
import { deadlines, doing } from './platform/postgres/deadlines.ts';
import { pending } from './platform/postgres/migrate.ts';
import type { RateExchange } from './platform/processes/rates.ts';
import type { Tracer } from './platform/tracing.ts';
import {
  answerAsQrService,
  bulkRoutes,
  dynamicRoutes,
  imageRoutes,
  qrErrorSchema,
  resolveRoutes,
  sendQrFailure,
  staticRoutes,
  uploadRoutes,
} from './qr/http.ts';
import { accountRoutes, reportRoutes } from './reports/http.ts';
import { sandboxRefusals, sandboxRoutes } from './sandbox/http.ts';
import { payerPages, portalPages } from './server-pages.ts';
import { version } from './version.ts';
import { webhookDocument, webhookRoutes } from './webhooks/http.ts';
import { webhookVerbs } from './webhooks/index.ts';

const mebibyte = 1024 * 1024;

function gateOf(
  { authenticator, base, clocks, cardSeen }: Parts,
  config: Config,
  exchange: RateExchange,
): Gate {
  const limit =
    config.RATE_LIMIT === 0
      ? () => null
      : createRateLimiter({ perSecond: config.RATE_LIMIT, burst: config.RATE_BURST }, clocks.wall, {
          name: 'keys',
          exchange,
        });
  return {
    authenticate: authenticator.authenticate,
    limit,
    enter: createCalls(config.CALLS_AT_ONCE),
    slowly: createTurns(config.SLOW_CALLS_AT_ONCE),
    writing: base.reads.writing,
    async recall(claim) {
      const [stored = null] = await recall(base.sql, [claim]);
      return stored;
    },
    cardSeen,
    keep: (claim, answer) => keepAnswer(base.sql, claim, answer, clocks.wall.now()),
  };
}

/** Gives the whole readiness check the deadline of one of its statements. */
async function inTime<T>(look: Promise<T>): Promise<T> {
  const tooLate = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => tooLate.reject(new Error('The database did not answer in time.')),
    deadlines.statementMs.readiness,
  );
  try {
    return await Promise.race([look, tooLate.promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function notReady({ base, clocks }: Parts): Promise<Refusal | null> {
  if (!clocks.agree()) return refusal('clocks_apart', {});
  try {
    const missing = await doing('readiness', () =>
      inTime(pending(base.sql, migrationsDirectory())),
    );
    return missing.length > 0 ? refusal('migrations_missing', { names: missing.join(', ') }) : null;
  } catch {
    return refusal('database_unreachable', {});
  }
}

async function paymentsApi(app: App, parts: Parts, config: Config, gate: Gate): Promise<void> {
  const endpoints = endpointsOn(app, gate);
  const { base, clocks, links, requests, plansFor, calendar, reverse, sweeper } = parts;
  paymentRequestRoutes(endpoints, requests, {
    links,
    clocks,
    offered: offeredChannels(parts.offer),
    plansFor,
  });
  mandateRoutes(endpoints, parts.mandates);
  debitRequestRoutes(endpoints, parts.debits, {
    clocks,
    loadCalendar: calendar,
    termsOf: parts.debits.termsOf,
  });
  refundRoutes(endpoints, parts.refunds, {
    kind: 'payment_request',
    type: 'PaymentRequest',
    path: '/payment-request',
    tag: 'Payment requests',
    name: 'payment request',
  });
  refundRoutes(endpoints, parts.refunds, {
    kind: 'debit_request',
    type: 'DebitRequest',
    path: '/debit-request',
    tag: 'CBU debit requests',
    name: 'debit request',
  });
  refundRoutes(endpoints, parts.refunds, {
    kind: 'card_debit_request',
    type: 'CardDebitRequest',
    path: '/card-debit-request',
    tag: 'Card debit requests',
    name: 'card debit request',
  });
  planRoutes(endpoints, { plansFor });
  calendarRoutes(endpoints, { loadCalendar: calendar });
  accountRoutes(endpoints, { sql: base.sql, readAccount: parts.readAccount });
  reportRoutes(endpoints, {
    readReport: parts.readReport,
    closeBooks: parts.closeBooks,
    business: clocks.business,
  });
  webhookRoutes(endpoints, webhookVerbs(base, parts.webhooks));
  for (const one of declared) if (one.api) await serveOperation(endpoints, one, base);
  await serveOperation(endpoints, requestWithdrawing, requests.cancel);
  const simulated = simulatedOf(parts, config);
  if (simulated !== null) {
    const sharedClock = config.SANDBOX_SHARED_CLOCK;
    sandboxRoutes(endpoints, { requests: simulated, reverse, base, sweeper, sharedClock });
  } else {
    sandboxRefusals(endpoints);
  }
}

function qrApi(app: App, parts: Parts, gate: Gate, guard: GuardStrangers): void {
  answerAsQrService(app, parts.base.log);
  const endpoints = endpointsOn(app, gate, qrErrorSchema.$id);
  const { clocks, links, qr, sandbox } = parts;
  dynamicRoutes(endpoints, qr.dynamics, { links, clocks, terms: parts.qrTerms, sandbox });
  staticRoutes(endpoints, qr.statics, { sandbox, terms: parts.qrTerms });
  qrRefundRoutes(endpoints, parts.refunds, qr.requestOf);
  bulkRoutes(endpoints, parts.bulk, parts.qrTerms);
  app.register(async (open) => {
    guard(open);
    uploadRoutes(open, { links, receive: parts.bulk.receive });
    imageRoutes(open, { links, readPayload: qr.readPayload, drawn: parts.drawn });
  });
  resolveRoutes(app, {
    resolve: qr.resolve,
    checkToken: qr.checkResolveToken,
    countCall: guard.countCall,
    enter: gate.enter,
  });
}

/** Adds the endpoint for connectors' notices, in every process that serves an API or pages. */
function connectorCalls(app: App, parts: Parts, config: Config, exchange: RateExchange): void {
  const { wall } = parts.clocks;
  noticeRoutes(app, config.CONNECTORS ?? [], { ...noticePartsOf(parts), wall, exchange });
}

/** Builds the HTTP server of a process, with the services of its roles on one origin. */
export async function createApp(
  config: Config,
  parts: Parts,
  {
    metrics,
    exchange,
    answers = apiAnswers,
    tracer = null,
  }: {
    metrics: Metrics;
    exchange: RateExchange;
    answers?: AnsweredExamples;
    tracer?: Tracer | null;
  },
): Promise<App> {
  const { clocks } = parts;
  const isOnlyQr = config.ROLES.includes('qr') && !config.ROLES.includes('payments');
  const app = createHttp({
    ...(isOnlyQr && { sendFailure: sendQrFailure }),
    log: parts.base.log,
    metrics,
    tracer,
    wall: clocks.wall,
    budget: createMemoryBudget(config.BODY_MEMORY_MB * mebibyte),
    ...httpLimitsOf(config),
  });
  keepCalls(app, parts.calls, clocks.wall);
  const gate = gateOf(parts, config, exchange);
  const guard = guardStrangers(
    { perAddress: config.STRANGER_RATE, perLink: config.LINK_RATE },
    clocks.wall,
    exchange,
  );
  allowOrigins(app, config);
  // Before any scope, because one that sees new schemas would validate bodies with them.
  app.addSchema(qrErrorSchema);
  await collectOpenApi(app, {
    url: parts.links.origin,
    version,
    webhooks: webhookDocument(),
    examples: apiExamples,
    answers,
    words: apiWords,
  });
  operationRoutes(app, {
    environment: config.ENVIRONMENT,
    version,
    notReady: async () =>
      app.isDraining() ? refusal('process_draining', {}) : await notReady(parts),
    channels: offeredChannels(parts.offer),
    warning: nothingOffered(parts.offer),
  });
  if (config.ROLES.includes('payments')) {
    // In a separate scope, so that the document above sees its routes.
    await app.register(async (scope) => paymentsApi(scope, parts, config, gate));
  }
  if (config.ROLES.includes('qr')) {
    await app.register(async (scope) => qrApi(scope, parts, gate, guard));
  }
  await app.register(async (scope) => connectorCalls(scope, parts, config, exchange));
  if (config.ROLES.includes('web')) {
    await app.register(async (scope) => {
      guard(scope);
      await payerPages(scope, parts);
      await portalPages(scope, {
        ...parts,
        simulated: simulatedOf(parts, config),
        replayLetter: (acting, id) => replayLetter(noticePartsOf(parts), acting, id),
      });
    });
  }
  serveLlmsText(app, apiGuide);
  if (config.DOCS ?? config.ENVIRONMENT === 'sandbox') await serveOpenApi(app);
  return app;
}
