import { erasedText } from '../../platform/person.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { textsOf } from '../../platform/postgres/texts.ts';
import { emailsInUse } from '../../requests/index.ts';

/** Returns the ids of the emails about requests. */
export async function mailsOfRequests(
  sql: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select mail_id as id from payer_mails where account_id = ${accountId}
      and request_id = any(${[...requestIds]}::bigint[]) and mail_id is not null`;
  return rows.map(({ id }) => id);
}

/**
 * Erases stops (unsubscriptions and bounces) that erased requests caused, and those of the given
 * lower-case addresses. Retains the stop of an address that a request still contains, or others who
 * share the address would receive emails again.
 */
export async function eraseMailStops(
  tx: Queryable,
  accountId: string,
  requestIds: readonly number[],
  emails: readonly string[],
): Promise<void> {
  const stops = await tx<{ address: string }[]>`
    select address from payer_mail_stops where account_id = ${accountId}
      and (request_id = any(${[...requestIds]}::bigint[]) or address = any(${[...emails]}::text[]))`;
  if (stops.length === 0) return;
  const found = stops.map(({ address }) => address);
  const inUse = await emailsInUse(tx, accountId, found);
  await tx`
    delete from payer_mail_stops where account_id = ${accountId}
      and address = any(${found}::text[]) and address <> all(${inUse}::text[])`;
}

/** Erases the recipient and the bounce of emails about erased requests. */
export async function erasePayerMails(
  tx: Queryable,
  accountId: string,
  requestIds: readonly number[],
): Promise<void> {
  await tx`
    update payer_mails set recipient = case when recipient is not null then ${erasedText} end,
      bounce = case when bounce is not null then ${erasedText} end
    where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])`;
}

/** Exports what is known of emails about requests, also of those that are removed, as JSON rows. */
export const exportPayerMails = (
  sql: Queryable,
  accountId: string,
  requestIds: readonly number[],
): AsyncGenerator<string> =>
  textsOf(sql<{ text: string }[]>`
    select row_to_json(shown)::text as text from (
      select request_id, kind, no, copy, state, reason, at, recipient, bounced_at, bounce
      from payer_mails
      where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])
      order by request_id, kind, no, copy
    ) as shown`);

/** Exports unsubscriptions of lower-case addresses, and those that requests caused, as JSON rows. */
export const exportMailStops = (
  sql: Queryable,
  accountId: string,
  { requestIds, emails }: { requestIds: readonly number[]; emails: readonly string[] },
): AsyncGenerator<string> =>
  textsOf(sql<{ text: string }[]>`
    select row_to_json(shown)::text as text from (
      select address, reason, at, request_id from payer_mail_stops
      where account_id = ${accountId}
        and (request_id = any(${[...requestIds]}::bigint[]) or address = any(${[...emails]}::text[]))
      order by address
    ) as shown`);
