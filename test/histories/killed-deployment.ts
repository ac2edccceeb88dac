import { existsSync, writeSync } from 'node:fs';
import path from 'node:path';
import { createBase } from '../../src/composition/base.ts';
import { configuredSealKeys } from '../../src/composition/keys.ts';
import { readConfig } from '../../src/config/index.ts';
import { openDatabase } from '../../src/database.ts';
import { createLog } from '../../src/platform/log.ts';
import { type Serving, startServing } from '../cli/run.ts';
import { killServer, serverPid, temporaryDirectory } from '../platform/postgres/embedded-tools.ts';
import { bankConnector } from './bank.ts';
import { type Deployment, type Sent, sendTo } from './deployment.ts';
import { type DeskParts, deskOf } from './desk.ts';
import { isAway } from './play.ts';
import type { Random } from './random.ts';

export interface Kills {
  service: number;
  database: number;
  /** Times that a process was paused and resumed. */
  frozen: number;
}

/** A process that is restarted when it ends. */
interface Post {
  serving: Serving | null;
  /** The current start, or the last one. */
  starting: Promise<void>;
  /** Reason why a restart failed. */
  fault: unknown;
}

/** Prints the causes of 500s, to explain a failure. */
function tellFailures(serving: Serving): void {
  const lines = serving.output().split('\n');
  for (const line of lines.filter(
    (one) => one.includes('a call failed') && !one.includes('DatabaseAway'),
  )) {
    writeSync(2, `${line.slice(0, 2_000)}\n`);
  }
}

/** Minimum and maximum number of operations between two kills. */
export type Apart = readonly [number, number];

/** Longest delay before a kill, in milliseconds. */
const withinMs = 400;
const frozenMs = 1_500;
/** Maximum number of starts in a row: one fails if the database is killed during it. */
const mostStarts = 5;

const log = createLog('silent');

export interface KilledOptions {
  /** Counts of kills. */
  kills: Kills;
  apart: Apart;
}

function killDatabase(dataDir: string): boolean {
  const pid = serverPid(dataDir);
  if (pid === null) return false;
  try {
    killServer(pid);
  } catch {
    return false;
  }
  return true;
}

const turns = ['service', 'database', 'frozen'] as const;

/**
 * Kills a process, or the database with all its children, with -9, or pauses a process, while the
 * next steps run.
 */
function killer(
  random: Random,
  { kills, apart }: KilledOptions,
  strikes: Record<keyof Kills, () => boolean>,
) {
  let left = random.between(...apart);
  let plan: NodeJS.Timeout | undefined;
  let turn = random.below(turns.length);

  const strike = (): void => {
    plan = undefined;
    const what = turns[turn % turns.length] ?? 'service';
    const struck = strikes[what]();
    // A process that is already down is killed once it is back.
    left = struck ? random.between(...apart) : 1;
    if (!struck) return;
    kills[what] += 1;
    turn += 1;
  };

  return {
    /** Counts operations, and schedules a kill once enough have run. */
    after(operations: number): void {
      left -= operations;
      if (left <= 0) plan ??= setTimeout(strike, random.below(withinMs));
    },
    stop: () => clearTimeout(plan),
  };
}

/**
 * Opens the database as an operator's commands do, which start it if it is down. Opens it again
 * once it has gone away.
 */
function operatorsProcess(dataDir: string, env: Record<string, string>) {
  const config = readConfig({ ...env, PORT: '0', METRICS_PORT: '0', DATABASE_POOL: '6' });

  const open = async () => {
    const database = await openDatabase(config, log, 'desk');
    try {
      const { base, clocks } = await createBase(database.sql, log, {
        keys: () => configuredSealKeys(config),
      });
      return { database, clocks, parts: { sql: database.sql, base, config } };
    } catch (error) {
      await database.close();
      throw error;
    }
  };
  let current: ReturnType<typeof open> | null = null;

  const leave = async (mine: ReturnType<typeof open>): Promise<void> => {
    if (current === mine) current = null;
    await (await mine).database.close();
  };
  return {
    async work<T>(use: (parts: DeskParts) => Promise<T>): Promise<T> {
      current ??= open();
      const mine = current;
      try {
        const { clocks, parts } = await mine;
        await clocks.refresh();
        return await use(parts);
      } catch (error) {
        if (current === mine && isAway(error)) await leave(mine).catch(() => undefined);
        throw error;
      }
    },
    close: async () => {
      if (current && existsSync(dataDir)) await leave(current).catch(() => undefined);
    },
  };
}

/**
 * Starts two processes with an embedded database, like `recaudo serve`, with a supervisor that
 * restarts them, and operators' commands next to them.
 */
export async function killedDeployment(
  random: Random,
  options: KilledOptions,
): Promise<Deployment> {
  const directory = await temporaryDirectory();
  const dataDir = path.join(directory.path, 'data');
  const env = {
    DATA_DIR: dataDir,
    RATE_LIMIT: '100000',
    // A second account's key moves the clock.
    SANDBOX_SHARED_CLOCK: 'true',
    RATE_BURST: '100000',
    LOG_LEVEL: 'error',
    CONNECTORS: bankConnector,
  };
  const desk = operatorsProcess(dataDir, env);
  const posts: Post[] = [];
  let stopped = false;

  const starts = async (tries = 1): Promise<Serving> => {
    try {
      return await startServing(env);
    } catch (error) {
      if (stopped || tries === mostStarts) throw error;
      return await starts(tries + 1);
    }
  };
  const start = async (post: Post): Promise<void> => {
    const serving = await starts();
    post.serving = serving;
    void serving.ended.then(() => {
      tellFailures(serving);
      if (stopped) return;
      post.serving = null;
      post.starting = start(post).catch((error: unknown) => {
        post.fault = error;
      });
    });
  };
  const killService = (): boolean => {
    const post = posts[random.below(2)];
    const { serving } = post ?? {};
    if (!post || !serving || posts.some((one) => one.serving === null)) return false;
    post.serving = null;
    void serving.end('SIGKILL');
    return true;
  };
  const freeze = (): boolean => {
    const serving = random.one(posts)?.serving;
    if (!serving || serving.hasEnded()) return false;
    process.kill(serving.pid, 'SIGSTOP');
    setTimeout(() => {
      if (!serving.hasEnded()) process.kill(serving.pid, 'SIGCONT');
    }, frozenMs);
    return true;
  };
  const kill = killer(random, options, {
    service: killService,
    frozen: freeze,
    database: () => killDatabase(dataDir),
  });

  for (let no = 0; no < 2; no += 1) {
    const post: Post = { serving: null, starting: Promise.resolve(), fault: null };
    await start(post);
    posts.push(post);
  }

  const to = async ({ serving, fault }: Post, method: string, url: string, sent?: Sent) => {
    if (fault !== null) throw fault;
    if (!serving) return 'nobody knows' as const;
    const answer = await sendTo(serving.origin, method, url, sent);
    if (answer !== 'nobody knows' && answer.status === 500) tellFailures(serving);
    return answer;
  };

  return {
    send: async (method, url, sent) => {
      const there = posts.filter(({ serving }) => serving !== null);
      const post = random.one(there.length > 0 ? there : posts);
      return post ? await to(post, method, url, sent) : 'nobody knows';
    },
    each: (method, url, sent) => Promise.all(posts.map((post) => to(post, method, url, sent))),
    desk: (work) => desk.work((parts) => work(deskOf(parts), parts)),
    acquirer: null,
    operators: [],
    clerk: null,
    kills: true,
    crowd: 8,
    async between(operations) {
      kill.after(operations);
    },
    async stop() {
      stopped = true;
      kill.stop();
      await Promise.all(posts.map(({ starting }) => starting));
      await desk.close();
      await Promise.all(posts.map(({ serving }) => serving?.end('SIGTERM')));
      if (existsSync(dataDir)) await directory.remove();
    },
  };
}
