import { dayOf } from '../kernel/dates.ts';
import { type Centavos, toJsonNumber } from '../kernel/money.ts';
import { entry, ledgerAccounts } from '../ledger/index.ts';
import type { Base } from '../platform/base.ts';
import { conflict, notFound, Refusal } from '../platform/errors.ts';
import { lockRequest, type RequestKey, type RequestRow, transitions } from '../requests/index.ts';
import { channels } from './channels.ts';
import { returnedBetween } from './pro-rata.ts';
import { eventData } from './record.ts';
import { isLive, type ResultRow } from './result.ts';
import { lockResults, readSettings, readWithholdings } from './store.ts';
import { writeResults } from './write.ts';

export interface Reversal {
  key: RequestKey;
  type: 'chargeback' | 'refund';
  /** The collected payment; null: the last one that can still go back. */
  resultId: number | null;
  /** Part of a refund, in centavos; null: all that is left. A chargeback is always whole. */
  amount: Centavos | null;
  actor: string;
  /** Where the fact comes from and its name there, so that it is recorded once. */
  source: string;
  sourceRef: string | null;
  comment: string;
}

export type Reverse = (reversal: Reversal) => Promise<void>;

/** A chargeback may follow a refund; a refund never follows a chargeback. */
const canGoBack = (type: Reversal['type'], row: ResultRow): boolean =>
  type === 'chargeback' ? row.type === 'collected' && row.charged_back === 0 : isLive(row);

const refusalText = {
  chargeback: 'charged back',
  refund: 'refunded',
} as const;

function pick(reversal: Reversal, request: RequestRow, results: ResultRow[]): ResultRow {
  const { type, resultId } = reversal;
  if (
    resultId !== null &&
    !results.some((row) => row.id === resultId && row.type === 'collected')
  ) {
    throw notFound('collected payment of this request');
  }
  const candidates = results.filter((row) => resultId === null || row.id === resultId);
  const live = candidates.filter(isLive);
  const found = (live.length > 0 ? live : candidates).filter((row) => canGoBack(type, row)).at(-1);
  if (found) return found;
  throw conflict(
    `The request is ${request.state}: it has no payment that can be ${refusalText[type]}.`,
  );
}

function grossOf({ type, amount }: Reversal, target: ResultRow): Centavos {
  const left = (target.amount - target.refunded) as Centavos;
  if (type === 'chargeback' || amount === null) return type === 'refund' ? left : target.amount;
  if (amount <= left) return amount;
  throw new Refusal('invalid', 'The amount is higher than what can be refunded.', {
    amount: { errors: [`At most ${toJsonNumber(left)} of this payment can still be refunded.`] },
  });
}

/** What of the whole has gone back before and after this reversal; a chargeback returns the rest. */
const spanOf = (type: Reversal['type'], target: ResultRow, gross: Centavos) => ({
  before: target.refunded,
  after: type === 'chargeback' ? target.amount : target.refunded + gross,
  whole: target.amount,
});

/** The request moves only when no collected payment stays live (decisions 2). */
function moveOf(reversal: Reversal, request: RequestRow, results: ResultRow[], target: ResultRow) {
  const { type } = reversal;
  const othersLive = results.some((row) => row.id !== target.id && isLive(row));
  const wholeGone =
    type === 'chargeback' || target.refunded + grossOf(reversal, target) === target.amount;
  if (othersLive || !wholeGone) return null;
  return transitions[request.kind][type === 'chargeback' ? 'revert' : 'refund'];
}

const eventTypes = { chargeback: 'reverted', refund: 'refunded' } as const;

/**
 * Takes a payment back, whole (chargeback) or in parts (refund). The gross amount leaves the
 * holder's balance: first what of this payment is not available yet, then the available balance,
 * which may become negative. Withholdings come back in proportion; fees too where the account's
 * settings say so. 404: no such request or payment; 409: nothing left that could go back.
 */
export const reverse =
  (base: Base): Reverse =>
  async (reversal) => {
    const { sql, clocks, recordIds } = base;
    const [resultId, journalId, eventId] = await recordIds.take(3);
    if (resultId === undefined || journalId === undefined || eventId === undefined) {
      throw new Error('an id block ran short');
    }
    await sql.begin(async (tx) => {
      const request = await lockRequest(tx, reversal.key);
      if (!request) throw notFound('request');
      const results = await lockResults(tx, reversal.key);
      const sourceRef = reversal.sourceRef ?? String(resultId);
      if (results.some((row) => row.source === reversal.source && row.source_ref === sourceRef)) {
        return;
      }
      const target = pick(reversal, request, results);
      const gross = grossOf(reversal, target);
      const span = spanOf(reversal.type, target, gross);
      const [lines, settings] = await Promise.all([
        readWithholdings(tx, target),
        readSettings(tx, target.account_id),
      ]);
      const withholdings = lines
        .map((line) => ({
          ...line,
          base: -returnedBetween(line.base, span) as Centavos,
          amount: -returnedBetween(line.amount, span) as Centavos,
        }))
        .filter((line) => line.amount !== 0);
      const withheldBack = withholdings.reduce((sum, line) => sum - line.amount, 0);
      const feeBack = settings.returns_fees ? returnedBetween(target.net_fee, span) : 0;
      const ivaBack = settings.returns_fees ? returnedBetween(target.fee_iva, span) : 0;
      const fromHolder = gross - withheldBack - feeBack - ivaBack;
      const fromUnavailable = Math.max(0, Math.min(target.unreleased, fromHolder));
      const now = clocks.business.now();
      const row: ResultRow = {
        ...target,
        id: resultId,
        type: reversal.type,
        amount: gross,
        net_fee: (0 - feeBack) as Centavos,
        fee_iva: (0 - ivaBack) as Centavos,
        withheld: (0 - withheldBack) as Centavos,
        unreleased: 0 as Centavos,
        paid_at: now,
        informed_at: now,
        informed_on: dayOf(now),
        available_on: null,
        reverses_id: target.id,
        source: reversal.source,
        source_ref: sourceRef,
        details: { state_comment: reversal.comment },
      };
      await writeResults(tx, [
        {
          row,
          withholdings,
          journal: {
            id: journalId,
            kind: reversal.type,
            entry: entry([
              [channels[target.channel].clearing, -gross],
              [ledgerAccounts.withholdingsPayable, withheldBack],
              [ledgerAccounts.feeIncome, feeBack],
              [ledgerAccounts.vatPayable, ivaBack],
              [ledgerAccounts.holderUnavailable, fromUnavailable],
              [ledgerAccounts.holderAvailable, fromHolder - fromUnavailable],
            ]),
          },
          event: {
            id: eventId,
            type: `${request.kind}.${eventTypes[reversal.type]}`,
            actor: reversal.actor,
            data: eventData(row),
          },
          move: moveOf(reversal, request, results, target),
          attemptId: null,
          back: {
            refunded: reversal.type === 'refund' ? gross : 0,
            chargedBack: reversal.type === 'chargeback' ? gross : 0,
            unreleased: fromUnavailable,
          },
        },
      ]);
    });
  };
