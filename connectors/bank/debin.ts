import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import {
  type Call,
  type ChargeCall,
  type ChargeInquiry,
  type ListQuery,
  NeverSent,
  Unfit,
} from '../protocol/connector.ts';
import { reader } from '../protocol/faults.ts';
import type { ChargeList, ChargeOrder, Outcome } from '../protocol/messages.ts';
import { type Api, codeOf } from './api.ts';
import type { BankConfig } from './config.ts';
import {
  type ListWindow,
  lastDays,
  pageIn,
  pageSize,
  queryWindow,
  rowsOf,
  windowOf,
} from './lists.ts';
import { meaningOf } from './refusals.ts';

const debins = '/transaction-request-types/DEBIN';
/** The bank's longest expiry for a DEBIN, in minutes. */
const expiresMinutes = 4320;
const dayMs = 86_400_000;

const debinSchema = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  status: Type.String(),
  status_description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  start_date: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  details: Type.Optional(
    Type.Object({ origin_id: Type.Optional(Type.Union([Type.String(), Type.Null()])) }),
  ),
  charge: Type.Object({ value: Type.Object({ currency: Type.String(), amount: Type.Number() }) }),
});
export type Debin = Static<typeof debinSchema>;
export const readDebin = reader(debinSchema);

/** Dependencies of this connector's functions. */
export interface Desk {
  config: BankConfig;
  api: Api;
  /** Returns our attempt by the bank's DEBIN id or by the `origin_id` that we sent; else null. */
  attemptOf: (name: string) => string | null;
  log: (line: Record<string, unknown>) => void;
}

/** Converts centavos to the bank's decimal pesos without binary fractions. */
export const pesosOf = (centavos: number): number =>
  Number(`${Math.floor(centavos / 100)}.${String(centavos % 100).padStart(2, '0')}`);
export const centavosOf = (pesos: number): number => Math.round(pesos * 100);

/** Returns the order's id at the bank: a stable digest of our id, of 15 characters. */
export const originOf = ({ prefix }: BankConfig, attempt: string): string =>
  BigInt(`0x${createHash('sha256').update(`${prefix}-${attempt}`).digest('hex')}`)
    .toString(36)
    .slice(0, 15);

/** Finds the charge of a DEBIN in our journal, because the bank does not echo the description. */
export const attemptIn = ({ attemptOf }: Desk, { id, details }: Debin): string | null =>
  attemptOf(id) ?? attemptOf(details?.origin_id ?? '');

type State = 'approved' | 'rejected' | 'pending' | 'canceled';
const states: Readonly<Record<string, State>> = {
  COMPLETED: 'approved',
  ACCREDITED: 'approved',
  // Disowned by the payer: reported as collected, then as a chargeback.
  REFUNDED: 'approved',
  REJECTED_CLIENT: 'rejected',
  REJECTED: 'rejected',
  FAILED: 'rejected',
  EXPIRED: 'rejected',
  CANCELED: 'canceled',
  PENDING: 'pending',
  AWAITING_CONFIRMATION: 'pending',
  IN_PROGRESS: 'pending',
  UNKNOWN: 'pending',
};
export const stateOf = ({ status }: Pick<Debin, 'status'>): State => states[status] ?? 'pending';

/**
 * Returns an alarm for an undocumented state, or for one that may never change again. Else returns
 * null.
 */
const alarmOf = ({ id, status }: Debin): string | null => {
  if (states[status]) return null;
  if (status !== 'UNKNOWN_FOREVER')
    return `DEBIN ${id} is in a state nobody documented: ${status}.`;
  return `DEBIN ${id}: the bank gave up finding out what became of it. Compare its statement.`;
};

export function outcomeOf(debin: Debin): Outcome {
  const state = stateOf(debin);
  const { id: reference, status, status_description: description } = debin;
  if (state === 'approved') {
    return { outcome: 'approved', reference, amount: centavosOf(debin.charge.value.amount) };
  }
  if (state === 'canceled') return { outcome: 'canceled', reference };
  if (state === 'rejected') {
    const text = (description || status).slice(0, 255);
    return { outcome: 'rejected', code: status.slice(0, 32), text, retry: 'other_instrument' };
  }
  const alarm = alarmOf(debin);
  if (alarm === null) return { outcome: 'pending', ask_after_s: 300 };
  return { outcome: 'pending', ask_after_s: 86_400, alarm: alarm.slice(0, 500) };
}

/**
 * Returns the outcome of a refused order. Throws `NeverSent` if the set-up is wrong, and another
 * error if the bank may have taken the order.
 */
function refused(status: number, body: unknown): Outcome {
  if (status === 401 || status === 403) {
    const alarm = `The bank answered ${status}: may this user collect to this account?`;
    throw new NeverSent(alarm, { alarm });
  }
  const code = codeOf(body);
  const meaning = status === 409 && code ? meaningOf(code) : null;
  if (!code || !meaning) {
    throw new Error(
      `The bank answered ${status} ${code ?? ''}, which does not say what became of it.`,
    );
  }
  const text = `${meaning.text} (${code})`;
  if (meaning.is === 'payers') return { outcome: 'rejected', code, text, retry: meaning.retry };
  if (meaning.is === 'order')
    return { outcome: 'rejected', code, text, retry: 'never', alarm: text };
  throw new NeverSent(text, { alarm: text });
}

/** Requests the money from the payer's bank. The bank deduplicates orders by their origin. */
export async function charge(
  { config, api }: Desk,
  { attempt, amount, channel, instrument, request }: ChargeOrder,
  call: ChargeCall,
): Promise<Outcome> {
  if (channel !== 'DEBIN')
    throw new Unfit('The payer makes the transfer, so it cannot be charged.');
  if (instrument.type !== 'bank_account')
    throw new Unfit('A DEBIN needs a bank account as instrument.');
  const origin = originOf(config, attempt);
  const description = [...(request.description ?? '')].slice(0, 100).join('');
  const order = {
    origin_id: origin,
    to: /^\d{22}$/.test(instrument.account)
      ? { cbu: instrument.account }
      : { label: instrument.account },
    value: { currency: 'ARS', amount: pesosOf(amount) },
    concept: 'VAR',
    ...(description !== '' && { description }),
    expiration: expiresMinutes,
  };
  await call.name(origin);
  const path = `${debins}/transaction-requests`;
  const { status, body } = await api.call('POST', path, order, call.signal);
  const read = readDebin(body);
  if (status >= 300 || 'fault' in read) return refused(status, body);
  const debin = read.value;
  if (debin.details?.origin_id !== origin)
    throw new Error('The bank returned another DEBIN than the one ordered.');
  await call.remember({ id: debin.id });
  await call.name(debin.id);
  return outcomeOf(debin);
}

/** Returns one page of DEBINs, in the bank's order. */
export async function pageOf(
  { api }: Desk,
  window: ListWindow,
  page: number,
  signal: AbortSignal,
): Promise<{ rows: Debin[]; isFull: boolean }> {
  const body = await api.page(debins, window, page, signal);
  const rows = body.map((one) => {
    const read = readDebin(one);
    if ('fault' in read) throw new Error(`The bank lists an invalid DEBIN: ${read.fault}`);
    return read.value;
  });
  return { rows, isFull: body.length >= pageSize };
}

/** Codes for an unknown DEBIN. */
const absent = ['TX018', 'TX019'];

export async function readById(
  { api }: Desk,
  id: string,
  signal: AbortSignal,
): Promise<Debin | null> {
  const path = `${debins}/${encodeURIComponent(id)}`;
  const { status, body } = await api.call('GET', path, null, signal);
  if (status === 409 && absent.includes(codeOf(body) ?? '')) return null;
  const read = readDebin(body);
  if (status === 200 && 'value' in read) return read.value;
  throw new Error(`The bank answered a DEBIN with ${status} ${codeOf(body) ?? ''}.`);
}

const rememberedId = (memo: unknown): string | null => {
  const id = typeof memo === 'object' && memo !== null && 'id' in memo ? memo.id : null;
  return typeof id === 'string' ? id : null;
};

/**
 * Returns the days to search for an order whose answer was lost: its own and the next, or the last
 * seven if its time is unknown or in the future.
 */
function windowFor(known: ChargeInquiry['known']): ListWindow {
  const begun = Date.parse(known?.begunAt ?? '');
  return begun <= Date.now() ? windowOf(begun, begun + dayMs) : lastDays(7);
}

export async function find(
  desk: Desk,
  { attempt, known }: Pick<ChargeInquiry, 'attempt' | 'known'>,
  signal: AbortSignal,
): Promise<Debin | null> {
  const id = rememberedId(known?.memo);
  if (id) return await readById(desk, id, signal);
  const origin = originOf(desk.config, attempt);
  const window = windowFor(known);
  for await (const debin of rowsOf((page) => pageOf(desk, window, page, signal))) {
    if (debin.details?.origin_id === origin) return debin;
  }
  return null;
}

/** Cancels an order that the payer has not accepted yet. */
export async function cancel(
  desk: Desk,
  inquiry: Pick<ChargeInquiry, 'attempt' | 'known'>,
  { signal }: Call,
): Promise<Outcome> {
  const debin = await find(desk, inquiry, signal);
  if (!debin) return { outcome: 'unheard' };
  if (stateOf(debin) !== 'pending') return outcomeOf(debin);
  // The answer to the deletion does not say whether the payer can still accept, so read the DEBIN.
  await desk.api.call('DELETE', `${debins}/${encodeURIComponent(debin.id)}`, null, signal);
  const now = await readById(desk, debin.id, signal);
  return now ? outcomeOf(now) : { outcome: 'canceled', reference: debin.id };
}

export async function list(desk: Desk, query: ListQuery, { signal }: Call): Promise<ChargeList> {
  const page = pageIn(query);
  const { rows, isFull } = await pageOf(desk, queryWindow(query), page, signal);
  const charges = rows.flatMap((debin): ChargeList['charges'] => {
    const attempt = attemptIn(desk, debin);
    const at = Date.parse((attempt && query.begunAt(attempt)) || debin.start_date || '');
    if (at < Date.parse(query.from) || at >= Date.parse(query.until)) return [];
    const amount = centavosOf(debin.charge.value.amount);
    const refunded = debin.status === 'REFUNDED' ? amount : 0;
    const name = attempt ?? debin.details?.origin_id ?? debin.id;
    const outcome = stateOf(debin);
    return [{ attempt: name, outcome, reference: debin.id, amount, refunded }];
  });
  return { charges, ...(isFull && { next: String(page + 1) }) };
}

/** Enables the account to collect by DEBIN; the bank requires this once. */
export async function enableSeller({ api }: Desk, signal: AbortSignal): Promise<void> {
  // The documentation names the member `enabled`, but its examples show `adhered`.
  const body = { enabled: true, adhered: true };
  const { status, body: said } = await api.call('PUT', debins, body, signal);
  const adhered = typeof said === 'object' && said !== null && 'adhered' in said && said.adhered;
  if (status === 200 && adhered !== false) return;
  throw new Error(
    `The bank did not accept the account as collector: ${status} ${codeOf(said) ?? ''}`,
  );
}
