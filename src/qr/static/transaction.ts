import { randomBytes } from 'node:crypto';
import { dayOf } from '../../kernel/dates.ts';
import { itemAt } from '../../kernel/lists.ts';
import type { Centavos } from '../../kernel/money.ts';
import { openAttemptsOf } from '../../money/charges/index.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import {
  type CreationOutcome,
  claimKey,
  type IdempotencyClaim,
  keyRanOut,
  recallRefused,
} from '../../platform/idempotency.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { refusal } from '../codes.ts';
import { readQrId } from '../item.ts';
import type { QrTerms } from '../payload/payload.ts';
import { readScanned } from '../payload/scanned.ts';
import type { QrRow, QrState } from '../row.ts';
import { paymentOpen, stateRefusal } from '../state.ts';
import type { FindStatic } from './get.ts';
import { lockStatic, type QrKey, type StaticRow } from './store.ts';
import {
  endTransactions,
  insertTransaction,
  lockOpenTransaction,
  type OpenTransaction,
  statesOfTransactions,
} from './store-transactions.ts';

/** The amount to request with a static QR, and for how long. */
export interface TransactionOrder {
  total: Centavos;
  minutes: number;
  reference: string | null;
}

export type BeginTransaction = (
  row: StaticRow,
  order: TransactionOrder,
  actor: Actor,
) => Promise<QrRow>;

/** Begins a transaction within the caller's database transaction. */
export type BeginIn = (tx: Queryable, actor: Actor) => Promise<QrRow>;

const requestOf = (
  row: StaticRow,
  order: TransactionOrder,
  { id, now, expiresAt }: { id: number; now: Temporal.Instant; expiresAt: Temporal.Instant },
): QrRow => ({
  account_id: row.account_id,
  id,
  kind: 'qr',
  state: 'pending',
  version: 1,
  created_at: now,
  reference: order.reference,
  payer: row.payer,
  description: row.description,
  due1: dayOf(expiresAt),
  total1: order.total,
  due2: null,
  total2: null,
  last_due: dayOf(expiresAt),
  mandate_id: null,
  code: `${row.account_id}-${randomBytes(8).toString('hex')}`,
  details: {
    static_id: row.id,
    city: row.city,
    ...(row.postal_code !== null && { postal_code: row.postal_code }),
    multiple_payment: false,
  },
});

/** Throws if a single-payment static QR is paid, refunded or being paid. Requires its lock. */
async function refusePaid(sql: Queryable, key: QrKey): Promise<void> {
  const transactions = await statesOfTransactions(sql, key);
  const was = (state: QrState) => transactions.some((row) => row.state === state);
  if (was('paid')) throw stateRefusal('paid', 'paid');
  if (was('refunded')) throw stateRefusal('refunded', 'paid');
  const ids = transactions.map(({ id }) => id);
  if ((await openAttemptsOf(sql, key.accountId, ids)).size > 0) throw paymentOpen();
}

/**
 * Throws if a live transaction with an open amount has not been paid yet: it belongs to a payer
 * whose wallet is about to be charged. Requires the static QR's lock.
 */
function refuseBegun({ version, expires_at }: OpenTransaction, now: Temporal.Instant): void {
  const isLive = Temporal.Instant.compare(now, expires_at) < 0;
  if (isLive && version === 1) throw paymentOpen();
}

/** Prepares a transaction. Takes ids, which need a connection, before rows are locked. */
export const prepareTransaction =
  ({ clocks, requestIds, recordIds }: Base) =>
  async (row: StaticRow, order: TransactionOrder): Promise<{ code: string; begin: BeginIn }> => {
    const [id, eventIds] = await Promise.all([requestIds.next(), recordIds.take(2)]);
    const now = clocks.business.now();
    const expiresAt = now.add({ minutes: order.minutes });
    const request = requestOf(row, order, { id, now, expiresAt });
    const key: QrKey = { accountId: row.account_id, id: row.id };
    const begin: BeginIn = async (tx, actor) => {
      if (!row.open_amount || !row.multiple_payment) {
        await lockStatic(tx, key);
        const older = await lockOpenTransaction(tx, key);
        if (!row.multiple_payment) await refusePaid(tx, key);
        if (older !== null && row.open_amount) refuseBegun(older, now);
        if (older !== null) {
          await endTransactions(tx, key.accountId, [older.id], {
            eventIds: eventIds.slice(1),
            now,
          });
        }
      }
      const eventId = itemAt(eventIds, 0);
      await insertTransaction(tx, { request, staticId: row.id, expiresAt, eventId, actor });
      return request;
    };
    return { code: request.code, begin };
  };

/**
 * Requests an amount with a static QR. With a fixed amount, or for a single payment, an older live
 * transaction expires at once, because payers pay the latest.
 */
export const beginTransaction = (base: Base): BeginTransaction => {
  const prepare = prepareTransaction(base);
  return async (row, order, actor) => {
    const { begin } = await prepare(row, order);
    return await base.sql.begin((tx) => begin(tx, actor));
  };
};

const foreign = () => refusal('qr.payload_foreign', {});

/** Returns the id in a static QR's text. Throws for any other text, and says what it is instead. */
function staticIdIn(data: string, accountId: string, terms: QrTerms): string {
  const scanned = readScanned(data, terms);
  if (typeof scanned === 'string') throw refusal('qr.payload_invalid', { fault: scanned });
  const id = readQrId(scanned.id, accountId);
  if (!scanned.ours || !id.ok) throw foreign();
  if (scanned.kind === 'dynamic') throw refusal('qr.payload_dynamic', {});
  return id.value;
}

export type NewTransactionFor = (
  ctx: Ctx,
  data: string,
  order: TransactionOrder,
  claim: IdempotencyClaim | null,
) => Promise<CreationOutcome>;

/**
 * Requests a fixed amount with a scanned static QR, for PUT /new-transaction. Throws unless the
 * code is a static QR of the account without an open amount. Claims the key along with the
 * transaction, because a second one would end the first.
 */
export const newTransaction = (base: Base, find: FindStatic, terms: QrTerms): NewTransactionFor => {
  const { sql, clocks } = base;
  const prepare = prepareTransaction(base);
  return async ({ accountId, actor }, data, order, claim) => {
    const found = await find({ accountId, id: staticIdIn(data, accountId, terms) });
    if (found?.kind !== 'static') throw foreign();
    if (found.state.row.open_amount) throw refusal('qr.payload_open_amount', {});
    const { code, begin } = await prepare(found.state.row, order);
    const answer = { status: 200, body: JSON.stringify({ code: 200, message: 'Ok', qr_id: code }) };
    const now = clocks.wall.now();
    const isNew = await sql.begin(async (tx) => {
      if (claim && !(await claimKey(tx, { ...claim, accountId }, answer, now))) return false;
      await begin(tx, actor);
      return true;
    });
    if (isNew) return { kind: 'created', answer };
    const first = await recallRefused(sql, { accountId, claim }, keyRanOut());
    if (first instanceof Error) throw first;
    return first;
  };
};
