import { actorText, system } from '../../platform/actor.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { RequestRow } from '../../requests/index.ts';
import type { Channel, ChargeOutcome, StoredCard } from '../channels/index.ts';
import { type AttemptRow, describe } from './attempt.ts';
import type { SettleParts } from './reply.ts';
import { firstAskAt } from './schedule.ts';
import { settle } from './settle.ts';
import { stampAttempt } from './stamp.ts';

/** A charge of a card on file for a debit. */
export interface DebitCharge {
  request: RequestRow;
  amount: RequestRow['total1'];
  card: StoredCard;
  /** The processor that stores the card. */
  channel: Channel;
}

export interface BegunDebit extends DebitCharge {
  attempt: AttemptRow;
}

/**
 * Stores a debit's attempt, in the transaction that locks its run and names the attempt there. So
 * of two processes, only one creates an attempt.
 */
export async function beginDebit(
  tx: Queryable,
  { clocks }: Base,
  id: number,
  debit: DebitCharge,
): Promise<BegunDebit> {
  const { request, amount, card, channel } = debit;
  const startedAt = clocks.business.now();
  const attempt: AttemptRow = {
    account_id: request.account_id,
    id,
    request_id: request.id,
    channel: 'card_debit',
    connector: channel.name,
    amount,
    started_at: startedAt,
    unheard_at: null,
    action_until: null,
    reference: null,
    details: {
      actor: actorText(system),
      ...describe('card_debit', { type: 'kept_card', card }),
    },
  };
  const stamp = await stampAttempt(tx, attempt);
  await tx`
    insert into attempts (account_id, id, request_id, lane, channel, connector, amount, state,
      details, started_at, ask_at, stamp)
    values (${attempt.account_id}, ${id}, ${request.id}, 0, ${attempt.channel},
      ${attempt.connector}, ${amount}, 'started', ${JSON.stringify(attempt.details)}::text::json,
      ${startedAt}::timestamptz, ${firstAskAt(startedAt, channel.answersWithinS)}::timestamptz,
      ${stamp})`;
  return { ...debit, attempt };
}

/**
 * Charges a debit whose attempt is stored. After a failure, the attempts' sweep inquires. `sent` is
 * true if an order may have left this process.
 */
export async function chargeDebit(
  parts: SettleParts,
  { attempt, request, card, channel }: BegunDebit,
): Promise<{ sent: boolean }> {
  let outcome: ChargeOutcome;
  try {
    outcome = await channel.charge({
      accountId: request.account_id,
      attemptId: attempt.id,
      requestId: request.id,
      channel: 'card_debit',
      amount: attempt.amount,
      instrument: { type: 'kept_card', card },
      payer: { name: request.payer, email: null, ip: null, userAgent: null },
      description: request.description,
      reference: request.reference,
      returnUrl: null,
    });
  } catch (error) {
    parts.base.log.error({ err: error, channel: 'card_debit' }, 'a channel failed to answer');
    return { sent: true };
  }
  await settle(parts, { attempt, request, channel, outcome, isInquiry: false });
  return { sent: outcome.outcome !== 'unheard' || outcome.unsent !== true };
}
