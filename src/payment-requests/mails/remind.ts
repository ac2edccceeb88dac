import { isActive, joinAccounts } from '../../accounts/index.ts';
import { dayOf, midnightOf } from '../../kernel/dates.ts';
import type { Base } from '../../platform/base.ts';
import { eachAccount } from '../../platform/each-account.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Sweep } from '../../platform/sweeps.ts';
import { requestsOfKind } from '../../requests/index.ts';

type Fragment = ReturnType<Queryable>;

/** Time of day for reminders. */
const morning = { hours: 9 };

/** Reminders of one kind per transaction. */
const notedAtOnce = 1_000;

/** Selects active accounts that send reminders, with their progress. */
const reminding = (sql: Queryable): Fragment => sql`
  payer_mail_settings s join payer_mail_marks m using (account_id)
  ${joinAccounts(sql, 'm')} where s.sends_reminder and ${isActive(sql)}`;

interface Window {
  accountId: string;
  now: Temporal.Instant;
  /** Due dates after this day, up to and including `until`. */
  after: Temporal.PlainDate;
  until: Temporal.PlainDate;
  days: number;
}

/** A position in an account's due dates. */
interface Spot {
  day: Temporal.PlainDate;
  id: number;
}

interface Due {
  no: 1 | 2;
  /** Sort column, whose index starts with the account. */
  along: 'due1' | 'last_due';
  isDue(sql: Queryable, window: Window): Fragment;
}

const firstDue: Due = {
  no: 1,
  along: 'due1',
  isDue: (sql, { now, after, until }) => sql`
    r.due1 >= ${dayOf(now)}::date and r.due1 > ${after}::date and r.due1 <= ${until}::date`,
};

/** The second due date needs no reminder while the first is still ahead. */
const secondDue: Due = {
  no: 2,
  along: 'last_due',
  isDue: (sql, { now, after, until, days }) => sql`
    r.due2 is not null and r.last_due >= ${dayOf(now)}::date and r.last_due <= ${until}::date
      and greatest(r.due2, r.due1 + 1 + ${days}::int) > ${after}::date
      and greatest(r.due2, r.due1 + 1 + ${days}::int) <= ${until}::date`,
};

/**
 * Queues reminders of due dates after a position, each once. Skips past days, and payers who
 * received the request itself that day. Returns the next position, or null at the end.
 */
async function noteReminders(
  tx: Queryable,
  window: Window,
  { no, along, isDue }: Due,
  { day, id }: Spot,
): Promise<{ noted: number; spot: Spot | null }> {
  const { accountId, now } = window;
  const [last] = await tx<(Spot & { noted: number; chosen: number })[]>`
    with chosen as (
      select r.id, r.${tx(along)} as day from ${requestsOfKind(tx, 'payment_request')}
      join payer_mail_settings s on s.account_id = r.account_id
      where r.account_id = ${accountId} and r.state = 'pending' and ${isDue(tx, window)}
        and (r.${tx(along)}, r.id) > (${day}::date, ${id}::bigint)
        and r.details->>'payer_email' is not null
        and (not s.sends_request or r.created_at < ${midnightOf(dayOf(now))}::timestamptz)
        and not exists (
          select from payer_mails p where p.account_id = r.account_id and p.request_id = r.id
            and p.kind = 'reminder' and p.no = ${no} and p.copy = 0)
      order by r.${tx(along)}, r.id limit ${notedAtOnce}
    ), noted as (
      insert into payer_mails (account_id, request_id, kind, no, copy, state, at)
      select ${accountId}, id, 'reminder', ${no}, 0, 'due', ${now}::timestamptz from chosen
      on conflict do nothing returning request_id
    )
    select day, id, (select count(*)::int from noted) as noted,
      (select count(*)::int from chosen) as chosen
    from chosen order by day desc, id desc limit 1`;
  if (!last) return { noted: 0, spot: null };
  return { noted: last.noted, spot: last.chosen === notedAtOnce ? last : null };
}

/**
 * Runs under the account's reminder lock. Returns null without running if another process holds the
 * lock, or if the settings no longer match the window.
 */
async function whileSo<T>(
  { sql }: Base,
  { accountId, days }: Window,
  run: (tx: Queryable) => Promise<T>,
): Promise<T | null> {
  return await sql.begin(async (tx) => {
    const [mark] = await tx`
      select from payer_mail_marks m join payer_mail_settings s using (account_id)
      where account_id = ${accountId} and s.sends_reminder and s.reminder_days = ${days}
      for update of m skip locked`;
    return mark ? await run(tx) : null;
  });
}

/** Queues an account's reminders in batches. The last batch marks the day as done. */
async function remind(base: Base, window: Window): Promise<number> {
  let noted = 0;
  for (const due of [firstDue, secondDue]) {
    for (let spot: Spot | null = { day: dayOf(window.now), id: 0 }; spot; ) {
      const from: Spot = spot;
      const some = await whileSo(base, window, (tx) => noteReminders(tx, window, due, from));
      if (some === null) return noted;
      noted += some.noted;
      spot = some.spot;
    }
  }
  await whileSo(
    base,
    window,
    (tx) => tx`
      update payer_mail_marks set reminded_until = greatest(reminded_until, ${window.until}::date)
      where account_id = ${window.accountId}`,
  );
  return noted;
}

/**
 * Queues reminders the configured number of days before each due date, every morning by the
 * business clock.
 */
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
      const marks = await sql<(Pick<Window, 'after' | 'days'> & { account_id: string })[]>`
        select account_id, m.reminded_until as after, s.reminder_days as days
        from ${reminding(sql)} and m.reminded_until - s.reminder_days < ${today}::date
        order by account_id`;
      let moved = 0;
      const how = { atOnce: 1, failed: 'Payers of some accounts could not be reminded.' };
      await eachAccount(marks, how, async ({ account_id: accountId, after, days }) => {
        const until = today.add({ days });
        moved += await remind(base, { accountId, now, after, until, days });
      });
      return moved;
    },
  };
}
