import { accountRefusal, notActive } from '../../accounts/index.ts';
import { isEmail } from '../../kernel/email.ts';
import { isLive, type ResultRow, readResults } from '../../money/collections/index.ts';
import type { Base, Ctx } from '../../platform/base.ts';
import { queueMails } from '../../platform/mail/queue.ts';
import type { Queryable, Transaction } from '../../platform/postgres/connect.ts';
import { lockRequest, type RequestKey, stateOn } from '../../requests/index.ts';
import { refusal as requestRefusal } from '../codes.ts';
import { isPaymentRequest, type PaymentRequestRow } from '../details.ts';
import { refusal, tooMany } from './codes.ts';
import { addressOf, noteOnRequest, stopsOf } from './stops.ts';
import type { PayerMailKind } from './texts/kinds.ts';
import { mailOf, type ReadAccount, writingOf } from './write.ts';

/** Copies per request and day. */
const mostADay = 5;
const day = { hours: 24 };
/** Minimum interval, so that a form submitted twice sends one copy. */
const pause = { minutes: 1 };

export interface Resent {
  recipient: string;
  kind: PayerMailKind;
}

interface ResendOptions {
  /**
   * True for one of many: refuses a request that is no longer pending, had an email in the last day
   * or has an address that bounced, and queues behind single emails.
   */
  amongMany?: boolean;
}

export type ResendMail = (
  ctx: Pick<Ctx, 'accountId' | 'actor'>,
  id: number,
  options?: ResendOptions,
) => Promise<Resent>;

/**
 * Returns the email to resend: the request while it is pending, else the receipt of its last
 * payment that was not reversed in full. Returns null if there is neither.
 */
function whatOf(
  row: PaymentRequestRow,
  results: readonly ResultRow[],
  today: Temporal.PlainDate,
): { kind: PayerMailKind; no: number; result: ResultRow | null } | null {
  if (stateOn(row, today) === 'pending') return { kind: 'request', no: 0, result: null };
  const result = results.findLast(isLive);
  return result ? { kind: 'receipt', no: result.id, result } : null;
}

/** Returns true if a request's mail can be resent, judging by the request alone. */
export const isMailable = (
  row: PaymentRequestRow,
  results: readonly ResultRow[],
  today: Temporal.PlainDate,
): boolean => isEmail(row.details.payer_email ?? '') && whatOf(row, results, today) !== null;

/**
 * Returns the next copy's number. Throws 429 within a minute of the last copy, and after too many
 * in a day.
 */
async function nextCopy(
  tx: Queryable,
  { accountId, id }: RequestKey,
  now: Temporal.Instant,
): Promise<number> {
  const copies = await tx<{ copy: number; at: Temporal.Instant }[]>`
    select copy, at from payer_mails
    where account_id = ${accountId} and request_id = ${id} and copy > 0
    order by copy desc limit ${mostADay}`;
  const secondsTo = (until: Temporal.Instant | undefined): number =>
    Math.ceil(until?.since(now).total('seconds') ?? 0);
  const paused = secondsTo(copies[0]?.at.add(pause));
  if (paused > 0) throw tooMany('payer_mail.just_sent', {}, paused);
  const spent = secondsTo(copies[mostADay - 1]?.at.add(day));
  if (spent > 0) throw tooMany('payer_mail.sent_too_often', { most: mostADay }, spent);
  return (copies[0]?.copy ?? 0) + 1;
}

/** Throws if the request had any email in the last day, sent by a person or by the service. */
async function refuseIfSentToday(
  tx: Queryable,
  { accountId, id }: RequestKey,
  now: Temporal.Instant,
): Promise<void> {
  const [sent] = await tx`
    select from payer_mails
    where account_id = ${accountId} and request_id = ${id} and state <> 'skipped'
      and at > ${now.subtract(day)}::timestamptz limit 1`;
  if (sent) throw refusal('payer_mail.sent_today', {});
}

/**
 * Throws if the address unsubscribed. A bounced address may work again, so a user may retry it, but
 * not among many.
 */
async function refuseStopped(
  tx: Queryable,
  { accountId }: RequestKey,
  { kind, email, amongMany }: { kind: PayerMailKind; email: string; amongMany: boolean },
): Promise<void> {
  const stop = (await stopsOf(tx, accountId, [email])).get(addressOf(email));
  if (stop === 'unsubscribed' && kind !== 'receipt') throw refusal('payer_mail.unsubscribed', {});
  if (stop !== 'bounced') return;
  if (amongMany) throw refusal('payer_mail.bounced', {});
  await tx`
    delete from payer_mail_stops
    where account_id = ${accountId} and address = ${addressOf(email)} and reason = 'bounced'`;
}

interface Sending {
  mailId: number;
  eventId: number;
  actor: Ctx['actor'];
  amongMany: boolean;
}

/**
 * Resends a request's email, or its payment's receipt, even if these emails are off. Throws 409 if
 * there is nothing to send or no recipient, if the payer unsubscribed, or if the account is closed.
 * Throws 403 if it is suspended, 429 after too many copies, 404 for an unknown request.
 */
export function resendMail(
  { sql, clocks, recordIds }: Base,
  { readAccount }: { readAccount: ReadAccount },
): ResendMail {
  const send = async (
    tx: Transaction,
    key: RequestKey,
    { mailId, eventId, actor, amongMany }: Sending,
  ): Promise<Resent> => {
    const row = await lockRequest(tx, key);
    if (!row || !isPaymentRequest(row)) throw requestRefusal('payment_request.not_found', {});
    const email = row.details.payer_email ?? '';
    if (!isEmail(email)) throw refusal('payer_mail.no_address', {});
    const at = clocks.business.now();
    const today = clocks.business.today();
    const what = whatOf(row, await readResults(tx, [key]), today);
    // A request among many was confirmed as one to pay, and may have been paid since.
    if (!what || (amongMany && what.kind !== 'request')) {
      throw refusal('payer_mail.nothing_to_send', { state: stateOn(row, today) });
    }
    const { kind, no } = what;
    if (amongMany) await refuseIfSentToday(tx, key, at);
    const copy = await nextCopy(tx, key, at);
    await refuseStopped(tx, key, { kind, email, amongMany });
    const writing = await writingOf(tx, key.accountId, readAccount);
    if (!writing) throw accountRefusal('account.not_found', {});
    const mail = {
      ...mailOf(writing, row, { kind, no }, { id: mailId, ...what }),
      counts: true,
      mass: amongMany,
    };
    await tx`
      with named as (
        insert into payer_mails (account_id, request_id, kind, no, copy, state, at, mail_id)
        values (${key.accountId}, ${key.id}, ${kind}, ${no}, ${copy}, 'queued', ${at}::timestamptz,
          ${mailId})
        returning account_id, mail_id
      ),
      ${queueMails(tx, [mail], 'named', clocks.wall.now())}
      select 1`;
    const data = { mail: kind };
    await noteOnRequest(tx, { key, happening: 'resend_mail', eventId, at, actor, data });
    return { recipient: email, kind };
  };
  return async ({ accountId, actor }, id, { amongMany = false } = {}) => {
    const account = await readAccount(accountId);
    if (!account) throw accountRefusal('account.not_found', {});
    const { state } = account;
    if (state !== 'active') throw notActive(state);
    const [mailId = 0, eventId = 0] = await recordIds.take(2);
    return await sql.begin((tx) =>
      send(tx, { accountId, id }, { mailId, eventId, actor, amongMany }),
    );
  };
}
