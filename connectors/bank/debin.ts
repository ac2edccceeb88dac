import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import {
  type Call,
  type ChargeInquiry,
  type ListQuery,
  NeverSent,
  Unfit,
} from '../protocol/connector.ts';
import { reader } from '../protocol/faults.ts';
import type { ChargeList, ChargeOrder, Outcome } from '../protocol/messages.ts';
import type { Api } from './api.ts';
import type { BankConfig } from './config.ts';

const debins = '/transaction-request-types/DEBIN/transaction-requests';
const pageSize = 50;
/** Without an id of the bank, so many of the last orders are looked through. */
const mostPages = 20;
/** The longest that the bank lets a payer think, in minutes. */
const expiresMinutes = 4320;

const debinSchema = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  origin_id: Type.String(),
  status: Type.String(),
  status_description: Type.Optional(Type.String()),
  value: Type.Object({ currency: Type.String(), amount: Type.Number() }),
  description: Type.Optional(Type.String()),
  created: Type.Optional(Type.String()),
});
export type Debin = Static<typeof debinSchema>;
export const readDebin = reader(debinSchema);

/** What the functions of this connector work with. */
export interface Desk {
  config: BankConfig;
  api: Api;
}

/** Pesos as the bank writes them, from centavos; no arithmetic of fractions. */
export const pesosOf = (centavos: number): number =>
  Number(`${Math.floor(centavos / 100)}.${String(centavos % 100).padStart(2, '0')}`);
export const centavosOf = (pesos: number): number => Math.round(pesos * 100);

/** Ids of the bank have 15 characters: a digest of ours, the same each time. */
export const originOf = ({ prefix }: BankConfig, attempt: string): string =>
  BigInt(`0x${createHash('sha256').update(`${prefix}-${attempt}`).digest('hex')}`)
    .toString(36)
    .slice(0, 15);

/** The attempt stands at the end of the description, so that a list can be read. */
const mark = ({ prefix }: BankConfig, attempt: string): string => `[${prefix}-${attempt}]`;

export function attemptOf({ prefix }: BankConfig, { description = '' }: Debin): string | null {
  const [, own, attempt] = /\[([A-Za-z0-9]{1,6})-([A-Za-z0-9-]{1,32})\]$/.exec(description) ?? [];
  return own === prefix && attempt ? attempt : null;
}

const states: Readonly<Record<string, 'approved' | 'rejected' | 'pending' | 'canceled'>> = {
  COMPLETED: 'approved',
  ACCREDITED: 'approved',
  REJECTED: 'rejected',
  FAILED: 'rejected',
  EXPIRED: 'rejected',
  DELETED: 'canceled',
  PENDING: 'pending',
  IN_PROGRESS: 'pending',
  // Disowned by its payer: taken first, and told apart as a chargeback.
  REFUNDED: 'approved',
};
/** A state that nobody knows is waited for. */
export const stateOf = ({ status }: Debin) => states[status] ?? 'pending';

export function outcomeOf(debin: Debin): Outcome {
  const state = stateOf(debin);
  if (state === 'approved') {
    return { outcome: 'approved', reference: debin.id, amount: centavosOf(debin.value.amount) };
  }
  if (state === 'canceled') return { outcome: 'canceled', reference: debin.id };
  if (state === 'pending') return { outcome: 'pending', ask_after_s: 300 };
  const text = (debin.status_description ?? debin.status).slice(0, 255);
  return { outcome: 'rejected', code: debin.status.slice(0, 32), text, retry: 'other_instrument' };
}

export const codeOf = (body: unknown): string | null => {
  const code = typeof body === 'object' && body !== null && 'code' in body ? body.code : null;
  return typeof code === 'string' && code !== '' ? code.slice(0, 32) : null;
};

/** Asks the payer's bank for the money. The bank takes the same order once, by its origin. */
export async function charge(
  { config, api }: Desk,
  { attempt, amount, channel, instrument, request }: ChargeOrder,
  call: Call,
): Promise<Outcome> {
  if (channel !== 'DEBIN') throw new Unfit('Who transfers does so himself: nobody is charged.');
  if (instrument.type !== 'bank_account') throw new Unfit('A DEBIN asks a bank account.');
  const to = /^\d{22}$/.test(instrument.account)
    ? { cbu: instrument.account }
    : { label: instrument.account };
  const end = mark(config, attempt);
  const about = [...(request.description ?? '')].slice(0, 99 - end.length).join('');
  const order = {
    origin_id: originOf(config, attempt),
    to,
    value: { currency: 'ARS', amount: pesosOf(amount) },
    concept: 'VAR',
    description: about === '' ? end : `${about} ${end}`,
    expiration: expiresMinutes,
  };
  const { status, body } = await api.call('POST', debins, order, call.signal);
  const debin = readDebin(body);
  if (status < 300 && 'value' in debin) {
    if (debin.value.origin_id !== order.origin_id)
      throw new Error('The bank answered another order.');
    await call.remember({ id: debin.value.id });
    return outcomeOf(debin.value);
  }
  if (status === 401 || status === 403) {
    const alarm = `The bank answered ${status}: may this user collect to this account?`;
    throw new NeverSent(alarm, { alarm });
  }
  const code = codeOf(body);
  if (!code || status >= 500) throw new Error(`The bank answered ${status}, with nothing to read.`);
  const text = `The bank refuses the order: ${code}.`;
  if (status === 409) return { outcome: 'rejected', code, text, retry: 'other_instrument' };
  if (status !== 400) throw new Error(text);
  return { outcome: 'rejected', code, text, retry: 'never', alarm: text };
}

export async function pageOf({ api }: Desk, offset: number, signal: AbortSignal): Promise<Debin[]> {
  const path = `${debins}?limit=${pageSize}&offset=${offset}`;
  const { status, body } = await api.call('GET', path, null, signal);
  if (status !== 200 || !Array.isArray(body))
    throw new Error(`The bank answered ${status} to a list.`);
  return body.map((one) => {
    const read = readDebin(one);
    if ('fault' in read) throw new Error(`The bank lists what is no DEBIN: ${read.fault}`);
    return read.value;
  });
}

export async function readById(
  { api }: Desk,
  id: string,
  signal: AbortSignal,
): Promise<Debin | null> {
  const { status, body } = await api.call(
    'GET',
    `${debins}/${encodeURIComponent(id)}`,
    null,
    signal,
  );
  if (status === 404) return null;
  const read = readDebin(body);
  if (status !== 200 || 'fault' in read) throw new Error(`The bank answered ${status} to a DEBIN.`);
  return read.value;
}

const rememberedId = (memo: unknown): string | null => {
  const id = typeof memo === 'object' && memo !== null && 'id' in memo ? memo.id : null;
  return typeof id === 'string' ? id : null;
};

export async function find(
  desk: Desk,
  { attempt, known }: Pick<ChargeInquiry, 'attempt' | 'known'>,
  signal: AbortSignal,
): Promise<Debin | null> {
  const id = rememberedId(known?.memo);
  if (id) return await readById(desk, id, signal);
  const origin = originOf(desk.config, attempt);
  for (let page = 0; page < mostPages; page += 1) {
    const rows = await pageOf(desk, page * pageSize, signal);
    const found = rows.find((one) => one.origin_id === origin);
    if (found || rows.length < pageSize) return found ?? null;
  }
  throw new Error(`The DEBIN is not among the last ${mostPages * pageSize} of the account.`);
}

/** Takes back an order that its payer did not accept yet. */
export async function cancel(
  desk: Desk,
  inquiry: Pick<ChargeInquiry, 'attempt' | 'known'>,
  { signal }: Call,
): Promise<Outcome> {
  const debin = await find(desk, inquiry, signal);
  if (!debin) return { outcome: 'unheard' };
  if (stateOf(debin) === 'pending') {
    await desk.api.call('DELETE', `${debins}/${encodeURIComponent(debin.id)}`, null, signal);
  }
  const now = await readById(desk, debin.id, signal);
  return now ? outcomeOf(now) : { outcome: 'canceled', reference: debin.id };
}

export async function list(desk: Desk, query: ListQuery, { signal }: Call): Promise<ChargeList> {
  const offset = /^\d{1,9}$/.test(query.after ?? '') ? Number(query.after) : 0;
  const rows = await pageOf(desk, offset, signal);
  const charges = rows.flatMap((debin): ChargeList['charges'] => {
    const attempt = attemptOf(desk.config, debin);
    const at = Date.parse((attempt && query.begunAt(attempt)) ?? debin.created ?? '');
    if (at < Date.parse(query.from) || at >= Date.parse(query.until)) return [];
    const amount = centavosOf(debin.value.amount);
    const refunded = debin.status === 'REFUNDED' ? amount : 0;
    const outcome = stateOf(debin);
    return [
      { attempt: attempt ?? debin.origin_id, outcome, reference: debin.id, amount, refunded },
    ];
  });
  return { charges, ...(rows.length === pageSize && { next: String(offset + pageSize) }) };
}
