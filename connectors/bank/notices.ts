import { timingSafeEqual } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { Call, ListQuery, Page, PageRequest } from '../protocol/connector.ts';
import { reader } from '../protocol/faults.ts';
import type { TransferList } from '../protocol/messages.ts';
import type { Notifier } from '../protocol/notify.ts';
import {
  attemptOf,
  centavosOf,
  type Debin,
  type Desk,
  pageOf,
  readById,
  stateOf,
} from './debin.ts';

type Tell = Notifier['tell'];

const transferSchema = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  status: Type.String(),
  details: Type.Object({ origin_credit: Type.Object({ cvu: Type.String() }) }),
  counterparty: Type.Optional(
    Type.Object({
      id: Type.Optional(Type.String()),
      name: Type.Optional(Type.String()),
      account_routing: Type.Optional(Type.Object({ address: Type.Optional(Type.String()) })),
    }),
  ),
  charge: Type.Object({ value: Type.Object({ currency: Type.String(), amount: Type.Number() }) }),
  created: Type.String(),
});
type Transfer = Static<typeof transferSchema>;
const readTransfer = reader(transferSchema);

/** Pages of each list that are read each time: the latest come first. */
const pagesRead = 4;
const pageSize = 50;

const noticeSchema = Type.Object({
  type: Type.String(),
  data: Type.Object({ id: Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' }) }),
});
const readNotice = reader(noticeSchema);

/** Tells what a DEBIN of ours has become, as the bank shows it. */
async function tellDebin({ config }: Desk, tell: Tell, debin: Debin): Promise<void> {
  const attempt = attemptOf(config, debin);
  if (!attempt || stateOf(debin) === 'pending') return;
  await tell({ type: 'charge.changed', attempt }, stateOf(debin));
  if (debin.status !== 'REFUNDED') return;
  const { id } = debin;
  const amount = centavosOf(debin.value.amount);
  await tell({ type: 'charge.charged_back', id: `${id}`, attempt, amount, reference: id });
}

/** What a transfer is in the words of the protocol; null: nothing that is ours to take. */
function arrivedIn({ id, details, charge, created }: Transfer) {
  const { cvu } = details.origin_credit;
  if (!/^\d{22}$/.test(cvu) || charge.value.currency !== 'ARS') return null;
  const paidAt = new Date(created).toISOString();
  return { id, cvu, amount: centavosOf(charge.value.amount), paid_at: paidAt };
}

async function tellTransfer(tell: Tell, transfer: Transfer): Promise<void> {
  const arrived = arrivedIn(transfer);
  if (!arrived) return;
  const { name, id: cuit, account_routing: routing } = transfer.counterparty ?? {};
  const payer = {
    ...(name && { name: name.slice(0, 255) }),
    ...(cuit && /^\d{7,11}$/.test(cuit) && { id_number: cuit }),
    ...(routing?.address && { account: routing.address.slice(0, 64) }),
  };
  await tell({ type: 'transfer.received', ...arrived, payer });
  const { id, amount } = arrived;
  if (transfer.status === 'REVERSED') await tell({ type: 'transfer.reversed', id, amount });
}

async function transferById(
  { api }: Desk,
  id: string,
  signal: AbortSignal,
): Promise<Transfer | null> {
  const path = `/transactions/${encodeURIComponent(id)}`;
  const { status, body } = await api.call('GET', path, null, signal);
  if (status === 404) return null;
  const read = readTransfer(body);
  if (status !== 200 || 'fault' in read)
    throw new Error(`The bank answered ${status} to a transfer.`);
  return read.value;
}

/** Reads the lists, and tells whatever is in them; what was told before is not told again. */
export async function tellListed(desk: Desk, tell: Tell): Promise<void> {
  const signal = AbortSignal.timeout(120_000);
  for (let page = 0; page < pagesRead; page += 1) {
    const rows = await pageOf(desk, page * pageSize, signal);
    for (const debin of rows) await tellDebin(desk, tell, debin);
    if (rows.length < pageSize) break;
  }
  for (let page = 0; page < pagesRead; page += 1) {
    const { transfers, isFull } = await transfersAt(desk, page * pageSize, signal);
    for (const transfer of transfers) await tellTransfer(tell, transfer);
    if (!isFull) break;
  }
}

/** A page of the bank's list, the last first. */
async function transfersAt(
  { api }: Desk,
  offset: number,
  signal: AbortSignal,
): Promise<{ transfers: Transfer[]; isFull: boolean }> {
  const path = `/transactions?limit=${pageSize}&offset=${offset}`;
  const { status, body } = await api.call('GET', path, null, signal);
  if (status !== 200 || !Array.isArray(body)) throw new Error(`The bank answered ${status}.`);
  const transfers = body.flatMap((one) => {
    const read = readTransfer(one);
    return 'value' in read ? [read.value] : [];
  });
  return { transfers, isFull: body.length === pageSize };
}

/** Transfers of some days, for the reconciliation: the bank's list has no filter, so pages thin. */
export async function listTransfers(
  desk: Desk,
  { from, until, after }: ListQuery,
  { signal }: Call,
): Promise<TransferList> {
  const offset = /^\d{1,9}$/.test(after ?? '') ? Number(after) : 0;
  const { transfers: rows, isFull } = await transfersAt(desk, offset, signal);
  const transfers = rows.flatMap((transfer): TransferList['transfers'] => {
    const arrived = arrivedIn(transfer);
    const at = Date.parse(transfer.created);
    if (!arrived || at < Date.parse(from) || at >= Date.parse(until)) return [];
    return [{ ...arrived, state: transfer.status === 'REVERSED' ? 'reversed' : 'received' }];
  });
  return { transfers, ...(isFull && { next: String(offset + pageSize) }) };
}

const isSecret = (given: string, own: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(own)];
  return a.length === b.length && timingSafeEqual(a, b);
};

const answer = (status: number): Page => ({ status, headers: {}, body: '' });

/**
 * The address at which the bank tells. Its notices are not signed, so each is a hint: the bank is
 * asked for what it names, and only that is told.
 */
export async function noticePage(
  desk: Desk,
  tell: Tell,
  { method, path, query, body }: PageRequest,
): Promise<Page | null> {
  if (method !== 'POST' || path !== '/bank') return null;
  // In the query, which no line of the log has.
  if (!isSecret(query.get('secret') ?? '', desk.config.noticeSecret)) return answer(404);
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return answer(400);
  }
  const notice = readNotice(parsed);
  if ('fault' in notice) return answer(400);
  const { type, data } = notice.value;
  const signal = AbortSignal.timeout(2_500);
  if (type.startsWith('debin.')) {
    const debin = await readById(desk, data.id, signal);
    if (debin) await tellDebin(desk, tell, debin);
  } else if (type.startsWith('transfer.cvu.')) {
    const transfer = await transferById(desk, data.id, signal);
    if (transfer) await tellTransfer(tell, transfer);
  }
  return answer(200);
}
