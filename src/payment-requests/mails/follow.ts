import { lookUpResults, resultEvidence } from '../../money/collections/index.ts';
import type { Base } from '../../platform/base.ts';
import { eachAccount } from '../../platform/each-account.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { lookUpRequests, requestEvidence } from '../../requests/index.ts';
import { isSealedAfter, lastSealNo, sealedKeys } from '../../seals/index.ts';

type Fragment = ReturnType<Queryable>;

/** Seals per transaction. Each lists at most 10,000 keys. */
const sealsAtOnce = 4;

/** Returns accounts that send emails about created or paid requests and have unread seals. */
const accountsBehind = (sql: Queryable) => sql<{ account_id: string }[]>`
  select account_id from (
    select account_id, m.seal_no from payer_mail_settings s join payer_mail_marks m using (account_id)
    where s.sends_request or s.sends_receipt
  ) as a
  where ${isSealedAfter(sql, requestEvidence.kind, sql`a.seal_no`)}
    or ${isSealedAfter(sql, resultEvidence.kind, sql`a.seal_no`)}
  order by account_id`;

interface Window {
  accountId: string;
  from: number;
  until: number;
  now: Temporal.Instant;
}

const keysOf = (sql: Queryable, kind: string, { accountId, from, until }: Window): Fragment => sql`
  (select distinct ${accountId}::text as account_id, key::bigint as key_id
    from (${sealedKeys(sql, { accountId, kind }, { after: sql`${from}::int`, most: sealsAtOnce })})
      as s where no <= ${until}) as named`;

/** Queues an email for each created request, once, however often it is sealed. */
const noteCreated = (tx: Queryable, window: Window) => tx`
  insert into payer_mails (account_id, request_id, kind, no, copy, state, at)
  select r.account_id, r.id, 'request', 0, 0, 'due', ${window.now}::timestamptz
  from ${keysOf(tx, requestEvidence.kind, window)}
  ${lookUpRequests(tx, 'named', 'id', 'key_id', [window.accountId])}
  join payer_mail_settings s on s.account_id = r.account_id and s.sends_request
  where r.kind = 'payment_request' and r.state = 'pending' and r.created_at >= s.request_since
    and r.details->>'payer_email' is not null
  order by r.account_id, r.id
  on conflict do nothing`;

/** Queues a receipt for each payment, even a request's second or a late one. */
const notePaid = (tx: Queryable, window: Window) => tx`
  insert into payer_mails (account_id, request_id, kind, no, copy, state, at)
  select r.account_id, r.id, 'receipt', result.id, 0, 'due', ${window.now}::timestamptz
  from ${keysOf(tx, resultEvidence.kind, window)}
  ${lookUpResults(tx, 'named', 'key_id')}
  ${lookUpRequests(tx, 'result', 'id', 'request_id', [window.accountId])}
  join payer_mail_settings s on s.account_id = r.account_id and s.sends_receipt
  where r.kind = 'payment_request' and result.type = 'collected'
    and result.informed_at >= s.receipt_since and r.details->>'payer_email' is not null
  order by r.account_id, r.id, result.id
  on conflict do nothing`;

/** Queues the emails for some of an account's seals. Returns true if there are more. */
async function followSome({ sql, clocks }: Base, accountId: string): Promise<boolean> {
  return await sql.begin(async (tx) => {
    const [mark] = await tx<{ from: number; last: number }[]>`
      select seal_no as from, ${lastSealNo(tx, accountId)} as last from payer_mail_marks
      where account_id = ${accountId} for update skip locked`;
    if (!mark || mark.last <= mark.from) return false;
    const until = Math.min(mark.last, mark.from + sealsAtOnce);
    const window = { accountId, from: mark.from, until, now: clocks.business.now() };
    await noteCreated(tx, window);
    await notePaid(tx, window);
    await tx`update payer_mail_marks set seal_no = ${until} where account_id = ${accountId}`;
    return until < mark.last;
  });
}

/**
 * Queues emails for created and paid requests from the accounts' seals. Seals follow the writes in
 * order and without gaps, so the calls that create requests need not know about emails.
 */
export async function followSeals(base: Base): Promise<void> {
  const how = { atOnce: 1, failed: 'Payer emails of some accounts could not be scheduled.' };
  await eachAccount(await accountsBehind(base.sql), how, async ({ account_id: accountId }) => {
    while (await followSome(base, accountId));
  });
}
