import type { AccountSettings } from '../../accounts/index.ts';
import { dayOf } from '../../kernel/dates.ts';
import { type Centavos, minus, negate, plus, sumOf, zero } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import { eventOf, type RequestKey, type RequestRow, transitionOf } from '../../requests/index.ts';
import { channels } from '../channels/index.ts';
import type { ResultWrite } from '../collections/index.ts';
import { eventData, isLive, type ResultRow } from '../collections/index.ts';
import { type Entry, entry, type LedgerAccount, ledgerAccounts } from '../ledger/index.ts';
import type { Withholding } from '../withholdings/index.ts';
import { refusal } from './codes.ts';
import { returnedBetween, type Span } from './pro-rata.ts';

export interface Reversal {
  key: RequestKey;
  type: 'chargeback' | 'refund';
  /** The payment. Null for the last reversible one. */
  resultId: number | null;
  /** Centavos to refund. Null for all that is left. A chargeback is always whole. */
  amount: Centavos | null;
  actor: Actor;
  /** Source of the fact, and its id there. A fact is recorded once. */
  source: string;
  sourceRef: string;
  comment: string;
  /**
   * When the payer or their bank requested it. Default: today. Null: unknown, and the bank has
   * already checked its deadline.
   */
  requestedOn?: Temporal.PlainDate | null;
  /** The open refund that this reversal completes. */
  ends?: ReservedRefund;
}

/** Amounts that an open refund reserved, and the ledger account that pays it. */
export interface ReservedRefund {
  id: number;
  reserved: Centavos;
  /** The reserved part that was unavailable. */
  reservedUnavailable: Centavos;
  from: LedgerAccount;
}

/** A reversal's inputs, read under lock. */
export interface ReversalFacts {
  request: RequestRow;
  /** The payment to reverse. */
  target: ResultRow;
  /** True if the request has another payment that is not fully reversed. */
  othersLive: boolean;
  lines: Withholding[];
  settings: Pick<AccountSettings, 'returns_fees'> | null;
}

export interface ReversalIds {
  result: number;
  journal: number;
  event: number;
}

/** Returns the part of a payment that is neither refunded nor reserved by open refunds. */
export const leftOf = ({ amount, refunded, refunding }: ResultRow): Centavos =>
  minus(minus(amount, refunded), refunding);

export const canBeRefunded = (row: ResultRow): boolean => isLive(row) && leftOf(row) > 0;

function grossOf({ type, amount, ends }: Reversal, target: ResultRow): Centavos {
  if (ends && amount !== null) return amount;
  const left = leftOf(target);
  if (type === 'chargeback' || amount === null) return type === 'refund' ? left : target.amount;
  if (amount <= left) return amount;
  throw refusal('refund.exceeds_remaining', { most: left });
}

/**
 * Returns the reversed share before and after this reversal. A chargeback returns the rest, and
 * leaves nothing for a later refund.
 */
function spanOf(type: Reversal['type'], target: ResultRow, gross: Centavos): Span {
  const { amount: whole, refunded, charged_back: chargedBack } = target;
  const before = chargedBack > 0 ? whole : refunded;
  return { before, after: type === 'chargeback' ? whole : Math.min(before + gross, whole), whole };
}

const moveNames = { chargeback: 'revert', refund: 'refund' } as const;

/** Returns the request's transition, or null while it has a payment that is not fully reversed. */
function moveOf(reversal: Reversal, { request, target, othersLive }: ReversalFacts) {
  const { type } = reversal;
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
  /** Amount reserved by a refund that ends now. */
  reserved: Centavos;
  fromUnavailable: number;
  fromAvailable: number;
}

/**
 * Returns the part to take from the unavailable balance: before the payment's release, as much as
 * its unreleased amount covers. A negative part is a credit: if the returned fee exceeds the
 * reversed amount, the difference lowers the payment's unavailable debt.
 */
function unavailablePart(
  fromHolder: number,
  { unreleased, released_on }: Pick<ResultRow, 'unreleased' | 'released_on'>,
): number {
  return released_on === null ? Math.min(Math.max(unreleased, 0), fromHolder) : 0;
}

/**
 * Splits a refund's reserved amount between the balances that it belongs to now. If the payment has
 * been released since, all of it is available.
 */
export function setAside(
  { reserved, reservedUnavailable }: Pick<ReservedRefund, 'reserved' | 'reservedUnavailable'>,
  { released_on }: ResultRow,
): { unavailable: Centavos; available: Centavos } {
  const unavailable = released_on === null ? reservedUnavailable : zero;
  return { unavailable, available: minus(reserved, unavailable) };
}

/** Returns the deductions from each of the holder's balances, beyond reserved amounts. */
function shares(fromHolder: number, target: ResultRow, ends: ReservedRefund | undefined) {
  const aside = ends ? setAside(ends, target) : { unavailable: zero, available: zero };
  const unreleased = plus(target.unreleased, aside.unavailable);
  const unavailable = unavailablePart(fromHolder, { ...target, unreleased });
  return {
    fromUnavailable: unavailable - aside.unavailable,
    fromAvailable: fromHolder - unavailable - aside.available,
  };
}

/** Splits a reversal. The holder bears the gross amount, less returned fees and taxes. */
export function figuresOf(reversal: Reversal, facts: ReversalFacts): Figures {
  const { target, lines, settings } = facts;
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
  const fee = settings?.returns_fees ? returnedBetween(target.net_fee, span) : zero;
  const iva = settings?.returns_fees ? returnedBetween(target.fee_iva, span) : zero;
  const reserved = reversal.ends?.reserved ?? zero;
  const fromHolder = gross - withheld - fee - iva;
  return {
    gross,
    withholdings,
    withheld,
    fee,
    iva,
    reserved,
    ...shares(fromHolder, target, reversal.ends),
  };
}

const entryOf = (target: ResultRow, figures: Figures, ends?: ReservedRefund): Entry =>
  entry([
    [ends?.from ?? channels[target.channel].clearing, -figures.gross],
    [ledgerAccounts.refundsInProgress, figures.reserved],
    [ledgerAccounts.withholdingsPayable, figures.withheld],
    [ledgerAccounts.feeIncome, figures.fee],
    [ledgerAccounts.vatPayable, figures.iva],
    [ledgerAccounts.holderUnavailable, figures.fromUnavailable],
    [ledgerAccounts.holderAvailable, figures.fromAvailable],
  ]);

/** Builds a reversal's result with its journal, its event and the request's transition. */
export function reversalWrite(
  reversal: Reversal,
  facts: ReversalFacts,
  ids: ReversalIds,
  now: Temporal.Instant,
): ResultWrite {
  const { request, target } = facts;
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
    journal: { id: ids.journal, kind: type, entry: entryOf(target, figures, reversal.ends) },
    event: {
      id: ids.event,
      what: eventOf(request.kind, moveNames[type]),
      actor,
      data: { ...eventData(row), ...(reversal.ends && { refund_id: reversal.ends.id }) },
    },
    move: moveOf(reversal, facts),
    attemptId: null,
    back: {
      refunded: type === 'refund' ? figures.gross : 0,
      chargedBack: type === 'chargeback' ? figures.gross : 0,
      refunding: reversal.ends ? figures.gross : 0,
      unreleased: figures.fromUnavailable,
    },
  };
}
