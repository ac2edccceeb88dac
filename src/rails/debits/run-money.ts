import {
  foundSource,
  type RunKey,
  type RunPayment,
  readRunPayments,
  sourceRefOf,
} from '../../debit-requests/index.ts';
import type { Centavos } from '../../kernel/money.ts';
import { findAllUnmatched, type SuspenseRow } from '../../money/suspense/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';

/** A run's money: a payment, of any request and account, or a sum in suspense. */
export type RunMoney = {
  amount: Centavos;
  /** False if a bank or the operator took it back. True for suspense money that was returned. */
  isThere: boolean;
} & (
  | { payment: RunPayment; accountId: string }
  | { payment: null; suspended: Pick<SuspenseRow, 'id' | 'state'> }
);

const paymentMoney = (payment: RunPayment, accountId: string): RunMoney => ({
  amount: payment.amount,
  isThere: payment.isThere,
  payment,
  accountId,
});

/** Finds the money of runs that have no payment in their own account. */
async function findFound(
  sql: Queryable,
  keys: readonly RunKey[],
): Promise<ReadonlyMap<string, RunMoney>> {
  if (keys.length === 0) return new Map();
  const refs = keys.map(({ requestId, runNo }) => sourceRefOf(requestId, runNo));
  const rows = await findAllUnmatched(sql, foundSource, refs);
  const elsewhere = keys.flatMap((key, index) => {
    const row = rows.find(({ source_ref: ref }) => ref === refs[index]);
    const accountId = row?.to_account_id ?? null;
    return row && accountId !== null ? [{ ref: row.source_ref, key: { ...key, accountId } }] : [];
  });
  const payments = await readRunPayments(
    sql,
    elsewhere.map(({ key }) => key),
  );
  const found = new Map<string, RunMoney>();
  for (const { id, state, amount, source_ref: ref } of rows) {
    const isThere = state === 'open' || state === 'returned';
    if (state !== 'assigned') {
      found.set(ref, { amount, isThere, payment: null, suspended: { id, state } });
    }
  }
  for (const [index, { ref, key }] of elsewhere.entries()) {
    const payment = payments[index];
    if (payment) found.set(ref, paymentMoney(payment, key.accountId));
  }
  return found;
}

/**
 * Finds the money of each run, even if an operator assigned it to another request. Prefers payments
 * of the run's own account. Null if a run has none.
 */
export async function findRunMoney(
  sql: Queryable,
  keys: readonly RunKey[],
): Promise<(RunMoney | null)[]> {
  const payments = await readRunPayments(sql, keys);
  const found = await findFound(
    sql,
    keys.filter((_key, index) => !payments[index]),
  );
  return keys.map(({ accountId, requestId, runNo }, index) => {
    const payment = payments[index];
    if (payment) return paymentMoney(payment, accountId);
    return found.get(sourceRefOf(requestId, runNo)) ?? null;
  });
}

interface Amounts {
  /** Amount of the line. Zero if it states none. */
  line: Centavos;
  ordered: Centavos | null;
  money: Centavos;
}

/**
 * Returns true if a reversal takes back all of a run's money. Files repeat the ordered amount, which
 * may exceed what was collected.
 */
export const isWhole = ({ line, ordered, money }: Amounts): boolean =>
  line === 0 || line === money || (line === ordered && line > money);
