import type { Base } from '../../platform/base.ts';
import { accountId, flag, oneOf, recordId } from '../../platform/http/fields.ts';
import { optional } from '../../platform/http/form.ts';
import { listing } from '../../platform/listings.ts';
import { type ListedMail, listMails, mailStates } from '../../platform/mail/outbox.ts';
import { operation } from '../../platform/operations.ts';
import { refusals } from '../codes.ts';
import en from '../texts.en.json' with { type: 'json' };
import es from '../texts.es.json' with { type: 'json' };

const texts = { en, es };

/** Lists emails in one state, by default the failed ones, without their text. */
export const mailList = listing({
  name: 'mail.list',
  act: 'health.see',
  account: 'optional',
  takes: { state: optional(oneOf(mailStates)) },
  command: { takesOperatorBooks: true },
  texts,
  async read(sql, { account, state, ...page }) {
    const { mailBooks } = await import('./resend.ts');
    return await listMails(sql, await mailBooks(sql, account), state ?? 'failed', page);
  },
  columns: {
    account: { kind: 'text', of: (row: ListedMail) => row.account_id },
    id: { kind: 'text', of: (row) => row.id },
    recipient: { kind: 'text', of: (row) => row.recipient },
    subject: { kind: 'text', of: (row) => row.subject },
    state: { kind: 'choice', of: (row) => row.state },
    attempts: { kind: 'text', of: (row) => row.attempts },
    next_at: { kind: 'moment', of: (row) => (row.state === 'waiting' ? row.next_at : null) },
  },
});

/** Queues failed emails again, with a full set of retries. */
export const mailResending = operation({
  name: 'mail.resend',
  act: 'operators.manage',
  texts,
  takes: { id: optional(recordId()), all: optional(flag()), account: optional(accountId()) },
  rules: ({ id = null, all = null }) =>
    (id === null) === (all === true) ? {} : { id: refusals.fault('mail.one_or_all', {}) },
  repeat: { again: 'an email that failed again is sent again' },
  async run(base: Base, { id, account }, actor) {
    const { resendMails } = await import('./resend.ts');
    return { queued: await resendMails({ ...base, actor }, { account, id }) };
  },
  command: { arguments: ['id'], takesOperatorBooks: true, shows: (_, done) => done },
});
