import { isActive, joinAccounts } from '../../accounts/index.ts';
import { dayOf, midnightOf } from '../../kernel/dates.ts';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Sweep } from '../../platform/sweeps.ts';
import { requestsOfKind } from '../../requests/index.ts';

type Fragment = ReturnType<Queryable>;

/** When on a day reminders go. */
const morning = { hours: 9 };

/** Reminders of one kind of due that one transaction notes. */
const notedAtOnce = 1_000;

/** Accounts that remind, with how far they are. */
const reminding = (sql: Queryable): Fragment => sql`
  payer_mail_settings s join payer_mail_marks m using (account_id)
  ${joinAccounts(sql, 'm')} where s.sends_reminder and ${isActive(sql)}`;

interface Window {
  accountId: string;
  now: Temporal.Instant;
  /** A due that lies behind this day and not behind the other is reminded of now. */
  after: Temporal.PlainDate;
  until: Temporal.PlainDate;
  days: number;
}

/**
 * Reminders of a due, each noted once. Of a day that has passed nobody is reminded; and nobody is on
 * the day on which he got the request itself.
 */
async function noteReminders(
  tx: Queryable,
  { accountId, now }: Window,
  { no, isDue }: { no: 1 | 2; isDue: Fragment },
): Promise<number> {
  const rows = await tx`
    insert into payer_mails (account_id, request_id, kind, no, copy, state, at)
    select r.account_id, r.id, 'reminder', ${no}, 0, 'due', ${now}::timestamptz
    from ${requestsOfKind(tx, 'payment_request')}
    join payer_mail_settings s on s.account_id = r.account_id
    where r.account_id = ${accountId} and r.state = 'pending' and ${isDue}
      and r.details->>'payer_email' is not null
      and (not s.sends_request or r.created_at < ${midnightOf(dayOf(now))}::timestamptz)
      and not exists (
        select from payer_mails p where p.account_id = r.account_id and p.request_id = r.id
          and p.kind = 'reminder' and p.no = ${no} and p.copy = 0)
    order by r.id limit ${notedAtOnce}
    on conflict do nothing returning request_id`;
  return rows.length;
}

const firstIsDue = (sql: Queryable, { now, after, until }: Window): Fragment => sql`
  r.due1 >= ${dayOf(now)}::date and r.due1 > ${after}::date and r.due1 <= ${until}::date`;

/** Of the second due nobody is reminded while the first is still ahead. */
const secondIsDue = (sql: Queryable, { now, after, until, days }: Window): Fragment => sql`
  r.due2 is not null and r.last_due >= ${dayOf(now)}::date and r.last_due <= ${until}::date
    and greatest(r.due2, r.due1 + 1 + ${days}::int) > ${after}::date
    and greatest(r.due2, r.due1 + 1 + ${days}::int) <= ${until}::date`;

/** Notes some of an account's reminders; with the last of them it is done for the day. */
async function remindSome(
  { sql }: Base,
  accountId: string,
  now: Temporal.Instant,
): Promise<{ noted: number; more: boolean }> {
  return await sql.begin(async (tx) => {
    const [mark] = await tx<{ after: Temporal.PlainDate; days: number }[]>`
      select m.reminded_until as after, s.reminder_days as days
      from payer_mail_marks m join payer_mail_settings s using (account_id)
      where account_id = ${accountId} and s.sends_reminder for update of m skip locked`;
    if (!mark) return { noted: 0, more: false };
    const until = dayOf(now.subtract(morning)).add({ days: mark.days });
    const window = { accountId, now, ...mark, until };
    const first = await noteReminders(tx, window, { no: 1, isDue: firstIsDue(tx, window) });
    const second = await noteReminders(tx, window, { no: 2, isDue: secondIsDue(tx, window) });
    const more = first === notedAtOnce || second === notedAtOnce;
    if (!more) {
      await tx`
        update payer_mail_marks set reminded_until = greatest(reminded_until, ${until}::date)
        where account_id = ${accountId}`;
    }
    return { noted: first + second, more };
  });
}

/** Each morning of the business clock reminders of what falls due so many days later are noted. */
export function reminderSweep(base: Base): Sweep {
  const { sql } = base;
  return {
    name: 'reminders to payers noted',
    async nextDue() {
      const [row] = await sql<{ done: Temporal.PlainDate | null }[]>`
        select min(m.reminded_until - s.reminder_days) as done from ${reminding(sql)}`;
      return row?.done ? midnightOf(row.done.add({ days: 1 })).add(morning) : null;
    },
    async run(now) {
      const today = dayOf(now.subtract(morning));
      const accounts = await sql<{ account_id: string }[]>`
        select account_id from ${reminding(sql)}
          and m.reminded_until - s.reminder_days < ${today}::date order by account_id`;
      let moved = 0;
      for (const { account_id: accountId } of accounts) {
        for (let more = true; more; ) {
          const some = await remindSome(base, accountId, now);
          moved += some.noted;
          more = some.more;
        }
      }
      return moved;
    },
  };
}
