import type { Base } from '../../platform/base.ts';
import type { RequestRow } from '../../requests/index.ts';
import { type MoneyAlarm, raiseMoneyAlarm } from '../alarms/index.ts';
import type { CardKindOf, Channel, ChargeOutcome } from '../channels/index.ts';
import type { RecordFact } from '../collections/index.ts';
import type { UnwantedApprovals } from '../unwanted/index.ts';
import type { AttemptRow } from './attempt.ts';

export interface SettleParts {
  base: Base;
  record: RecordFact;
  unwanted: Pick<UnwantedApprovals, 'note' | 'decide'>;
  loadCardKinds(): Promise<CardKindOf>;
}

export interface ChannelReply {
  attempt: AttemptRow;
  request: RequestRow;
  channel: Channel;
  outcome: ChargeOutcome;
  /** True if it answers an inquiry, false if it answers the charge itself. */
  isInquiry: boolean;
}

/**
 * Returns true if money arrived or may still arrive. After a charge has ended, no other outcome
 * matters.
 */
export const isNews = ({ outcome }: ChargeOutcome): boolean =>
  outcome === 'approved' || outcome === 'authorized';

export const endsHold = (answer: ChargeOutcome): boolean =>
  ['rejected', 'canceled'].includes(answer.outcome) ||
  (answer.outcome === 'unheard' && answer.early !== true);

export const named = ({ account_id, id, request_id }: AttemptRow): string =>
  `attempt ${account_id}-${id} of request ${request_id}`;

/** Raises an alarm about an attempt's money, once per kind and `of`. */
export const alarm = (
  { base }: Pick<SettleParts, 'base'>,
  { attempt, channel }: Pick<ChannelReply, 'attempt' | 'channel'>,
  {
    kind,
    message,
    amount = attempt.amount,
    of = '',
  }: Pick<MoneyAlarm, 'kind' | 'message' | 'amount'> & { of?: string },
): Promise<void> =>
  raiseMoneyAlarm(base, {
    kind,
    fact: `attempt ${attempt.account_id}-${attempt.id}${of}`,
    message,
    amount,
    connector: channel.name,
    accountId: attempt.account_id,
    requestId: attempt.request_id,
    attemptId: attempt.id,
  });
