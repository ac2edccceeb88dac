import { request } from 'undici';
import { createPruning, digestOf } from './journal.ts';
import type { Notice } from './messages.ts';
import { bodyFor, sign } from './signature.ts';
import type { Store } from './store.ts';

export const noticeTables = `
  create table if not exists notices (
    digest text primary key,
    body text not null,
    tries integer not null default 0,
    next_at integer not null,
    taken_at integer
  ) strict;
  create index if not exists notices_next on notices (next_at) where taken_at is null;
  create index if not exists notices_taken on notices (taken_at) where taken_at is not null;`;

export interface Notifier {
  /**
   * Stores a notice on disk and sends it until the service accepts it. A repeated notice is sent
   * once, unless `again` names what is new.
   */
  tell: (notice: Notice, again?: string) => Promise<void>;
  /** Counts unaccepted notices. */
  waiting: () => number;
}

export interface RunningNotifier extends Notifier {
  /** Starts sending under the connector's name. */
  start: (name: string) => void;
  /** Deletes accepted notices older than the retention. */
  prune: () => Promise<void>;
  stop: () => Promise<void>;
}

export interface NotifierOptions {
  secrets: readonly string[];
  serviceUrl: string | null;
  now: () => number;
  log: (line: Record<string, unknown>) => void;
}

const answersWithinMs = 10_000;
const atOnce = 8;
const firstWaitMs = 1_000;
const longestWaitMs = 10 * 60_000;
const idleMs = 500;
/** Retention of accepted notices, so that a listing that finds one again does not repeat it. */
const rememberedMs = 60 * 86_400_000;

const waitAfter = (tries: number): number =>
  Math.min(firstWaitMs * 2 ** Math.min(tries, 20), longestWaitMs);

interface Row {
  digest: string;
  body: string;
  tries: number;
}

/** Notices to the service: in any order, with retries and backoff, on disk until accepted. */
export function createNotifier(
  store: Store,
  { secrets, serviceUrl, now, log }: NotifierOptions,
): RunningNotifier {
  const { database, write } = store;
  const insert = database.prepare(
    'insert into notices (digest, body, next_at) values (?, ?, ?) on conflict do nothing',
  );
  const due = database.prepare(
    `select digest, body, tries from notices where taken_at is null and next_at <= ? order by next_at limit ${atOnce}`,
  );
  const taken = database.prepare('update notices set taken_at = ? where digest = ?');
  const forget = createPruning(store, 'notices', 'taken_at < ?');
  const later = database.prepare(
    'update notices set tries = tries + 1, next_at = ? where digest = ?',
  );
  const count = database.prepare('select count(*) as number from notices where taken_at is null');
  const ending = new AbortController();
  let name = '';
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  async function send({ digest, body: notice, tries }: Row): Promise<void> {
    const path = `/connectors/${name}/notices`;
    const body = bodyFor('POST', path, JSON.parse(notice));
    try {
      const answer = await request(`${serviceUrl}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...sign(secrets, body) },
        body,
        signal: AbortSignal.any([ending.signal, AbortSignal.timeout(answersWithinMs)]),
      });
      await answer.body.dump();
      if (answer.statusCode >= 200 && answer.statusCode < 300) {
        await write(() => taken.run(now(), digest));
        return;
      }
      log({ level: 'warn', what: 'a notice was not taken', status: answer.statusCode, tries });
    } catch (error) {
      if (ending.signal.aborted) return;
      log({ level: 'warn', what: 'a notice was not taken', error: String(error), tries });
    }
    await write(() => later.run(now() + waitAfter(tries), digest));
  }

  async function round(): Promise<void> {
    const rows = due.all(now()) as unknown as Row[];
    await Promise.all(rows.map(send));
  }

  const next = (): void => {
    if (ending.signal.aborted) return;
    timer = setTimeout(() => {
      running = round().catch((error: unknown) => log({ level: 'error', error: String(error) }));
      void running.then(next);
    }, idleMs);
  };

  return {
    tell: async (notice, again) => {
      if (serviceUrl === null) return;
      const body = JSON.stringify(notice);
      const digest = again === undefined ? digestOf(notice) : digestOf({ notice, again });
      await write(() => insert.run(digest, body, now()));
    },
    waiting: () => Number(count.get()?.number ?? 0),
    start: (text) => {
      name = text;
      if (serviceUrl !== null) next();
    },
    prune: () => forget(now() - rememberedMs),
    stop: async () => {
      ending.abort();
      clearTimeout(timer);
      await running;
    },
  };
}
