import { noteOperator } from '../../../events/index.ts';
import type { Acting } from '../../../platform/base.ts';
import { joinMails } from '../../../platform/mail/take.ts';
import type { Transaction } from '../../../platform/postgres/connect.ts';
import { addressOf } from '../stops.ts';
import { type Bounce, isGone, readReports } from './parse.ts';

export interface BouncesBooked {
  /** Messages parsed. */
  read: number;
  /** New bounces of emails to payers. */
  noted: number;
  known: number;
  /** Messages that are not bounces, or bounces of emails that are not ours. */
  other: number;
}

interface Bounced {
  request_id: number;
  recipient: string;
  bounced_at: Temporal.Instant | null;
}

/** Records a bounce on its email. Stops emails to an address that is gone. */
async function book(
  tx: Transaction,
  acting: Acting,
  { bounce, eventId }: { bounce: Bounce; eventId: number },
): Promise<'noted' | 'known' | 'other'> {
  const { accountId, mailId } = bounce;
  const [mail] = await tx<Bounced[]>`
    select m.request_id, coalesce(mail.recipient, m.recipient) as recipient, m.bounced_at
    from payer_mails m ${joinMails(tx, 'm')}
    where m.account_id = ${accountId} and m.mail_id = ${mailId}
      and coalesce(mail.state, m.mail_state) = 'sent'
    for update of m`;
  // A forger of reports does not know the email's recipient.
  if (!mail || !bounce.text.includes(addressOf(mail.recipient))) return 'other';
  if (mail.bounced_at !== null) return 'known';
  const now = acting.clocks.business.now();
  await tx`
    update payer_mails set bounced_at = ${now}::timestamptz, bounce = ${bounce.words}
    where account_id = ${accountId} and mail_id = ${mailId}`;
  if (isGone(bounce)) {
    await tx`
      insert into payer_mail_stops (account_id, address, reason, at, request_id)
      values (${accountId}, ${addressOf(mail.recipient)}, 'bounced', ${now}::timestamptz,
        ${mail.request_id})
      on conflict do nothing`;
  }
  await noteOperator(tx, acting, {
    eventId,
    entity: 'mail',
    entityId: `${accountId}.${mailId}`,
    type: 'mail.bounced',
    data: { account_id: accountId, request_id: mail.request_id, status: bounce.status },
  });
  return 'noted';
}

/** Records the bounces in a text, one per email, however often the text is read. */
export async function bookBounces(acting: Acting, text: string): Promise<BouncesBooked> {
  const booked = { read: 0, noted: 0, known: 0, other: 0 };
  for (const report of readReports(text)) {
    booked.read += 1;
    if (report === 'other') {
      booked.other += 1;
      continue;
    }
    const eventId = await acting.recordIds.next();
    booked[await acting.sql.begin((tx) => book(tx, acting, { bounce: report, eventId }))] += 1;
  }
  return booked;
}
