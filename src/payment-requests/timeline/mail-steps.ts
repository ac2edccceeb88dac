import { system } from '../../platform/actor.ts';
import type { MailOutcome } from '../mails/store.ts';
import type { TimelineStep } from './step.ts';

/** Returns an email's steps: sent or refused, and possibly bounced. */
export function mailSteps(mail: MailOutcome): TimelineStep[] {
  const { kind, recipient, state, ended_at: endedAt, bounced_at: bouncedAt } = mail;
  const step = (
    what: 'mail_sent' | 'mail_refused' | 'mail_bounced',
    at: Temporal.Instant | null,
    words: string | null,
  ): TimelineStep[] =>
    at === null
      ? []
      : [
          {
            what,
            at,
            day: null,
            actor: system,
            channel: null,
            amount: null,
            resultId: null,
            words,
            mail: { kind, recipient },
          },
        ];
  return [
    ...(state === 'sent' ? step('mail_sent', endedAt, null) : []),
    ...(state === 'failed' ? step('mail_refused', endedAt, mail.refusal) : []),
    ...step('mail_bounced', bouncedAt, mail.bounce),
  ];
}
