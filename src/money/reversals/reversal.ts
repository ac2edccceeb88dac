import { dayOf } from '../../kernel/dates.ts';
import { type Centavos, minus, negate, sumOf, toJsonNumber, zero } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import { Refusal } from '../../platform/errors.ts';
import { eventOf, type RequestKey, type RequestRow, transitionOf } from '../../requests/index.ts';
import { channels } from '../channels/index.ts';
import type { CollectionSettings, ResultWrite } from '../collections/index.ts';
import { eventData, isLive, type ResultRow } from '../collections/index.ts';
import { type Entry, entry, ledgerAccounts } from '../ledger/index.ts';
import type { Withholding } from '../withholdings/index.ts';
import { returnedBetween, type Span } from './pro-rata.ts';

export interface Reversal {
  key: RequestKey;
  type: 'chargeback' | 'refund';
  /** The collected payment; null: the last one that can still go back. */
  resultId: number | null;
  /** Part of a refund, in centavos; null: all that is left. A chargeback is always whole. */
  amount: Centavos | null;
  actor: Actor;
  /** Where the fact comes from and its name there, so that it is recorded once. */
  source: string;
  sourceRef: string;
  comment: string;
  /** The day on which the payer or his bank asked for it; unless told, today. */
  askedOn?: Temporal.PlainDate;
}

/** What a reversal is decided from, read under lock. */
export interface ReversalFacts {
  request: RequestRow;
  results: ResultRow[];
  /** The collected payment that goes back. */
  target: ResultRow;
  /** Its withholdings. */
  lines: Withholding[];
  settings: CollectionSettings;
}

export interface ReversalIds {
  result: number;
  journal: number;
  event: number;
}

function grossOf({ type, amount }: Reversal, target: ResultRow): Centavos {
  const left = minus(target.amount, target.refunded);
  if (type === 'chargeback' || amount === null) return type === 'refund' ? left : target.amount;
  if (amount <= left) return amount;
  const bound = `At most ${toJsonNumber(left)} of this payment can still be refunded.`;
  throw new Refusal('invalid', bound, { amount: { errors: [bound] } });
}

/** What of the whole has gone back before and after this reversal; a chargeback returns the rest. */
const spanOf = (type: Reversal['type'], target: ResultRow, gross: Centavos): Span => ({
  before: target.refunded,
  after: type === 'chargeback' ? target.amount : target.refunded + gross,
  whole: target.amount,
});

const moveNames = { chargeback: 'revert', refund: 'refund' } as const;

/** The request moves only when no collected payment stays live. */
function moveOf(reversal: Reversal, request: RequestRow, results: ResultRow[], target: ResultRow) {
  const { type } = reversal;
  const othersLive = results.some((row) => row.id !== target.id && isLive(row));
  const wholeGone =
    type === 'chargeback' || target.refunded + grossOf(reversal, target) === target.amount;
  if (othersLive || !wholeGone) return null;
  return transitionOf(request.kind, moveNames[type]);
}

interface Figures {
  gross: Centavos;
  withholdings: Withholding[];
  withheld: Centavos;
  fee: Centavos;
  iva: Centavos;
  fromUnavailable: number;
  fromAvailable: number;
}

/**
 * What of it the unavailable balance bears. Until its release a payment is there with all that it
 * owes: what comes back of a fee larger than the payment lowers that debt and is not to be disposed
 * of. What is taken comes from there as far as it reaches.
 */
function unavailablePart(fromHolder: number, { unreleased, released_on }: ResultRow): number {
  return released_on === null ? Math.min(Math.max(unreleased, 0), fromHolder) : 0;
}

/** Who gives back how much: the holder the gross amount, less what others return to him. */
function figuresOf(reversal: Reversal, { target, lines, settings }: ReversalFacts): Figures {
  const gross = grossOf(reversal, target);
  const span = spanOf(reversal.type, target, gross);
  const withholdings = lines
    .map((line) => ({
      ...line,
      base: negate(returnedBetween(line.base, span)),
      amount: negate(returnedBetween(line.amount, span)),
    }))
    .filter((line) => line.amount !== 0);
  const withheld = negate(sumOf(withholdings.map((line) => line.amount)));
  const fee = settings.returns_fees ? returnedBetween(target.net_fee, span) : zero;
  const iva = settings.returns_fees ? returnedBetween(target.fee_iva, span) : zero;
  const fromHolder = gross - withheld - fee - iva;
  const fromUnavailable = unavailablePart(fromHolder, target);
  const fromAvailable = fromHolder - fromUnavailable;
  return { gross, withholdings, withheld, fee, iva, fromUnavailable, fromAvailable };
}

const entryOf = (target: ResultRow, figures: Figures): Entry =>
  entry([
    [channels[target.channel].clearing, -figures.gross],
    [ledgerAccounts.withholdingsPayable, figures.withheld],
    [ledgerAccounts.feeIncome, figures.fee],
    [ledgerAccounts.vatPayable, figures.iva],
    [ledgerAccounts.holderUnavailable, figures.fromUnavailable],
    [ledgerAccounts.holderAvailable, figures.fromAvailable],
  ]);

/** The result of a reversal and all that follows from it, ready to be written. */
export function reversalWrite(
  reversal: Reversal,
  facts: ReversalFacts,
  ids: ReversalIds,
  now: Temporal.Instant,
): ResultWrite {
  const { request, results, target } = facts;
  const { type, actor, source, sourceRef, comment } = reversal;
  const figures = figuresOf(reversal, facts);
  const row: ResultRow = {
    ...target,
    id: ids.result,
    type,
    amount: figures.gross,
    net_fee: negate(figures.fee),
    fee_iva: negate(figures.iva),
    withheld: negate(figures.withheld),
    unreleased: zero,
    paid_at: now,
    informed_at: now,
    informed_on: dayOf(now),
    available_on: null,
    reverses_id: target.id,
    source,
    source_ref: sourceRef,
    details: { state_comment: comment },
  };
  return {
    row,
    withholdings: figures.withholdings,
    journal: { id: ids.journal, kind: type, entry: entryOf(target, figures) },
    event: {
      id: ids.event,
      what: eventOf(request.kind, moveNames[type]),
      actor,
      data: eventData(row),
    },
    move: moveOf(reversal, request, results, target),
    attemptId: null,
    back: {
      refunded: type === 'refund' ? figures.gross : 0,
      chargedBack: type === 'chargeback' ? figures.gross : 0,
      unreleased: figures.fromUnavailable,
    },
  };
}
