import { type LockedAccount, lockAccount, notActive } from '../../accounts/index.ts';
import { cbuFault } from '../../kernel/cbu.ts';
import { type Centavos, centavos, plus, toJsonNumber } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import { refusal as anyRefusal } from '../../platform/codes.ts';
import { type FieldFaultsByName, Refusal } from '../../platform/errors.ts';
import type { Transaction } from '../../platform/postgres/connect.ts';
import {
  lockRequest,
  type RequestKey,
  type RequestKind,
  type RequestRow,
  requestRefusal,
} from '../../requests/index.ts';
import type { Channels, GiveBack } from '../channels/index.ts';
import { eventData, type ResultRow } from '../collections/index.ts';
import { entry, holderBalances, ledgerAccounts, posting } from '../ledger/index.ts';
import {
  figuresOf,
  lockTarget,
  type Reversal,
  type ReversalFacts,
  readTerms,
} from '../reversals/index.ts';
import { refusal } from './codes.ts';
import type { RefundRow } from './refund.ts';
import { type Aside, insertRefund } from './store.ts';
import { findByReference } from './store-reads.ts';

export interface RefundRequest {
  key: RequestKey;
  kind: RequestKind;
  /** The payment. Null for the last refundable one. */
  resultId: number | null;
  /** Null for everything that is left. */
  amount: Centavos | null;
  /** The destination if the channel cannot refund. */
  cbu: string | null;
  /** The caller's idempotency reference. */
  reference: string;
  actor: Actor;
  /** True to allow a negative balance, whatever the settings say. */
  uncovered?: boolean;
  /** The service's own reason, for the event. Unset if the account requests the refund. */
  why?: string;
  /** The requesting portal user. Absent for an API key or the service. */
  by?: number;
}

export interface RefundParts {
  base: Base;
  connected: Channels;
}

/** Delay before an inquiry about a refund whose answer may be lost. */
export const askAfter = { minutes: 2 };

/**
 * Returns how the processor refunds a payment, or null if it cannot. No processor can refund
 * payments that were only reported.
 */
export function giveBackOf(
  connected: Channels,
  { channel, source, details }: ResultRow,
): GiveBack | null {
  if (source !== 'attempt') return null;
  return connected.named(details.connector ?? 'simulator')?.giveBack(channel) ?? null;
}

/**
 * Decides whether the channel or a transfer returns the money. Throws 400 if a needed CBU is
 * missing or invalid, or a needless one is given.
 */
function wayOf(
  target: ResultRow,
  cbu: string | null,
  connected: Channels,
): Pick<RefundRow, 'way' | 'cbu'> {
  const label = target.channel_label;
  if (giveBackOf(connected, target) !== null) {
    if (cbu === null) return { way: 'channel', cbu: null };
    throw refusal('refund.cbu_unwanted', { channel: label });
  }
  if (cbu === null) throw refusal('refund.cbu_missing', { channel: label });
  const fault = cbuFault(cbu);
  if (fault === null || fault === 'cvu') return { way: 'transfer', cbu };
  throw refusal('refund.cbu_invalid', {});
}

/** Throws 400 for a partial refund if the processor allows only full ones. */
function refusePart(target: ResultRow, amount: Centavos, connected: Channels): void {
  if (amount === target.amount || !giveBackOf(connected, target)?.wholeOnly) return;
  throw refusal('refund.whole_only', { channel: target.channel_label });
}

/** Runs one field's check and catches its refusal. */
function checked<T>(check: () => T): { value: T } | { refused: Refusal } {
  try {
    return { value: check() };
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'invalid' && error.children) {
      return { refused: error };
    }
    throw error;
  }
}

/** Merges refusals into one that names every field. */
function together(refusals: readonly Refusal[]): Refusal {
  const [first] = refusals;
  const faults = refusals.map(({ children }) => children);
  const children: FieldFaultsByName = Object.assign(
    { amount: {}, result_id: {}, cbu: {} },
    ...faults,
  );
  return refusals.length === 1 && first?.localized
    ? new Refusal(first.kind, first.localized, children)
    : anyRefusal('invalid_fields', {}, { children });
}

/** Decides a refund's amount and way. Throws 400 with every faulty field. */
function decide(
  facts: ReversalFacts,
  { refundRequest, connected }: { refundRequest: RefundRequest; connected: Channels },
) {
  const { target } = facts;
  const figures = checked(() => {
    const worked = figuresOf(reversalOf(refundRequest), facts);
    refusePart(target, worked.gross, connected);
    return worked;
  });
  const way = checked(() => wayOf(target, refundRequest.cbu, connected));
  if ('value' in figures && 'value' in way) return { figures: figures.value, way: way.value };
  throw together([figures, way].flatMap((one) => ('refused' in one ? [one.refused] : [])));
}

/** Returns the reversal that the refund will become. */
const reversalOf = (refundRequest: RefundRequest): Reversal => ({
  key: refundRequest.key,
  type: 'refund',
  resultId: refundRequest.resultId,
  amount: refundRequest.amount,
  actor: refundRequest.actor,
  source: 'refund',
  sourceRef: refundRequest.reference,
  comment: '',
});

/**
 * Throws 409 if the holder's total balance does not cover the refund, unless it may go below zero.
 */
async function refuseUncovered(
  tx: Transaction,
  accountId: string,
  { held, mayGoBelow }: { held: number; mayGoBelow: boolean },
): Promise<void> {
  const { available, unavailable } = await holderBalances(tx, accountId);
  const owed = plus(available, unavailable);
  // A refund that takes nothing from the balance is covered, even if the balance is below zero.
  if (mayGoBelow || held === 0 || held <= owed) return;
  throw refusal('refund.not_covered', { owed, held: centavos(held) });
}

/** Builds the reservation of a refund's amount in the holder's balances. */
const holdOf = (row: RefundRow, journalId: number): Aside => ({
  journalId,
  kind: 'refund_hold',
  amount: row.amount,
  unavailable: row.held_unavailable,
  entry: entry([
    [ledgerAccounts.holderUnavailable, row.held_unavailable],
    [ledgerAccounts.holderAvailable, row.held - row.held_unavailable],
    [ledgerAccounts.refundsInProgress, -row.held],
  ]),
});

export interface RefundIds {
  refund: number;
  journal: number;
  event: number;
}

/** A permitted refund, with its locked payment. */
export interface Prepared {
  row: RefundRow;
  request: RequestRow;
  target: ResultRow;
}

/** Checks that a refund is possible now, and splits its amount between the balances. */
export async function prepare(
  tx: Transaction,
  parts: RefundParts,
  refundRequest: RefundRequest,
  { refundId, account }: { refundId: number; account: LockedAccount },
): Promise<Prepared> {
  const { state, settings } = account;
  if (state !== 'active') throw notActive(state);
  const mayGoBelow = refundRequest.uncovered === true || settings.refunds_below_zero === true;
  const { clocks } = parts.base;
  const request = await lockRequest(tx, refundRequest.key);
  if (!request || request.kind !== refundRequest.kind)
    throw requestRefusal('request.not_found', {});
  const target = await lockTarget(tx, reversalOf(refundRequest), request);
  const facts = { request, target, ...(await readTerms(tx, target)) };
  const { figures, way } = decide(facts, { refundRequest, connected: parts.connected });
  // If the returned fees exceed the payment, nothing is left to reserve.
  const unavailable = centavos(Math.max(figures.fromUnavailable, 0));
  const taken = centavos(Math.max(figures.fromUnavailable + figures.fromAvailable, 0));
  const { accountId } = refundRequest.key;
  await refuseUncovered(tx, accountId, {
    held: taken,
    mayGoBelow,
  });
  const now = clocks.business.now();
  const row: RefundRow = {
    account_id: accountId,
    id: refundId,
    request_id: request.id,
    result_id: target.id,
    reference: refundRequest.reference,
    amount: figures.gross,
    state: 'requested',
    ...way,
    held: taken,
    held_unavailable: unavailable,
    refunded_before: target.refunded,
    requested_at: now,
    ask_at: way.way === 'channel' ? now.add(askAfter) : null,
    ended_at: null,
    comment: null,
    asked_by: refundRequest.by ?? null,
  };
  return { row, request, target };
}

/** Stores a prepared refund and reserves its amount. */
export async function put(
  tx: Transaction,
  { row, request, target }: Prepared,
  refundRequest: RefundRequest,
  ids: RefundIds,
): Promise<RefundRow> {
  await insertRefund(tx, row, holdOf(row, ids.journal), {
    id: ids.event,
    kind: request.kind,
    what: 'ask_refund',
    at: row.requested_at,
    actor: refundRequest.actor,
    data: {
      ...refundData(row, request, target),
      ...(refundRequest.why !== undefined && { reason: refundRequest.why }),
    },
  });
  return row;
}

export const refundData = (
  { id, amount }: Pick<RefundRow, 'id' | 'amount'>,
  { kind }: Pick<RequestRow, 'kind'>,
  target: ResultRow,
): Record<string, unknown> => ({
  ...eventData({ ...target, kind }),
  refund_id: id,
  amount: toJsonNumber(amount),
});

export type RequestRefund = (
  refundRequest: RefundRequest,
) => Promise<{ outcome: 'requested' | 'known'; refund: RefundRow }>;

/** Takes the ids of a refund's rows, before any lock. */
export async function refundIds({ recordIds }: Pick<Base, 'recordIds'>): Promise<RefundIds> {
  const [refund = 0, journal = 0, event = 0] = await recordIds.take(3);
  return { refund, journal, event };
}

/**
 * Requests a refund and reserves its amount, so that nothing else uses it. Locks the account, then
 * the request: of two refunds, or a refund and a payout, the second sees the balance that the first
 * left. Throws 400 if the amount is not refundable, or a CBU is missing, invalid or not needed, 403
 * if the account is suspended, 404 for an unknown request or payment, 409 if the account is closed,
 * nothing is refundable or the balance is insufficient. A repeated reference returns the first
 * refund.
 */
export const requestRefund =
  (parts: RefundParts): RequestRefund =>
  async (refundRequest) => {
    const ids = await refundIds(parts.base);
    return await posting(parts.base.sql, async (tx) => {
      const account = await lockAccount(tx, refundRequest.key.accountId);
      const known = await findByReference(tx, refundRequest.key, refundRequest.reference);
      if (known) return { outcome: 'known', refund: known };
      const prepared = await prepare(tx, parts, refundRequest, { refundId: ids.refund, account });
      return { outcome: 'requested', refund: await put(tx, prepared, refundRequest, ids) };
    });
  };
