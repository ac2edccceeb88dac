import { type Static, Type } from 'typebox';
import type { Call, ListQuery } from '../protocol/connector.ts';
import { reader } from '../protocol/faults.ts';
import type { TransferList } from '../protocol/messages.ts';
import type { Notifier } from '../protocol/notify.ts';
import { codeOf } from './api.ts';
import { centavosOf, type Desk } from './debin.ts';
import { type ListWindow, pageIn, pageSize, queryWindow, rowsOf } from './lists.ts';

const transfers = '/transaction-request-types/TRANSFER-CVU';
const nullable = Type.Optional(Type.Union([Type.String(), Type.Null()]));

const transferSchema = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 64 }),
  status: Type.String(),
  details: Type.Object({ origin_credit: Type.Object({ cvu: Type.String() }) }),
  counterparty: Type.Optional(
    Type.Object({
      id: nullable,
      name: nullable,
      account_routing: Type.Optional(Type.Object({ address: nullable })),
    }),
  ),
  charge: Type.Object({
    value: Type.Object({ currency: Type.Optional(Type.String()), amount: Type.Number() }),
  }),
  start_date: nullable,
  business_date: nullable,
});
export type Transfer = Static<typeof transferSchema>;
export const readTransfer = reader(transferSchema);

/**
 * Returns the arrival time: examples leave the first field empty, and some messages the second.
 * Returns the start of today without either.
 */
function paidAtOf({ start_date: start, business_date: business }: Transfer): string {
  const found = [start, business].find((text) => text && Number.isFinite(Date.parse(text)));
  if (found) return new Date(found).toISOString();
  return `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
}

/** Converts a transfer to the protocol; null if it did not arrive, or is in another currency. */
function arrivedIn(transfer: Transfer) {
  const { id, status, details, charge } = transfer;
  const { cvu } = details.origin_credit;
  if (status !== 'COMPLETED' || !/^\d{22}$/.test(cvu)) return null;
  if ((charge.value.currency ?? 'ARS') !== 'ARS') return null;
  return { id, cvu, amount: centavosOf(charge.value.amount), paid_at: paidAtOf(transfer) };
}

const known = (text: string | null | undefined, most: number): string | null =>
  text && text !== 'UNAVAILABLE' ? text.slice(0, most) : null;

export async function tellTransfer(tell: Notifier['tell'], transfer: Transfer): Promise<void> {
  const arrived = arrivedIn(transfer);
  if (!arrived) return;
  const { name, id: cuit, account_routing: routing } = transfer.counterparty ?? {};
  const [holder, account] = [known(name, 255), known(routing?.address, 64)];
  const payer = {
    ...(holder && { name: holder }),
    ...(cuit && /^\d{7,11}$/.test(cuit) && { id_number: cuit }),
    ...(account && { account }),
  };
  await tell({ type: 'transfer.received', ...arrived, payer });
}

export async function transferById(
  { api }: Desk,
  id: string,
  signal: AbortSignal,
): Promise<Transfer | null> {
  const path = `${transfers}/${encodeURIComponent(id)}`;
  const { status, body } = await api.call('GET', path, null, signal);
  // TX019 may be a race inside the bank: its list shows the transfer later.
  if (status === 409 && codeOf(body) === 'TX019') return null;
  const read = readTransfer(body);
  if (status === 200 && 'value' in read) return read.value;
  throw new Error(`The bank answered a transfer with ${status} ${codeOf(body) ?? ''}.`);
}

export async function transfersAt(
  { api, log }: Desk,
  window: ListWindow,
  page: number,
  signal: AbortSignal,
): Promise<{ rows: Transfer[]; isFull: boolean }> {
  const received = { ...window, origin: 'TRANSFERENCIAS_RECIBIDAS' } as const;
  const body = await api.page(transfers, received, page, signal);
  const rows = body.flatMap((one) => {
    const read = readTransfer(one);
    if ('value' in read) return [read.value];
    // An unreadable transfer does not block the others.
    log({ level: 'error', what: 'a transfer could not be read', error: read.fault });
    return [];
  });
  return { rows, isFull: body.length >= pageSize };
}

export const receivedIn = (desk: Desk, window: ListWindow, signal: AbortSignal) =>
  rowsOf((page) => transfersAt(desk, window, page, signal));

/** Lists several days of transfers for the reconciliation. */
export async function listTransfers(
  desk: Desk,
  query: ListQuery,
  { signal }: Call,
): Promise<TransferList> {
  const page = pageIn(query);
  const { rows, isFull } = await transfersAt(desk, queryWindow(query), page, signal);
  const found = rows.flatMap((transfer): TransferList['transfers'] => {
    const arrived = arrivedIn(transfer);
    const at = Date.parse(arrived?.paid_at ?? '');
    if (!arrived || at < Date.parse(query.from) || at >= Date.parse(query.until)) return [];
    return [{ ...arrived, state: 'received' }];
  });
  return { transfers: found, ...(isFull && { next: String(page + 1) }) };
}
