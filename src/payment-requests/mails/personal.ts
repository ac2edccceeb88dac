import { erasedText } from '../../platform/person.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';

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
 * Erases the address from stored emails about erased requests, with its unsubscription. Retains the
 * unsubscription of an address `inUse`, or others who share it would receive emails again.
 */
export async function erasePayerMails(
  tx: Queryable,
  accountId: string,
  requestIds: readonly number[],
  { emails, inUse }: { emails: readonly string[]; inUse: readonly string[] },
): Promise<void> {
  await tx`
    with stops as (
      delete from payer_mail_stops where account_id = ${accountId}
        and (request_id = any(${[...requestIds]}::bigint[]) or address = any(${[...emails]}::text[]))
        and address <> all(${[...inUse]}::text[])
    )
    update payer_mails set recipient = case when recipient is not null then ${erasedText} end,
      bounce = case when bounce is not null then ${erasedText} end
    where account_id = ${accountId} and request_id = any(${[...requestIds]}::bigint[])`;
}
