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
import { createJournal, createNotes, journalTables, type Notes } from './journal.ts';
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
  /** Newest first: it signs; all of them verify. */
  secrets: readonly string[];
  /** The service's address for notices; null to send none. */
  serviceUrl: string | null;
  now?: () => number;
  /** Receives log lines for the operator, never with a card, a key or a query. */
  log?: (line: Record<string, unknown>) => void;
}

export interface Served extends Listening {
  notices: Notifier;
}

/**
 * Retention of journal entries: older charges can no longer be charged back, refunded or queried.
 */
const keptMs = 550 * 86_400_000;

/**
 * Dependencies of a connector: its address, its notifier, the look-up of a charge by the acquirer's
 * name, and the check whether a code may be paid. An allowed payment is in the journal, as the
 * charge that the service created.
 */
export type Build = (
  given: Pick<Notifier, 'tell'> & {
    origin: string;
    /** Returns the charge that a call registered under this name; null if there is none here. */
    attemptOf: (name: string) => string | null;
    notes: Pick<Notes, 'keep' | 'read'>;
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
    // On a GET, a signed body would replace the signature of the address, which is what counts.
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

/** Runs the background task until it is stopped. */
function runBackground(
  { background }: Connector,
  log: Resolved['log'],
): { stop: () => Promise<void> } {
  if (!background) return { stop: async () => {} };
  const { everyMs, run } = background;
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const again = (): void => {
    running = run().catch((error: unknown) => {
      log({ level: 'error', what: 'a listing failed', error: String(error) });
    });
    void running.then(() => {
      if (!stopped) timer = setTimeout(again, everyMs);
    });
  };
  again();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

type Resolved = ServeOptions & Required<Pick<ServeOptions, 'now' | 'log'>>;

/** Puts a connector on the network: routes, signatures, journal, notices. */
export async function serve(build: Build, given: ServeOptions): Promise<Served> {
  const options: Resolved = { now: () => Date.now(), log: () => {}, ...given };
  const { dataDir, now, log } = options;
  const store = openStore(dataDir, 'journal.sqlite', journalTables + noticeTables + replayTables);
  const chargeJournal = createJournal<StoredCharge, Outcome>(store, 'charge', now);
  const refundJournal = createJournal<StoredRefund, RefundOutcome>(store, 'refund', now);
  const holdJournal = createJournal<StoredHold, Outcome>(store, 'hold', now);
  const accountJournal = createJournal<StoredAccount, AccountOutcome>(store, 'account', now);
  const cardJournal = createJournal<StoredCard, CardOutcome>(store, 'card', now);
  const notes = createNotes(store, now);
  await notes.prune(now() - keptMs);
  await chargeJournal.prune(now() - keptMs);
  await refundJournal.prune(now() - keptMs);
  await holdJournal.prune(now() - keptMs);
  await accountJournal.prune(now() - keptMs);

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
  const background = runBackground(connector, log);
  return {
    origin: listening.origin,
    notices,
    stop: async () => {
      await background.stop();
      await notices.stop();
      await listening.stop();
      store.close();
    },
  };
}
