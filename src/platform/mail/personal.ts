import type { Queryable } from '../postgres/connect.ts';
import { recordset } from '../postgres/recordset.ts';
import { textsOf } from '../postgres/texts.ts';

type Fragment = ReturnType<Queryable>;

/** Selects a person's emails by id, by their link's subject, or by address. */
export interface PersonalMails {
  accountId: string;
  ids: readonly number[];
  links: readonly { kind: string; id: number }[];
  emails: readonly string[];
}

/**
 * Leaves out the other conditions if there are only ids, so that PostgreSQL reads only their rows.
 */
const theirs = (sql: Queryable, { accountId, ids, links, emails }: PersonalMails): Fragment => sql`
  account_id = ${accountId} and (
    id = any(${[...ids]}::bigint[])
    ${
      links.length + emails.length === 0
        ? sql``
        : sql`or (link_kind, link_id) in (select * from ${recordset(sql, 'link (kind text, id bigint)', links)})
    -- A waiting email to a shared address may belong to another person.
    or (state <> 'waiting' and lower(recipient) = any(${[...emails]}::text[]))`
    })`;

/** Exports emails as JSON rows. */
export const exportMails = (sql: Queryable, mails: PersonalMails): AsyncGenerator<string> =>
  textsOf(sql<{ text: string }[]>`
    select row_to_json(shown)::text as text from (
      select id, recipient, subject, body, state, ended_at from mails
      where ${theirs(sql, mails)} order by id
    ) as shown`);

/**
 * Removes a person's emails, sent or not. Runs `keeps` in the same statement with the relation
 * `gone`, like `forgetMails`.
 */
export async function eraseMails(
  tx: Queryable,
  mails: PersonalMails,
  keeps: Fragment,
): Promise<void> {
  await tx`
    with gone as (
      delete from mails where ${theirs(tx, mails)}
      returning account_id, id, recipient, ended_at,
        case state when 'sent' then 'sent' else 'dropped' end as state
    ), ${keeps}
    select 1`;
}
