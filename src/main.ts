import { setTimeout as sleep } from 'node:timers/promises';
import { keyRevokedTopic } from './accounts/index.ts';
import { evidences } from './audit/index.ts';
import { openObservers, showMeasures } from './composition/observers.ts';
import { nothingOffered } from './composition/offer.ts';
import { createParts, type Parts } from './composition/parts.ts';
import { configuredReplica } from './composition/replica.ts';
import { type Config, originOf } from './config/index.ts';
import { drainMsOf } from './config/process.ts';
import { type Database, openDatabase, ownsItsHistory, type Staying } from './database.ts';
import type { DemoParts } from './demo.ts';
import { dailyTotals } from './money/collections/index.ts';
import { foldAccount, foldAccounts, ledgerDays, sealAll } from './money/ledger/index.ts';
import { clockMovedTopic } from './platform/clocks.ts';
import { claimEnvironment, refuseOtherEnvironment } from './platform/environment.ts';
import { freePort, portTaken } from './platform/http/free-port.ts';
import { subscribe } from './platform/listen.ts';
import type { Log } from './platform/log.ts';
import { type Loop, repeat } from './platform/loops.ts';
import type { Sql } from './platform/postgres/connect.ts';
import { wholeDistribution } from './platform/postgres/distributed/look.ts';
import { forgetful } from './platform/postgres/durability.ts';
import type { Company } from './platform/processes/company.ts';
import { alone } from './platform/processes/rates.ts';
import { readPrimary, readsFrom } from './platform/replica/reads.ts';
import { lookEveryMs } from './platform/replica/replica.ts';
import { createRests, type Look, NextLook } from './platform/rests.ts';
import { createWordIndexer } from './requests/index.ts';
import { createAnchors, sealLagging, watchBlockedSeals } from './seals/index.ts';
import { keysChangedTopic } from './secrets/index.ts';
import { type Demo, seedSandbox } from './seed.ts';
import { createApp } from './server.ts';

export interface Service {
  origin: string;
  metricsUrl: string;
  demo: Demo | null;
  parts: Parts;
  /** Calls its API within the process. */
  call: DemoParts['call'];
  /**
   * Stops accepting connections and closes existing ones after their responses, because another
   * process replaces this one.
   */
  retire(): Promise<void>;
  /**
   * Finishes calls in progress, then closes everything. Unless retired, keeps listening for
   * DRAIN_SECONDS first.
   */
  stop(): Promise<void>;
}

const sweepEveryMs = 1_000;
const sealEveryMs = 500;
const sealBehindEveryMs = 2_000;
const wordsEveryMs = 500;
/**
 * Interval of folding that this process's seals do not trigger: totals of accounts with few seals,
 * and words of requests that other processes sealed.
 */
const foldBehindEveryMs = 60_000;
const blockedSealsEveryMs = 60_000;
const anchorEveryMs = 60_000;
const mailEveryMs = 1_000;
const cbusEveryMs = 10_000;
const digestsEveryMs = 30_000;
const flushEveryMs = 10_000;
const writeCallsEveryMs = 1_000;
const clearCallsEveryMs = 60_000;
/** Interval of polling for added or retired keys, in case notifications are lost. */
const keysEveryMs = 5_000;
/** Interval of polling for moves of the sandbox's clock, in case notifications are lost. */
const clockEveryMs = 5_000;
/** Interval of comparing this machine's clock with the database's. */
const compareClocksEveryMs = 60_000;
/** Interval of polling for changed manifests, and channels that another process switched off. */
const connectorsEveryMs = 30_000;
const forgetEveryMs = 60_000;
const importEveryMs = 250;
/** Maximum pause between polls for work on an idle distributed database. */
const longestRestMs = 60_000;
const longestLoopStopMs = 5_000;
/** Imports that a process handles concurrently, so that a large one does not delay others. */
const importsAtOnce = 2;

/** Totals of an account's journals, folded from its seals. */
const foldings = [dailyTotals, ledgerDays];

async function foldAll(sql: Sql, accountId: string): Promise<void> {
  for (const folding of foldings) await foldAccount(sql, folding, accountId);
}

function workerLoops(
  {
    base,
    sealer,
    anchors,
    sweeper,
    sendMails,
    payerMails,
    bulk,
    workOnImports,
    webhooks,
    settings,
    digests,
    forgetOld,
  }: Parts,
  log: Log,
): Loop[] {
  const { sql, clocks } = base;
  const words = createWordIndexer(sql, clocks.wall);
  const rests = createRests(base);
  const resting = (look: Look) => rests(longestRestMs, look);
  return [
    repeat(
      'sweeps',
      sweepEveryMs,
      resting(async () => new NextLook(await sweeper.tick())),
      log,
    ),
    repeat(
      'bank accounts',
      cbusEveryMs,
      resting(async () => void (await settings.adoptCbus())),
      log,
    ),
    repeat(
      'folded letters',
      digestsEveryMs,
      resting(async () => {
        while ((await digests.notifyFolded()) > 0);
      }),
      log,
    ),
    repeat(
      'digests',
      digestsEveryMs,
      resting(async () => {
        while ((await digests.tell()) > 0);
      }),
      log,
    ),
    repeat(
      'mails',
      mailEveryMs,
      resting(async () => {
        while ((await sendMails()) > 0);
      }),
      log,
    ),
    repeat('mails to payers', mailEveryMs, resting(payerMails.work), log),
    repeat(
      'sealer',
      sealEveryMs,
      resting(() => sealAll(sql, sealer, (accountId) => foldAll(sql, accountId))),
      log,
    ),
    ...foldings.map((folding) =>
      repeat(folding.name, foldBehindEveryMs, () => foldAccounts(sql, folding), log),
    ),
    repeat(
      'seals',
      sealBehindEveryMs,
      resting(() => sealLagging(sql, sealer, evidences, words.note)),
      log,
    ),
    repeat('seals held back', blockedSealsEveryMs, watchBlockedSeals(sql, clocks.wall, log), log),
    repeat('words of requests', wordsEveryMs, resting(words.work), log),
    repeat('words of all requests', foldBehindEveryMs, words.noteAll, log),
    ...(anchors
      ? [repeat('anchors', anchorEveryMs, createAnchors(sql, clocks.wall, anchors), log)]
      : []),
    repeat('what is kept for a time', forgetEveryMs, forgetOld, log),
    ...Array.from({ length: importsAtOnce }, () =>
      repeat('bulk imports', importEveryMs, resting(bulk.work), log),
    ),
    repeat('imports', importEveryMs, resting(workOnImports), log),
    ...webhooks.startWork(),
  ];
}

/** Migrates and claims the database, and logs what operators should know about it. */
async function prepare(
  { sql, migrate }: Database,
  { ENVIRONMENT }: Config,
  log: Log,
): Promise<void> {
  await refuseOtherEnvironment(sql, ENVIRONMENT);
  const { applied, ownsHistory } = await migrate();
  await claimEnvironment(sql, ENVIRONMENT);
  if (ownsHistory !== null) log.warn({ role: ownsHistory }, ownsItsHistory);
  if (applied.length > 0) log.info({ applied }, 'migrations applied');
  const distribution = await wholeDistribution(sql);
  if (distribution !== null) {
    const { nodes, shards } = distribution;
    log.info({ nodes, shards }, `the database is distributed over ${nodes} nodes`);
  }
  const forgets = await forgetful(sql);
  if (forgets !== null) log.warn(forgets);
}

/**
 * Starts the roles of this process: database, migrations, seed, HTTP, background work. An aborted
 * start rejects after its current step, and leaves nothing open.
 */
export async function serve(
  config: Config,
  log: Log,
  staying: Staying = {},
  company: Company | null = null,
): Promise<Service> {
  const database = await openDatabase(config, log, 'serve', staying);
  const { sql } = database;
  const opened: (() => Promise<unknown>)[] = [() => database.close()];
  const closeAll = async (): Promise<void> => {
    for (const close of opened.splice(0).reverse()) {
      await close().catch((error: unknown) => {
        log.error({ err: error }, 'a part failed to stop; stopping the others');
      });
    }
  };
  const goOn = (): void => staying.stopping?.throwIfAborted();
  try {
    goOn();
    await prepare(database, config, log);
    goOn();
    const { metrics, tracer } = openObservers(config, opened);
    const exchange = company?.rates ?? alone;
    const port = config.PORT === 0 ? await freePort(config.HOST) : config.PORT;
    const origin = originOf(config, port);
    const replica = configuredReplica(config, { database, log, metrics });
    const reads = replica ? readsFrom(sql, replica) : readPrimary(sql);
    const parts = await createParts(config, { sql, log, metrics, origin, exchange, reads, tracer });
    const { authenticator, calls, clocks, connectors } = parts;
    opened.push(() => connectors.close());
    await connectors.start();
    goOn();
    await subscribe(
      database.direct,
      {
        [keyRevokedTopic]: authenticator.forget,
        [clockMovedTopic]: clocks.refresh,
        [keysChangedTopic]: parts.refreshKeys,
      },
      log,
    );
    goOn();
    const unsold = nothingOffered(parts.offer);
    if (unsold !== null) log.warn(unsold);
    const demo = parts.sandbox ? await seedSandbox(config, parts) : null;
    const app = await createApp(config, parts, { metrics, exchange, tracer });
    await app.listen({ host: config.HOST, port }).catch((error: unknown) => {
      throw portTaken(error, 'PORT');
    });
    // These close in reverse order, so that the flushes include the data of the last response.
    opened.push(calls.flush, authenticator.flushUses, () => app.close());
    const loops = [
      ...(replica ? [repeat('replica', lookEveryMs, () => replica.look(), log)] : []),
      repeat('connectors', connectorsEveryMs, () => connectors.refresh(), log),
      repeat('service keys', keysEveryMs, parts.refreshKeys, log),
      repeat('clock', parts.sandbox ? clockEveryMs : compareClocksEveryMs, clocks.refresh, log),
      repeat('key uses', flushEveryMs, () => authenticator.flushUses(), log),
      repeat('request log', writeCallsEveryMs, calls.flush, log),
      repeat('old calls', clearCallsEveryMs, calls.clear, log),
      ...(config.ROLES.includes('worker') ? workerLoops(parts, log) : []),
    ];
    opened.push(async () => {
      const stopped = Promise.all(loops.map((loop) => loop.stop()));
      // Do not wait longer for work that hangs on an unavailable database. Another process
      // continues it.
      await Promise.race([stopped, sleep(longestLoopStopMs)]);
    });
    const measures = await showMeasures(metrics, config, company);
    opened.push(measures.close);
    let retired = false;
    return {
      ...{ metricsUrl: measures.url, origin, demo, parts },
      async call(method, url, { body, headers }) {
        const payload = body === undefined ? {} : { payload: body as object };
        const answer = await app.inject({ method, url, headers, ...payload });
        return { status: answer.statusCode, body: answer.json() };
      },
      async retire() {
        retired = true;
        await app.retire();
      },
      async stop() {
        const ms = drainMsOf(config);
        if (!retired && ms > 0) await app.drain(ms);
        await closeAll();
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}
