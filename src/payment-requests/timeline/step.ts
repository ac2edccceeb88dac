import type { Centavos } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import type { PayerMailKind } from '../mails/texts/kinds.ts';

/**
 * What happened, in the words of the events; `tried`, `authorized`, `authorization_voided`,
 * `available`, `paid_out` and what became of mails leave none there.
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
  | 'resubscribed';

/** One thing that happened to a payment request. */
export interface TimelineStep {
  /** An event of another name keeps it. */
  what: TimelineWhat | (string & {});
  at: Temporal.Instant;
  /** What is known by its day alone: when money became available. */
  day: Temporal.PlainDate | null;
  /** Who did it. */
  actor: Actor;
  /** How: `Visa`, `Pago Fácil`. */
  channel: string | null;
  amount: Centavos | null;
  /** The result that it was recorded as. */
  resultId: number | null;
  /** Why, in words: what the channel or a mail server said of a refusal. */
  words: string | null;
  /** Which mail went, and where to. */
  mail?: { kind: PayerMailKind; recipient: string };
}
