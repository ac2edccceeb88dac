import { createAccounts } from './accounts.ts';
import { createCards } from './cards.ts';
import { createCharges } from './charges.ts';
import type {
  Connector,
  StoredAccount,
  StoredCard,
  StoredCharge,
  StoredHold,
  StoredRefund,
} from './connector.ts';
import { createHolds } from './holds.ts';
import { fault, type Handle, json, type Listening, openHttp } from './http.ts';
import { createIntend, type Intend } from './intend.ts';
import {
  createJournal,
  createNotes,
  createRecentNotes,
  journalTables,
  type Notes,
} from './journal.ts';
import {
  type AccountOutcome,
  type CardOutcome,
  idPattern,
  type Outcome,
  type RefundOutcome,
} from './messages.ts';
import { createNotifier, type Notifier, noticeTables } from './notify.ts';
import { createRefunds } from './refunds.ts';
import { createReplayGuard, replayTables } from './replay-guard.ts';
import { type Calls, Faulty, faultOf, find, isId, routesOf, type Teller } from './routes.ts';
import { createVerifier, type Hear } from './signature.ts';
import { openStore } from './store.ts';

export interface ServeOptions {
  host: string;
  port: number;
  /** Directory of the journal, created if missing. */
  dataDir: string;
  /** Newest first. Notices are signed with each of them, and a call may be signed with any. */
  secrets: readonly string[];
  /** The service's address for notices; null to send none. */
  serviceUrl: string | null;
  now?: () => number;
  /** Interval at which old notes and journal entries are deleted. Default: an hour. */
  pruneEveryMs?: number;
  /** Receives log lines for the operator, never with a card, a key or a query. */
  log?: (line: Record<string, unknown>) => void;
}

export interface Served extends Listening {
  notices: Notifier;
}

/**
 * Retention of notes and journal entries, except those of cards: older charges can no longer be
 * charged back, refunded or queried.
 */
const keptMs = 550 * 86_400_000;

const dayMs = 86_400_000;
/** Number of recent notes to retain: at most 80 MB of browsers that typed a card. */
const mostRecent = 50_000;

/**
 * Builds a connector from what it needs: its address, the notifier, the notes, the check whether a
 * code may be paid, and the log. When a code may be paid, `intend` also stores in the journal the
 * charge that the service created.
 */
export type Build = (
  given: Pick<Notifier, 'tell'> & {
    origin: string;
    /** Returns the charge that a call registered under this name; null if there is none here. */
    attemptOf: (name: string) => string | null;
    notes: Pick<Notes, 'keep' | 'read'>;
    /** Notes that strangers may cause. The last 50,000 stay, for a day. */
    recentNotes: Pick<Notes, 'keep' | 'read'>;
    intend: Intend;
    log: (line: Record<string, unknown>) => void;
  },
) => Connector;

/** Handles calls: pages are public, everything else needs a signature. */
export function handler(
  connector: Teller,
  calls: Calls,
  { secrets, now, log, hear }: Pick<Resolved, 'secrets' | 'now' | 'log'> & { hear: Hear },
): Handle {
  const routes = routesOf(connector, calls);
  const verify = createVerifier(secrets, hear, { now });

  return async (request) => {
    const { ways, ids } = find(routes, request.path);
    if (ways.size === 0) {
      const page = await connector.page?.(request, calls.charges);
      return page ?? fault(404, `There is no ${request.path.slice(0, 100)}.`);
    }
    const route = ways.get(request.method);
    if (!route) {
      const allowed = [...ways.keys()].join(', ');
      const answer = fault(405, `This address takes ${allowed}.`);
      return { ...answer, headers: { ...answer.headers, allow: allowed } };
    }
    // Ignores the body of a GET: the signature would cover it instead of the address.
    const body = request.method === 'GET' ? '' : request.body;
    const { method, address: path } = request;
    const heard = await verify(request.headers, { method, path, body });
    if ('fault' in heard) return fault(401, heard.fault);
    try {
      if (!Object.values(ids).every(isId)) throw new Faulty(`An id must match ${idPattern}.`);
      return json(200, await route({ ...request, message: heard.message }, ids));
    } catch (error) {
      const answer = faultOf(error);
      if (answer.status === 502) log({ level: 'error', path: request.path, error: String(error) });
      return answer;
    }
  };
}

/** Runs a background task until it is stopped. */
function runBackground(
  background: Connector['background'],
  what: string,
  log: Resolved['log'],
): { stop: () => Promise<void> } {
  if (!background) return { stop: async () => {} };
  const { everyMs, run } = background;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const stopping = new AbortController();
  const stopped = stopping.signal;
  const again = (): void => {
    running = run(stopped).catch((error: unknown) => {
      if (!stopped.aborted) log({ level: 'error', what, error: String(error) });
    });
    void running.then(() => {
      if (!stopped.aborted) timer = setTimeout(again, everyMs);
    });
  };
  again();
  return {
    stop: async () => {
      stopping.abort();
      clearTimeout(timer);
      await running;
    },
  };
}

type Resolved = ServeOptions & Required<Pick<ServeOptions, 'now' | 'log'>>;

/** Puts a connector on the network: routes, signatures, journal, notices. */
export async function serve(build: Build, given: ServeOptions): Promise<Served> {
  const options: Resolved = { now: () => Date.now(), log: () => {}, ...given };
  const { dataDir, now, log, pruneEveryMs = 3_600_000 } = options;
  const store = openStore(dataDir, 'journal.sqlite', journalTables + noticeTables + replayTables);
  const chargeJournal = createJournal<StoredCharge, Outcome>(store, 'charge', now);
  const refundJournal = createJournal<StoredRefund, RefundOutcome>(store, 'refund', now);
  const holdJournal = createJournal<StoredHold, Outcome>(store, 'hold', now);
  const accountJournal = createJournal<StoredAccount, AccountOutcome>(store, 'account', now);
  const cardJournal = createJournal<StoredCard, CardOutcome>(store, 'card', now);
  const notes = createNotes(store, now);
  const recentNotes = createRecentNotes(store, now, mostRecent);
  const prune = async (): Promise<void> => {
    for (const one of [notes, chargeJournal, refundJournal, holdJournal, accountJournal]) {
      await one.prune(now() - keptMs);
    }
    await recentNotes.prune(now() - dayMs);
    await notices.prune();
  };

  // Listens first: the manifest needs the frame's address.
  const ready = Promise.withResolvers<Handle>();
  const listening = await openHttp(
    options,
    async (request) => (await ready.promise)(request),
    (line) => log({ level: line.status >= 500 ? 'error' : 'info', ...line }),
  );
  const notices = createNotifier(store, options);
  const intend: Intend = async (intention) => {
    const answer = await createIntend(options, connector.manifest.name)(intention);
    if (answer.status === 'fail') return answer;
    const { trx, amount } = intention;
    const begunAt = new Date(now()).toISOString();
    await calls.charges.begun(answer.attempt, { trx, amount, channel: 'qr', begunAt });
    return answer;
  };
  const connector = build({
    origin: listening.origin,
    tell: notices.tell,
    attemptOf: notes.read,
    notes,
    recentNotes,
    intend,
    log,
  });
  notices.start(connector.manifest.name);
  const channelOf = (attempt: string) => chargeJournal.read(attempt)?.kept.channel ?? null;
  const charges = createCharges(connector, chargeJournal, notes, now);
  const calls = {
    charges,
    holds: connector.holds ? createHolds(connector, holdJournal, charges) : null,
    refunds: createRefunds(connector, refundJournal, channelOf),
    cards: connector.cards ? createCards(connector, cardJournal, now) : null,
    accounts: connector.accounts ? createAccounts(connector, accountJournal) : null,
  };
  ready.resolve(handler(connector, calls, { ...options, hear: createReplayGuard(store) }));
  const background = runBackground(connector.background, 'a listing failed', log);
  const pruning = runBackground({ everyMs: pruneEveryMs, run: prune }, 'pruning failed', log);
  return {
    origin: listening.origin,
    notices,
    stop: async () => {
      await Promise.all([background.stop(), pruning.stop()]);
      await notices.stop();
      await listening.stop();
      store.close();
    },
  };
}
