import type { Centavos } from '../../kernel/money.ts';
import type { Actor } from '../../platform/actor.ts';
import type { PayerMailKind } from '../mails/texts/kinds.ts';

/**
 * Kinds of steps, named like events. `tried`, `authorized`, `authorization_voided`, `available`,
 * `paid_out` and the outcomes of emails have no event.
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

export interface TimelineStep {
  /** Other events use their own name. */
  what: TimelineWhat | (string & {});
  at: Temporal.Instant;
  /** The day of a step without a time, such as when money became available. */
  day: Temporal.PlainDate | null;
  actor: Actor;
  /** The instrument: `Visa`, `Pago Fácil`. */
  channel: string | null;
  amount: Centavos | null;
  resultId: number | null;
  /** The channel's or mail server's reason for refusing. */
  words: string | null;
  /** The request's state after the event. */
  state?: string;
  /** A charge's connector, for operators only. */
  connector?: string;
  mail?: { kind: PayerMailKind; recipient: string };
}
