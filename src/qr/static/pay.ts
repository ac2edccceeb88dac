import type { Centavos } from '../../kernel/money.ts';
import type { Attempts, PayOutcome } from '../../money/charges/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import { Refusal } from '../../platform/errors.ts';
import { readRequests } from '../../requests/index.ts';
import { chargeWallet } from '../charge-wallet.ts';
import { refusal } from '../codes.ts';
import type { QrRow, QrState } from '../row.ts';
import { paymentOpen, stateRefusal } from '../state.ts';
import type { GetStatic } from './get.ts';
import { activePeriod, liveTransaction, transactionState } from './state.ts';
import type { StaticState, TransactionRow } from './store.ts';
import type { BeginTransaction } from './transaction.ts';

/** The transaction that a payer tried to pay, and the outcome. */
export interface StaticPaid {
  /** The transaction's id. */
  code: string;
  outcome: PayOutcome;
}

interface PayOrder {
  /** The amount, if the payer chooses it. */
  total: Centavos | null;
  /** Idempotency reference. A repetition counts once. */
  reference: string;
}

/** Pays by the id of a transaction or a static QR. */
export type PayStatic = (ctx: Ctx, qrId: string, order: PayOrder) => Promise<StaticPaid>;

const isPaidRefusal = (error: unknown): boolean =>
  error instanceof Refusal && error.errorCode === 'qr.paid';

/**
 * Simulates the payer of a static QR. If the payer chooses the amount, begins a transaction before
 * it charges the wallet.
 */
export function payStatic(
  { sql, clocks }: Base,
  get: GetStatic,
  begin: BeginTransaction,
  attempts: Attempts,
): PayStatic {
  const charge = async (transaction: QrRow, ctx: Ctx, reference: string): Promise<StaticPaid> => {
    const readState = async (): Promise<QrState> => {
      const found = await get(ctx, transaction.code);
      if (found.kind === 'static') throw new Error('a transaction that became a static');
      return transactionState(found.row, clocks.business.now());
    };
    const outcome = await chargeWallet(
      attempts,
      transaction,
      { actor: ctx.actor, reference },
      readState,
    );
    return { code: transaction.code, outcome };
  };

  const payTransaction = async (
    transaction: TransactionRow,
    { total, reference }: PayOrder,
    ctx: Ctx,
  ): Promise<StaticPaid> => {
    const state = transactionState(transaction, clocks.business.now());
    if (state !== 'pending') throw stateRefusal(state, 'paid');
    if (total !== null && total !== transaction.total1) {
      throw refusal('qr.amount_fixed', { total: transaction.total1 });
    }
    return await charge(transaction, ctx, reference);
  };

  const payChosen = async (
    state: StaticState,
    { total, reference }: PayOrder,
    ctx: Ctx,
  ): Promise<StaticPaid> => {
    const { row } = state;
    if (total === null) throw refusal('qr.amount_missing', {});
    const order = { total, minutes: activePeriod.standard, reference: null };
    const transaction = await begin(row, order, ctx.actor).catch((error: unknown) => {
      // All losers of a race get the same code, whichever process wrote first.
      throw state.paid === null && isPaidRefusal(error) ? paymentOpen() : error;
    });
    return await charge(transaction, ctx, reference);
  };

  const paidBefore = async (ctx: Ctx, reference: string): Promise<StaticPaid | null> => {
    const earlier = await attempts.outcomeByReference(ctx.accountId, reference);
    if (!earlier) return null;
    const key = { accountId: ctx.accountId, id: earlier.requestId };
    const [row] = await readRequests(sql, [key]);
    if (!row?.code) throw new Error('a payment of no transaction');
    return { code: row.code, outcome: earlier.outcome };
  };

  return async (ctx, qrId, order) => {
    const before = await paidBefore(ctx, order.reference);
    if (before) return before;
    const found = await get(ctx, qrId);
    if (found.kind === 'transaction') return await payTransaction(found.row, order, ctx);
    if (found.state.row.open_amount) return await payChosen(found.state, order, ctx);
    const live = liveTransaction(found.state, clocks.business.now());
    if (live) return await payTransaction(live, order, ctx);
    throw refusal('qr.nothing_to_pay', {});
  };
}
