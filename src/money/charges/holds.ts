import { takesPayments } from '../../accounts/index.ts';
import { decimalText } from '../../kernel/money.ts';
import type { Base } from '../../platform/base.ts';
import { lockPayable, type RequestRow } from '../../requests/index.ts';
import { raiseForged } from '../alarms/index.ts';
import type { ChargeOutcome, HoldAnswer } from '../channels/index.ts';
import type { AttemptRow } from './attempt.ts';
import { refusal } from './codes.ts';
import { alarm, type ChannelReply, named, type SettleParts } from './reply.ts';
import { nextAskAt } from './schedule.ts';
import { endAction, readAttempt } from './store.ts';
import {
  type HoldRow,
  insertHold,
  readHold,
  stampedHolds,
  type VoidReason,
} from './store-holds.ts';

/** An answer about an authorized charge. */
interface Authorization {
  answer: HoldAnswer;
  expiresAt: Temporal.Instant;
  /** True if the request excludes the card's actual channel or brand. */
  isExcluded: boolean;
  hasEnded: boolean;
}

const forged = ({ account_id, id }: AttemptRow) =>
  refusal('charge.forged', { trx: `${account_id}-${id}` });

/** Returns an attempt's hold, or null. Raises an alarm and throws 409 if it is forged. */
export async function ownHold(base: Base, attempt: AttemptRow): Promise<HoldRow | null> {
  const hold = await readHold(base.sql, attempt);
  if (hold !== 'forged') return hold;
  const { account_id: accountId, id } = attempt;
  await raiseForged(base, [{ accountId, kind: stampedHolds.kind, id }]);
  throw forged(attempt);
}

/**
 * Decides how a hold ends, under the request's lock. It is captured if the attempt is still open,
 * the request accepts the card, the whole amount was authorized, and, except for a debit, the
 * request and its account accept this payment now; else it is voided. Stores the decision before
 * any order and never changes it, so that concurrent processes order the same.
 */
async function decideHold(
  { sql, clocks }: Base,
  attempt: AttemptRow,
  { answer, expiresAt, isExcluded }: Authorization,
): Promise<HoldRow> {
  const { account_id: accountId, request_id: requestId, amount } = attempt;
  const now = clocks.business.now();
  return await sql.begin(async (tx) => {
    const [payable] = await tx<(RequestRow & { asked: number })[]>`
      ${lockPayable(tx, { accountId, id: requestId }, clocks.business.today())}`;
    const isLate = (await readAttempt(tx, attempt))?.open !== true;
    // A debit's amount is fixed when its card is charged.
    const isDue =
      attempt.channel === 'card_debit' ||
      (payable?.asked === amount && (await takesPayments(tx, accountId)));
    const why = whyVoid({ isLate, isExcluded, isDue, isWhole: answer.amount === amount });
    const row: HoldRow = {
      account_id: accountId,
      attempt_id: attempt.id,
      request_id: requestId,
      reference: answer.reference,
      amount: answer.amount,
      ordered: why === null ? 'capture' : 'void',
      why,
      expires_at: expiresAt,
    };
    await insertHold(tx, row, { at: now, askAt: nextAskAt(attempt.started_at, now) });
    await endAction(tx, attempt);
    const decided = await readHold(tx, attempt);
    if (decided === null || decided === 'forged') throw forged(attempt);
    return decided;
  });
}

function whyVoid(found: {
  isLate: boolean;
  isExcluded: boolean;
  isDue: boolean;
  isWhole: boolean;
}): VoidReason | null {
  if (found.isLate) return 'late';
  if (!found.isDue) return 'not_payable';
  if (!found.isWhole) return 'amount';
  return found.isExcluded ? 'excluded' : null;
}

async function tellAmount(parts: SettleParts, reply: ChannelReply, hold: HoldRow): Promise<void> {
  if (hold.why !== 'amount') return;
  const { attempt } = reply;
  const sums = `${decimalText(hold.amount)} was authorized instead of ${decimalText(attempt.amount)}`;
  const message = `${sums}, and is voided: ${named(attempt)}.`;
  await alarm(parts, reply, { kind: 'amount', message, amount: hold.amount });
}

export const hasExpired = ({ expires_at: until }: HoldRow, now: Temporal.Instant): boolean =>
  Temporal.Instant.compare(until, now) <= 0;

/** Alerts the operator to an expired hold whose end is unknown. */
export async function tellExpired(parts: SettleParts, reply: ChannelReply): Promise<void> {
  const hold = await ownHold(parts.base, reply.attempt);
  const now = parts.base.clocks.business.now();
  if (!hold || !hasExpired(hold, now)) return;
  const message = `The hold of ${named(reply.attempt)} expired at ${hold.expires_at}. Nobody confirmed its ${hold.ordered}.`;
  await alarm(parts, reply, { kind: 'hold', message, of: ' expired' });
}

/**
 * Captures or voids a hold as decided, deciding first if necessary. Returns `authorized` while it
 * is still held.
 */
export async function endHold(
  parts: SettleParts,
  reply: ChannelReply,
  authorization: Authorization,
): Promise<ChargeOutcome> {
  const { attempt, channel, outcome } = reply;
  const known = await ownHold(parts.base, attempt);
  const hold = known ?? (await decideHold(parts.base, attempt, authorization));
  await tellAmount(parts, reply, hold);
  // The payer has already seen a refusal, so do not capture.
  if (authorization.hasEnded && hold.ordered === 'capture') return outcome;
  return await channel.endHold({
    accountId: attempt.account_id,
    attemptId: attempt.id,
    startedAt: attempt.started_at,
    end: hold.ordered,
    channel: attempt.channel,
    amount: hold.amount,
    reference: hold.reference,
  });
}

const voided: Record<VoidReason, string> = {
  late: 'The card was authorized after the attempt had ended.',
  not_payable: 'The card was authorized when the request could no longer be paid.',
  excluded: 'The card was authorized, but the request excludes it.',
  amount: 'Another amount was authorized.',
};

/** Returns the refusal that a payer sees when a hold ended without a payment. */
export function unpaidHold({ why }: HoldRow, because: string | null) {
  if (why !== null) return { code: 'voided', text: `${voided[why]} Nothing was charged.` };
  const text = because ?? 'The authorization ended before its capture.';
  return { code: 'not_captured', text: `${text} Nothing was charged.` };
}
