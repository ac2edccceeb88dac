import { type About, Changed, type ChargeCalls, createCharges } from './charges.ts';
import { type Connector, type KeptCharge, type KeptRefund, Unfit } from './connector.ts';
import { reader } from './faults.ts';
import { createHeard, heardTables } from './heard.ts';
import {
  type Answer,
  fault,
  type Handle,
  json,
  type Listening,
  openHttp,
  type Request,
} from './http.ts';
import { createJournal, journalTables } from './journal.ts';
import {
  cancelSchema,
  chargeSchema,
  idPattern,
  listQuerySchema,
  type Outcome,
  querySchema,
  type RefundOutcome,
  refundSchema,
  testInstrumentSchema,
} from './messages.ts';
import { createNotifier, type Notifier, noticeTables } from './notify.ts';
import { createRefunds, type RefundCalls } from './refunds.ts';
import { createVerifier, type Hear } from './signature.ts';
import { openStore } from './store.ts';

export interface ServeOptions {
  host: string;
  port: number;
  /** Keeps the journal; made where it is missing. */
  dataDir: string;
  /** The newest first: it signs; all are believed. */
  secrets: readonly string[];
  /** Where notices go: the service's own address. Null: none are told. */
  serviceUrl: string | null;
  now?: () => number;
  /** Lines for the operator; nothing of a card, a key or a query is in them. */
  log?: (line: Record<string, unknown>) => void;
}

const readCharge = reader(chargeSchema);
const readCancel = reader(cancelSchema);
const readRefund = reader(refundSchema);
const readQuery = reader(querySchema);
const readList = reader(listQuerySchema);
const readTestInstrument = reader(testInstrumentSchema);

class Faulty extends Error {}

const meant = <T>(read: { value: T } | { fault: string }): T => {
  if ('fault' in read) throw new Faulty(read.fault);
  return read.value;
};

const messageIn = (message: unknown): unknown => {
  if (message === undefined) throw new Faulty('The body must be JSON.');
  return message;
};

const settingsIn = (text: string): unknown => {
  try {
    return text === '' ? {} : JSON.parse(text);
  } catch {
    throw new Faulty('settings, as base64url, must be JSON.');
  }
};

/** Ids of the body must be those of the address: which of them is right, nobody could say. */
function sameIds(address: Record<string, string>, body: object): void {
  const told = new Map<string, unknown>(Object.entries(body));
  for (const [name, value] of Object.entries(address)) {
    if (told.get(name) !== value)
      throw new Faulty(`${name} must be that of the address, ${value}.`);
  }
}

function aboutOf(attempt: string, query: URLSearchParams): About {
  const given = meant(readQuery(Object.fromEntries(query)));
  const text = Buffer.from(given.settings ?? '', 'base64url').toString('utf8');
  const settings = settingsIn(text);
  if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
    throw new Faulty('settings must be an object.');
  }
  return {
    attempt,
    account: { id: given.account, settings: { ...settings } },
    businessTime: given.business_time,
  };
}

/** A call whose signature is right; `message`: its body as JSON, undefined where it is none. */
type Heard = Request & { message: unknown };
type Route = (request: Heard, ids: Record<string, string>) => Promise<unknown>;

interface Calls {
  charges: ChargeCalls;
  refunds: RefundCalls;
}

function routesOf(connector: Connector, { charges, refunds }: Calls): Record<string, Route> {
  const { manifest, testInstrument } = connector;
  const signal = (): AbortSignal => AbortSignal.timeout(60_000);
  const remember = async (): Promise<void> => {};
  const orderOf = <T extends object>(
    read: (value: unknown) => { value: T } | { fault: string },
    { message }: Heard,
    ids: Record<string, string>,
  ): T => {
    const order = meant(read(messageIn(message)));
    sameIds(ids, order);
    return order;
  };
  return {
    'GET /manifest': async () => manifest,
    'GET /charges': async ({ query }) => {
      const { from, until, after = null } = meant(readList(Object.fromEntries(query)));
      const begunAt = (attempt: string) => charges.known(attempt)?.begunAt ?? null;
      return await connector.list({ from, until, after, begunAt }, { signal: signal(), remember });
    },
    'PUT /charges/:attempt': (request, ids) => charges.put(orderOf(readCharge, request, ids)),
    'GET /charges/:attempt': ({ query }, { attempt = '' }) => charges.get(aboutOf(attempt, query)),
    'POST /charges/:attempt/cancel': (request, ids) =>
      charges.cancel(orderOf(readCancel, request, ids)),
    'PUT /charges/:attempt/refunds/:refund': (request, ids) =>
      refunds.put(orderOf(readRefund, request, ids)),
    'GET /charges/:attempt/refunds/:refund': ({ query }, { attempt = '', refund = '' }) =>
      refunds.get({ ...aboutOf(attempt, query), refund }),
    ...(testInstrument && {
      'POST /test/instruments': async ({ message }: Heard) => {
        const { case: name } = meant(readTestInstrument(messageIn(message)));
        return { instrument: await testInstrument(name, { signal: signal(), remember }) };
      },
    }),
  };
}

interface Found {
  /** The methods of this address, with their routes. */
  ways: Map<string, Route>;
  ids: Record<string, string>;
}

/** The routes of an address. */
function find(routes: Record<string, Route>, address: string): Found {
  const parts = address.split('/');
  const ways = new Map<string, Route>();
  let ids: Record<string, string> = {};
  for (const [name, route] of Object.entries(routes)) {
    const [method = '', pattern = ''] = name.split(' ');
    const wanted = pattern.split('/');
    const fits =
      wanted.length === parts.length &&
      wanted.every((part, at) => part.startsWith(':') || part === parts[at]);
    if (!fits) continue;
    ways.set(method, route);
    ids = Object.fromEntries(
      wanted.flatMap((part, at) =>
        part.startsWith(':') ? [[part.slice(1), parts[at] ?? '']] : [],
      ),
    );
  }
  return { ways, ids };
}

const isId = (text: string): boolean => new RegExp(idPattern).test(text);

/** How what a function of the connector threw is answered. */
function faultOf(error: unknown): Answer {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof Faulty) return fault(400, text);
  if (error instanceof Changed) return fault(409, text);
  if (error instanceof Unfit) return fault(422, text);
  return fault(502, `What came of it is not known: ${text}`);
}

export interface Served extends Listening {
  notices: Notifier;
}

/** Old entries are of no more use: nothing is charged back, given back or asked about after that. */
const keptMs = 550 * 86_400_000;

/** What a connector is built with: where it is reached, and how it tells notices. */
export type Build = (given: Pick<Notifier, 'tell'> & { origin: string }) => Connector;

/** How calls are answered: pages as they are, everything else only with a signature. */
function handler(
  connector: Connector,
  calls: Calls,
  { secrets, now, log, hear }: Resolved & { hear: Hear },
): Handle {
  const routes = routesOf(connector, calls);
  const verify = createVerifier(secrets, hear, now);

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
    // A body of a GET would be signed in the place of the address, which is what is obeyed.
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

/** Runs what a connector does by itself; answers how to stop it. */
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
  const store = openStore(dataDir, 'journal.sqlite', journalTables + noticeTables + heardTables);
  const chargeJournal = createJournal<KeptCharge, Outcome>(store, 'charge', now);
  const refundJournal = createJournal<KeptRefund, RefundOutcome>(store, 'refund', now);
  await chargeJournal.prune(now() - keptMs);
  await refundJournal.prune(now() - keptMs);

  // It listens first: a connector says in its manifest where its frame is.
  const ready = Promise.withResolvers<Handle>();
  const listening = await openHttp(
    options,
    async (request) => (await ready.promise)(request),
    (line) => log({ level: line.status >= 500 ? 'error' : 'info', ...line }),
  );
  const notices = createNotifier(store, options);
  const connector = build({ origin: listening.origin, tell: notices.tell });
  notices.start(connector.manifest.name);
  const channelOf = (attempt: string) => chargeJournal.read(attempt)?.kept.channel ?? null;
  const calls = {
    charges: createCharges(connector, chargeJournal, now),
    refunds: createRefunds(connector, refundJournal, channelOf),
  };
  ready.resolve(handler(connector, calls, { ...options, hear: createHeard(store) }));
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
