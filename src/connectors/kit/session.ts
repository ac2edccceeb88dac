// Longer than 300 lines: one session of the kit, its calls and the shapes that its checks read.
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Dispatcher, Pool } from 'undici';
import { cardNumbersIn } from '../../../connectors/protocol/card-number.ts';
import {
  type ChargeList,
  chargeListSchema,
  type Instrument,
  type Manifest,
  manifestSchema,
  type Outcome,
  outcomeSchema,
  type RefundOutcome,
  refundOutcomeSchema,
  type TestCase,
  type TestCaseName,
} from '../../../connectors/protocol/messages.ts';
import { bodyFor, sign, signedText } from '../../../connectors/protocol/signature.ts';
import { withoutSlashes } from '../../kernel/text.ts';
import { wallClock } from '../../platform/clocks.ts';
import { payerOf } from './payer.ts';

export interface Answer {
  status: number;
  /** Undefined if the answer is not JSON. */
  body: unknown;
  headers: Dispatcher.ResponseData['headers'];
}

export interface CallOptions {
  /** Replaces the correct headers. */
  headers?: Record<string, string>;
  /** A verbatim body in place of JSON. */
  raw?: string;
}

/** A broken guarantee. The message states the evidence. */
export class Broken extends Error {}
/** The connector does not offer the feature, so there is nothing to check. */
export class NotOffered extends Error {}

export function must(holds: boolean, seen: string): asserts holds {
  if (!holds) throw new Broken(seen);
}

/** Decodes base64 in an answer's texts, even if encoded twice. */
export function decoded(text: string, depth = 2): string {
  const found = text.match(/[A-Za-z0-9+/_-]{16,}={0,2}/g) ?? [];
  const inner = found.map((one) => Buffer.from(one, 'base64').toString('latin1')).join('\n');
  return depth > 1 && inner !== '' ? `${inner}\n${decoded(inner, depth - 1)}` : inner;
}

const callTimeoutMs = 130_000;
const mostAnswerBytes = 1024 * 1024;

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const quoted = (value: unknown): string => (JSON.stringify(value) ?? String(value)).slice(0, 300);

/** Returns a function that checks an answer against the protocol and returns its body. */
export function readerOf<T>(schema: TSchema, what: string): (answer: Answer) => T {
  const compiled = Compile(schema);
  return ({ status, body }) => {
    must(status === 200, `${what} got status ${status}: ${quoted(body)}`);
    const [first] = compiled.Errors(body);
    must(!first, `${what} breaks the protocol: ${first?.instancePath} ${first?.message}`);
    return body as T;
  };
}

export const readManifest = readerOf<Manifest>(manifestSchema, 'The manifest');
export const readOutcome = readerOf<Outcome>(outcomeSchema, 'An outcome');
export const readRefund = readerOf<RefundOutcome>(refundOutcomeSchema, 'The outcome of a refund');
export const readList = readerOf<ChargeList>(chargeListSchema, 'The list of charges');

export interface Session {
  secrets: readonly string[];
  manifest: Manifest;
  call: (method: string, path: string, body?: object, options?: CallOptions) => Promise<Answer>;
  /** Writes a call and breaks the connection before it is answered. */
  cut: (method: string, path: string, body: object) => Promise<void>;
  /** Sends a GET about a charge, refund or card. */
  ask: (path: string) => Promise<Answer>;
  pages: <T extends { next?: string }>(
    path: string,
    range: { from: string; until: string },
    read: (answer: Answer) => T,
  ) => Promise<T[]>;
  /** Returns the acquirer's listed charges since a day before this run. */
  charges: () => Promise<ChargeList['charges']>;
  /** Returns a charge's entries in the list. */
  listed: (attempt: string) => Promise<ChargeList['charges']>;
  /** Polls until a condition holds, for at most `patienceMs`. Returns the last value. */
  until: <T>(read: () => Promise<T>, holds: (value: T) => boolean) => Promise<T>;
  /** Entries of the list before the kit's first charge. */
  before: ReadonlySet<string>;
  /** The amount ordered for each charge of this run, by attempt. */
  ordered: ReadonlyMap<string, number>;
  newAttempt: () => string;
  orderOf: (name: TestCaseName, changes?: Record<string, unknown>) => Promise<Order>;
  nowMs: () => number;
  measured: { putMs: number[]; cardNumbers: string[]; answers: number };
  close: () => Promise<void>;
}

export type Order = Record<string, unknown> & { attempt: string; amount: number };

/** Returns a key that identifies an entry of the list. */
export const nameOf = ({ attempt, payment, reference }: ChargeList['charges'][number]): string =>
  `${attempt ?? payment?.trx} ${reference}`;

/** The kit's account, which is never a real one. */
export const kitAccount = { id: '000000C1', settings: {} };
const askEveryMs = 250;
const dayMs = 86_400_000;

export interface SessionOptions {
  url: string;
  secrets: readonly string[];
  /** Maximum wait for a state that settles by itself. */
  patienceMs: number;
}

const isoAt = (ms: number): string => Temporal.Instant.fromEpochMilliseconds(ms).toString();

const nowMs = (): number => wallClock.nowMs();

/** Returns functions that make signed calls to the connector and measure its answers. */
function openCalls(url: string, secrets: readonly string[]) {
  const { origin, pathname } = new URL(url);
  const root = withoutSlashes(pathname);
  const pool = new Pool(origin, { connections: 32, headersTimeout: callTimeoutMs });
  const measured: Session['measured'] = { putMs: [], cardNumbers: [], answers: 0 };

  const call: Session['call'] = async (method, path, body, { headers, raw } = {}) => {
    const address = `${root}${path}`;
    const text = raw ?? (body === undefined ? '' : bodyFor(method, path, body));
    const seconds = Math.floor(nowMs() / 1000);
    const began = performance.now();
    const answer = await pool.request({
      method: method as Dispatcher.HttpMethod,
      path: address,
      headers: {
        ...(text !== '' && { 'content-type': 'application/json' }),
        ...(headers ?? sign(secrets, signedText({ method, path, body: text }), { seconds })),
      },
      body: text === '' ? null : text,
      signal: AbortSignal.timeout(callTimeoutMs),
    });
    const said = (await answer.body.text()).slice(0, mostAnswerBytes);
    if (method === 'PUT' && answer.statusCode === 200) {
      measured.putMs.push(performance.now() - began);
    }
    measured.answers += 1;
    const all = `${said}\n${JSON.stringify(answer.headers)}`;
    measured.cardNumbers.push(...cardNumbersIn(all), ...cardNumbersIn(decoded(all)));
    return { status: answer.statusCode, body: jsonIn(said), headers: answer.headers };
  };

  const cut: Session['cut'] = async (method, path, body) => {
    const text = bodyFor(method, path, body);
    const seconds = Math.floor(nowMs() / 1000);
    const ending = new AbortController();
    const sent = pool.request({
      method: method as Dispatcher.HttpMethod,
      path: `${root}${path}`,
      headers: { 'content-type': 'application/json', ...sign(secrets, text, { seconds }) },
      body: text,
      signal: ending.signal,
    });
    // Long enough for the connector to read the call, too short for an acquirer's answer.
    setTimeout(() => ending.abort(), 10);
    await sent.then(
      (answer) => answer.body.dump(),
      () => {},
    );
  };

  return { call, cut, measured, close: () => pool.close() };
}

const createUntil =
  (patienceMs: number): Session['until'] =>
  async (read, holds) => {
    const end = nowMs() + patienceMs;
    for (;;) {
      const value = await read();
      if (holds(value) || nowMs() > end) return value;
      const { promise, resolve } = Promise.withResolvers<void>();
      setTimeout(resolve, askEveryMs);
      await promise;
    }
  };

const pagesBy =
  (call: Session['call']): Session['pages'] =>
  async (path, range, read) => {
    const found: ReturnType<typeof read>[] = [];
    const seen = new Set<string>();
    for (let after: string | undefined = ''; after !== undefined; ) {
      const query = new URLSearchParams({ ...range, ...(after && { after }) });
      const page = read(await call('GET', `${path}?${query}`));
      found.push(page);
      after = page.next;
      must(after === undefined || !seen.has(after), `The pages of the list lead back to ${after}.`);
      if (after !== undefined) seen.add(after);
    }
    return found;
  };

export async function openSession({ url, secrets, patienceMs }: SessionOptions): Promise<Session> {
  const { call, cut, measured, close } = openCalls(url, secrets);
  const pages = pagesBy(call);
  const first = nowMs();
  let attempts = 0;
  const ordered = new Map<string, number>();

  const manifest = readManifest(
    await call('GET', '/manifest').catch((error: Error) => {
      throw new Error(`The connector is unreachable at ${url}: ${error.message}.`);
    }),
  );

  const charges: Session['charges'] = async () => {
    const range = { from: isoAt(first - dayMs), until: isoAt(nowMs() + dayMs) };
    return (await pages('/charges', range, readList)).flatMap((page) => page.charges);
  };

  async function instrumentOf(name: TestCaseName, { instrument }: TestCase): Promise<unknown> {
    if (instrument !== undefined) return instrument;
    const { status, body } = await call('POST', '/test/instruments', { case: name });
    const isOne = status === 200 && typeof body === 'object' && body !== null;
    must(
      isOne && 'instrument' in body,
      `No instrument for ${name}: status ${status}, ${quoted(body)}`,
    );
    return body.instrument as Instrument;
  }

  const newAttempt = (): string => {
    attempts += 1;
    return `${kitAccount.id}-${first}${String(attempts).padStart(4, '0')}`;
  };

  const orderOf: Session['orderOf'] = async (name, changes = {}) => {
    const found = manifest.test?.[name];
    if (!found) throw new NotOffered(`The manifest has no case ${name}.`);
    const attempt = newAttempt();
    const amount = found.amount ?? 150_075;
    const order = {
      attempt,
      business_time: isoAt(nowMs()),
      channel: found.channel,
      amount,
      currency: 'ARS',
      account: kitAccount,
      request: { id: '1', description: 'Conformance' },
      payer: payerOf(manifest, found.channel),
      instrument: await instrumentOf(name, found),
      return_url: 'https://example.com/back',
      deadline: isoAt(nowMs() + 120_000),
      ...changes,
    };
    ordered.set(order.attempt, order.amount);
    return order;
  };

  return {
    secrets,
    manifest,
    before: new Set((await charges().catch(() => [])).map(nameOf)),
    ordered,
    call,
    cut,
    ask: (path) =>
      call(
        'GET',
        `${path}?${new URLSearchParams({ account: kitAccount.id, business_time: isoAt(nowMs()), settings: Buffer.from('{}').toString('base64url') })}`,
      ),
    pages,
    charges,
    listed: async (attempt) => (await charges()).filter((one) => one.attempt === attempt),
    until: createUntil(patienceMs),
    newAttempt,
    orderOf,
    nowMs,
    measured,
    close,
  };
}

export const chargeAt = ({ attempt }: { attempt: string }): string => `/charges/${attempt}`;

/** Sends an order and returns its outcome. Any other answer breaks a guarantee. */
export const put = async ({ call }: Session, order: Order): Promise<Outcome> =>
  readOutcome(await call('PUT', chargeAt(order), order));

/**
 * Polls until a charge is no longer pending, for at most `patienceMs`. Returns its last outcome.
 */
export const settled = async ({ until, ask }: Session, order: Order): Promise<Outcome> =>
  await until(
    async () => readOutcome(await ask(chargeAt(order))),
    ({ outcome }) => outcome !== 'pending',
  );
