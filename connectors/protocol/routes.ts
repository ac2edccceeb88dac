import type { AccountCalls } from './accounts.ts';
import type { CardCalls } from './cards.ts';
import { type About, Changed, type ChargeCalls } from './charges.ts';
import { type Connector, type ListQuery, Unfit } from './connector.ts';
import { reader } from './faults.ts';
import type { HoldCalls } from './holds.ts';
import { type Answer, fault, type Request } from './http.ts';
import {
  cancelSchema,
  chargeSchema,
  forgetSchema,
  holdSchema,
  idPattern,
  keepSchema,
  listQuerySchema,
  openSchema,
  querySchema,
  refundSchema,
  testInstrumentSchema,
  testPaymentSchema,
} from './messages.ts';
import type { RefundCalls } from './refunds.ts';

const readCharge = reader(chargeSchema);
const readCancel = reader(cancelSchema);
const readHold = reader(holdSchema);
const readKeep = reader(keepSchema);
const readForget = reader(forgetSchema);
const readOpen = reader(openSchema);
const readRefund = reader(refundSchema);
const readQuery = reader(querySchema);
const readList = reader(listQuerySchema);
const readTestInstrument = reader(testInstrumentSchema);
const readTestPayment = reader(testPaymentSchema);

/** The call violates the protocol: answered with 400. */
export class Faulty extends Error {}

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
    throw new Faulty('settings must be JSON, encoded as base64url.');
  }
};

/** Returns the account that a list is restricted to, or null if there is none. */
function accountIn({ account: id, settings = '' }: { account?: string; settings?: string }) {
  if (id === undefined) return null;
  const told = settingsIn(Buffer.from(settings, 'base64url').toString('utf8'));
  if (typeof told !== 'object' || told === null) throw new Faulty('settings must be an object.');
  return { id, settings: { ...told } };
}

/** Rejects bodies whose ids differ from the address, because either could be wrong. */
function sameIds(address: Record<string, string>, body: object): void {
  const told = new Map<string, unknown>(Object.entries(body));
  for (const [name, value] of Object.entries(address)) {
    if (told.get(name) !== value) throw new Faulty(`${name} must be ${value}, as in the path.`);
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

/** A call with a valid signature; `message` is its body as JSON, or undefined if it is not JSON. */
type Heard = Request & { message: unknown };
export type Route = (request: Heard, ids: Record<string, string>) => Promise<unknown>;

/** A connector's calls on charges, holds, refunds, cards on file and accounts for transfers. */
export interface Calls {
  charges: Pick<ChargeCalls, 'put' | 'get' | 'cancel' | 'known' | 'remember'>;
  refunds: RefundCalls;
  /** Null if it authorizes nothing. */
  holds: HoldCalls | null;
  /** Null if it stores no cards. */
  cards: CardCalls | null;
  /** Null if it opens no accounts. */
  accounts: AccountCalls | null;
}

/** The rest of a connector, which the routes call directly. */
export type Teller = Pick<
  Connector,
  | 'manifest'
  | 'list'
  | 'listTransfers'
  | 'listSettlements'
  | 'testInstrument'
  | 'testPayment'
  | 'page'
>;

/** Returns the order in a body, whose ids must match the address. */
function orderOf<T extends object>(
  read: (value: unknown) => { value: T } | { fault: string },
  { message }: Heard,
  ids: Record<string, string>,
): T {
  const order = meant(read(messageIn(message)));
  sameIds(ids, order);
  return order;
}

const cardRoutes = (cards: CardCalls): Record<string, Route> => ({
  'PUT /cards/:card': (request, ids) => cards.put(orderOf(readKeep, request, ids)),
  'GET /cards/:card': ({ query }, { card = '' }) => {
    const { account, businessTime } = aboutOf(card, query);
    return cards.get({ card, account, businessTime });
  },
  'POST /cards/:card/forget': (request, ids) => cards.forget(orderOf(readForget, request, ids)),
});

/** Returns the calls of the protocol, by method and address. */
export function routesOf(
  connector: Teller,
  { charges, refunds, holds, cards, accounts }: Calls,
): Record<string, Route> {
  const { manifest, listTransfers, listSettlements, testInstrument, testPayment } = connector;
  const signal = (): AbortSignal => AbortSignal.timeout(60_000);
  const remember = async (): Promise<void> => {};
  const begunAt = (attempt: string) => charges.known(attempt)?.begunAt ?? null;
  const listIn = (query: URLSearchParams): ListQuery => {
    const told = meant(readList(Object.fromEntries(query)));
    const { from, until, after = null } = told;
    return { from, until, after, account: accountIn(told), begunAt };
  };
  return {
    'GET /manifest': async () => manifest,
    'GET /charges': async ({ query }) =>
      await connector.list(listIn(query), { signal: signal(), remember }),
    ...(listTransfers && {
      'GET /transfers': async ({ query }: Heard) =>
        await listTransfers(listIn(query), { signal: signal(), remember }),
    }),
    ...(listSettlements && {
      'GET /settlements': async ({ query }: Heard) =>
        await listSettlements(listIn(query), { signal: signal(), remember }),
    }),
    'PUT /charges/:attempt': (request, ids) => charges.put(orderOf(readCharge, request, ids)),
    'GET /charges/:attempt': ({ query }, { attempt = '' }) => charges.get(aboutOf(attempt, query)),
    'POST /charges/:attempt/cancel': (request, ids) =>
      charges.cancel(orderOf(readCancel, request, ids)),
    'PUT /charges/:attempt/refunds/:refund': (request, ids) =>
      refunds.put(orderOf(readRefund, request, ids)),
    'GET /charges/:attempt/refunds/:refund': ({ query }, { attempt = '', refund = '' }) =>
      refunds.get({ ...aboutOf(attempt, query), refund }),
    ...(holds && {
      'PUT /charges/:attempt/capture': (request: Heard, ids: Record<string, string>) =>
        holds.capture(orderOf(readHold, request, ids)),
      'PUT /charges/:attempt/void': (request: Heard, ids: Record<string, string>) =>
        holds.void(orderOf(readHold, request, ids)),
    }),
    ...(cards && cardRoutes(cards)),
    ...(accounts && {
      'PUT /accounts/:reference': (request: Heard, ids: Record<string, string>) =>
        accounts.put(orderOf(readOpen, request, ids)),
    }),
    ...(testInstrument && {
      'POST /test/instruments': async ({ message }: Heard) => {
        const { case: name } = meant(readTestInstrument(messageIn(message)));
        return { instrument: await testInstrument(name, { signal: signal(), remember }) };
      },
    }),
    ...(testPayment && {
      'POST /test/payments': ({ message }: Heard) =>
        testPayment(meant(readTestPayment(messageIn(message))), { signal: signal(), remember }),
    }),
  };
}

interface Found {
  /** Methods of this address, with their routes. */
  ways: Map<string, Route>;
  ids: Record<string, string>;
}

/** Finds the routes of an address. */
export function find(routes: Record<string, Route>, address: string): Found {
  const parts = address.split('/');
  const ways = new Map<string, Route>();
  let ids: Record<string, string> = {};
  for (const [name, route] of Object.entries(routes)) {
    const [method = '', pattern = ''] = name.split(' ');
    const segments = pattern.split('/');
    const fits =
      segments.length === parts.length &&
      segments.every((part, at) => part.startsWith(':') || part === parts[at]);
    if (!fits) continue;
    ways.set(method, route);
    ids = Object.fromEntries(
      segments.flatMap((part, at) =>
        part.startsWith(':') ? [[part.slice(1), parts[at] ?? '']] : [],
      ),
    );
  }
  return { ways, ids };
}

export const isId = (text: string): boolean => new RegExp(idPattern).test(text);

/** Returns the answer for an error of a connector's function. */
export function faultOf(error: unknown): Answer {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof Faulty) return fault(400, text);
  if (error instanceof Changed) return fault(409, text);
  if (error instanceof Unfit) return fault(422, text);
  return fault(502, `The outcome is unknown: ${text}`);
}
