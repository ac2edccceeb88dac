import type { Account } from '../../accounts/index.ts';
import { compareDays } from '../../kernel/dates.ts';
import { isEmail } from '../../kernel/email.ts';
import { itemAt } from '../../kernel/lists.ts';
import { isLive, type ResultRow, readResults } from '../../money/collections/index.ts';
import type { Base } from '../../platform/base.ts';
import { eachAccount } from '../../platform/each-account.ts';
import { type Mail, queueMails } from '../../platform/mail/queue.ts';
import type { Queryable, Transaction } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { readRequests, stateOn } from '../../requests/index.ts';
import { isPaymentRequest, type PaymentRequestRow } from '../details.ts';
import {
  type MailTexts,
  type PayerMailSettings,
  readMailSettings,
  readMailTexts,
} from './settings.ts';
import { addressOf, type StopReason, stopsOf } from './stops.ts';
import { accountsWithDue, type DueMail, holdDue, type SkipReason, skipMails } from './store.ts';
import { composeMail } from './texts/compose.ts';
import type { PayerMailKind } from './texts/kinds.ts';

export interface Writing {
  account: Account;
  settings: PayerMailSettings;
  texts: MailTexts;
}

export const linkKinds = {
  request: 'payer_request',
  request_with_coupon: 'payer_request_with_coupon',
  reminder: 'payer_reminder',
  receipt: 'payer_receipt',
} as const;
export type PayerLinkKind = (typeof linkKinds)[keyof typeof linkKinds];

const linkKindOf = (kind: PayerMailKind, { attachesCoupon }: PayerMailSettings): PayerLinkKind =>
  kind === 'request' && attachesCoupon ? linkKinds.request_with_coupon : linkKinds[kind];

export function mailOf(
  { account, settings, texts }: Writing,
  row: PaymentRequestRow,
  due: Pick<DueMail, 'kind' | 'no'>,
  { id, result }: { id: number; result: ResultRow | null },
): Mail {
  const { kind } = due;
  const dueNo = kind === 'reminder' && due.no === 2 ? 2 : 1;
  const paid = result && {
    amount: result.amount,
    at: result.paid_at,
    channel: result.channel_label,
  };
  const written = composeMail(
    { kind, account: account.name, request: row, dueNo, paid },
    settings.languages,
    texts[kind],
  );
  return {
    accountId: account.id,
    id,
    recipient: row.details.payer_email ?? '',
    ...written,
    link: { kind: linkKindOf(kind, settings), id: row.id, no: dueNo },
    // Receipts are exempt from rate limits, because each is about received money.
    counts: kind !== 'receipt',
    mass: true,
  };
}

const isBefore = (day: Temporal.PlainDate, other: Temporal.PlainDate): boolean =>
  compareDays(day, other) < 0;

interface Found {
  row: PaymentRequestRow | null;
  result: ResultRow | null;
  stop: StopReason | null;
}

/** Returns why to skip an email for good, or null to write it. */
function faultOf(
  { kind, no }: DueMail,
  { row, result, stop }: Found,
  { account, settings }: Writing,
  today: Temporal.PlainDate,
): SkipReason | null {
  if (account.state !== 'active') return 'account';
  if (!settings[kind]) return 'off';
  if (row === null) return 'gone';
  if (!isEmail(row.details.payer_email ?? '')) return 'address';
  if (stop === 'bounced' || (stop !== null && kind !== 'receipt')) return 'stopped';
  if (kind === 'receipt') return result !== null && isLive(result) ? null : 'went_back';
  if (stateOn(row, today) !== 'pending') return 'not_pending';
  const due = no === 2 ? row.due2 : row.due1;
  return kind === 'reminder' && (due === null || isBefore(due, today)) ? 'passed' : null;
}

/**
 * Reads what emails are about: the request, the payment of a receipt, and whether the address was
 * stopped. Keeps their order.
 */
async function readAbout(
  tx: Queryable,
  accountId: string,
  dues: readonly DueMail[],
): Promise<Found[]> {
  const rows = await readRequests(
    tx,
    dues.map(({ request_id: id }) => ({ accountId, id })),
  );
  const paid = dues.filter(({ kind }) => kind === 'receipt');
  const results = await readResults(
    tx,
    paid.map(({ request_id: id }) => ({ accountId, id })),
  );
  const byId = new Map(results.map((result) => [result.id, result]));
  const found = dues.map((due, index) => {
    const row = rows[index] ?? null;
    const request = row !== null && isPaymentRequest(row) ? row : null;
    return { row: request, result: due.kind === 'receipt' ? (byId.get(due.no) ?? null) : null };
  });
  const stops = await stopsOf(
    tx,
    accountId,
    found.flatMap(({ row }) => row?.details.payer_email ?? []),
  );
  return found.map((one) => ({
    ...one,
    stop: stops.get(addressOf(one.row?.details.payer_email ?? '')) ?? null,
  }));
}

/** Queues emails in the transaction that marks them as done, so that each is queued once. */
async function queue(
  tx: Queryable,
  accountId: string,
  letters: readonly { due: DueMail; mail: Mail }[],
  now: Temporal.Instant,
): Promise<void> {
  const mails = letters.map(({ mail }) => mail);
  await tx`
    with named as (
      update payer_mails m set state = 'queued', mail_id = one.mail_id
      from ${recordset(
        tx,
        'one (request_id bigint, kind text, no bigint, copy smallint, mail_id bigint)',
        letters.map(({ due, mail }) => ({ ...due, mail_id: mail.id })),
      )}
      where m.account_id = ${accountId} and m.request_id = one.request_id and m.kind = one.kind
        and m.no = one.no and m.copy = one.copy
      returning m.account_id, m.mail_id
    ),
    ${queueMails(tx, mails, 'named', now)}
    select 1`;
}

/** Emails per transaction. Other calls run between two transactions. */
const writtenAtOnce = 250;

async function writeUnderLock(
  tx: Transaction,
  writing: Writing,
  { clocks, ids }: Pick<Base, 'clocks'> & { ids: readonly number[] },
): Promise<number> {
  const { id: accountId } = writing.account;
  const dues = await holdDue(tx, accountId, writtenAtOnce);
  if (dues.length === 0) return 0;
  const found = await readAbout(tx, accountId, dues);
  const today = clocks.business.today();
  const judged = dues.map((due, index) => {
    const about = itemAt(found, index);
    return { due, about, id: itemAt(ids, index), reason: faultOf(due, about, writing, today) };
  });
  const skipped = judged.flatMap(({ due: mail, reason }) =>
    reason === null ? [] : { mail, reason },
  );
  const letters = judged.flatMap(({ due, about: { row, result }, id, reason }) =>
    reason !== null || row === null ? [] : { due, mail: mailOf(writing, row, due, { id, result }) },
  );
  if (skipped.length > 0) await skipMails(tx, accountId, skipped);
  if (letters.length > 0) await queue(tx, accountId, letters, clocks.wall.now());
  return dues.length;
}

export type ReadAccount = (id: string) => Promise<Account | null>;

/**
 * Reads everything needed to write an account's emails. Returns null if there is no such account.
 */
export async function writingOf(
  sql: Queryable,
  accountId: string,
  readAccount: ReadAccount,
): Promise<Writing | null> {
  const account = await readAccount(accountId);
  if (!account) return null;
  const settings = await readMailSettings(sql, accountId);
  return { account, settings, texts: await readMailTexts(sql, accountId) };
}

/**
 * Writes a batch of due emails of each account. Returns the number read, including skipped ones.
 */
export async function writeDue(base: Base, readAccount: ReadAccount): Promise<number> {
  const { sql, recordIds } = base;
  let looked = 0;
  const how = { atOnce: 1, failed: 'Mails of some accounts could not be written.' };
  await eachAccount(await accountsWithDue(sql), how, async ({ account_id: accountId }) => {
    const writing = await writingOf(sql, accountId, readAccount);
    if (!writing) return;
    const ids = await recordIds.take(writtenAtOnce);
    looked += await sql.begin((tx) => writeUnderLock(tx, writing, { ...base, ids }));
  });
  return looked;
}
