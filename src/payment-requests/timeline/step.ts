import type { Centavos } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import type { PayerMailKind } from '../mails/texts/kinds.ts';

/**
 * Kinds of steps, in the words of the events; `tried`, `authorized`, `authorization_voided`,
 * `available`, `paid_out` and the fates of mails leave no event.
 */
export type TimelineWhat =
  | 'created'
  | 'opened'
  | 'tried'
  | 'authorized'
  | 'authorization_voided'
  | 'rejected'
  | 'paid'
  | 'available'
  | 'availability_moved'
  | 'paid_out'
  | 'refund_requested'
  | 'refund_failed'
  | 'disputed'
  | 'refunded'
  | 'reverted'
  | 'expired'
  | 'mail_sent'
  | 'mail_refused'
  | 'mail_bounced'
  | 'mail_resent'
  | 'unsubscribed'
  | 'resubscribed'
  | 'payer_erased';

/** One thing that happened to a payment request. */
export interface TimelineStep {
  /** An event of another name keeps it. */
  what: TimelineWhat | (string & {});
  at: Temporal.Instant;
  /** The day of a step without a time: when money became available. */
  day: Temporal.PlainDate | null;
  actor: Actor;
  /** The instrument: `Visa`, `Pago Fácil`. */
  channel: string | null;
  amount: Centavos | null;
  /** The id of its result. */
  resultId: number | null;
  /** The channel's or mail server's reason for a refusal. */
  words: string | null;
  /** The request's state after the event. */
  state?: string;
  /** The connector of a charge, for operators only. */
  connector?: string;
  /** The mail's kind and its recipient. */
  mail?: { kind: PayerMailKind; recipient: string };
}
