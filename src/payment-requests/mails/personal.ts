import { erasedText } from '../../platform/person.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { emailsInUse } from '../../requests/index.ts';

/** Returns the email numbers of requests. */
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
 * Erases unsubscriptions that erased requests caused, and those of the given lower-case addresses.
 * Retains an address that a request still has, or others who share it would receive emails again.
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

/** Erases the address from stored emails about erased requests. */
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
