import { hash } from 'node:crypto';
import type { Base } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { raiseMoneyAlarm } from '../alarms/index.ts';
import type { TokenInstrument } from '../channels/index.ts';
import { TriesPaused } from './tries.ts';

// Card testers spread attempts over requests, addresses and accounts. A charge counts before it is
// made, so that concurrent ones add up, and an approval removes it from the counts. Unanswered
// charges move to a counter with a higher limit, so that an outage does not delay honest payers,
// and provoked timeouts do not admit unlimited cards.

/** Limits on unapproved charges per hour. 0 is unlimited. */
export interface CardVelocity {
  /** Per network address. */
  address: number;
  /** Per card, by its first and last digits. */
  card: number;
  /** Per BIN and account. */
  bin: number;
  /** Per account. */
  account: number;
}

export interface CardTry {
  accountId: string;
  /** The payer's address, or its network. Null if unknown. */
  ip: string | null;
  card: Pick<TokenInstrument, 'bin' | 'lastFour'>;
}

interface Bucket {
  subject: Buffer;
  most: number;
  what: keyof CardVelocity;
}

const digest = (text: string): Buffer => hash('sha256', text, 'buffer');

function bucketsOf({ accountId, ip, card }: CardTry, limits: CardVelocity): Bucket[] {
  const { bin, lastFour } = card;
  const names: Record<keyof CardVelocity, string | null> = {
    address: ip,
    card: bin === null || lastFour === null ? null : `${bin} ${lastFour}`,
    bin: bin === null ? null : `${accountId} ${bin}`,
    account: accountId,
  };
  return (Object.entries(names) as [keyof CardVelocity, string | null][])
    .flatMap(([what, name]) =>
      name === null || limits[what] === 0
        ? []
        : [{ what, most: limits[what], subject: digest(`${what} ${name}`) }],
    )
    .toSorted((a, b) => Buffer.compare(a.subject, b.subject));
}

const hour = { hours: 1 };
/** The limit on unanswered charges is this many times the limit on refused ones. */
const unansweredTimes = 10;
const mostForgotten = 100;

const forgetOld = (sql: Queryable, before: Temporal.Instant) => sql`
  delete from card_tries where subject in (
    select subject from card_tries where since < ${before}::timestamptz
    order by since limit ${mostForgotten} for update skip locked)`;

export class CardsPaused extends TriesPaused {
  constructor(seconds: number, now: Temporal.Instant) {
    super(now.add({ seconds }), now, 'charge.cards_paused');
  }
}

type Parts = Pick<Base, 'sql' | 'clocks' | 'recordIds' | 'log'>;

async function alarm(parts: Parts, { accountId }: CardTry, what: string): Promise<void> {
  await raiseMoneyAlarm(parts, {
    kind: 'card_testing',
    fact: `${accountId} ${what} ${parts.clocks.business.today()}`,
    message: `Card payments of account ${accountId} reached the hourly limit by ${what}: someone may be testing cards.`,
    accountId,
  });
}

interface CountedRow {
  subject: Buffer;
  tries: number;
  unanswered: number;
  since: Temporal.Instant;
}

/** The counters that include a charge, as its attempt stores them. */
export type CountedBy = readonly string[];

export const countedBy = (tried: CardTry, limits: CardVelocity): CountedBy =>
  bucketsOf(tried, limits).map(({ subject }) => subject.toString('base64url'));

/** Counts a card's charge. Above the limit, throws 429 with the wait and raises an alarm. */
export async function countCardTry(
  parts: Parts,
  tried: CardTry,
  limits: CardVelocity,
): Promise<void> {
  const buckets = bucketsOf(tried, limits);
  if (buckets.length === 0) return;
  const now = parts.clocks.wall.now();
  const start = now.subtract(hour);
  const rows = await parts.sql<CountedRow[]>`
    insert into card_tries as t (subject, tries, since)
    select subject, 1, ${now}::timestamptz
    from ${recordset(parts.sql, 's (subject bytea)', buckets)}
    on conflict (subject) do update set
      tries = case when t.since < ${start}::timestamptz then 1 else t.tries + 1 end,
      unanswered = case when t.since < ${start}::timestamptz then 0 else t.unanswered end,
      since = case when t.since < ${start}::timestamptz then excluded.since else t.since end
    returning subject, tries, unanswered, since`;
  const full = buckets.flatMap(({ subject, most, what }) => {
    const row = rows.find((one) => one.subject.equals(subject));
    const isFull = row && (row.tries > most || row.tries + row.unanswered > most * unansweredTimes);
    return isFull ? [{ what, since: row.since }] : [];
  });
  const [first] = full;
  if (!first) return;
  await forgetOld(parts.sql, start);
  await alarm(parts, tried, first.what);
  const waits = full.map(({ since }) => Math.ceil(since.since(start).total({ unit: 'seconds' })));
  throw new CardsPaused(Math.max(1, ...waits), parts.clocks.business.now());
}

/** Moves of a charge between counters: to unanswered, to refused, or out. */
const moves = {
  approved: { tries: -1, unanswered: 0 },
  unanswered: { tries: -1, unanswered: 1 },
  approvedLater: { tries: 0, unanswered: -1 },
  refusedLater: { tries: 1, unanswered: -1 },
} as const;

export async function recountCardTry(
  { sql }: Pick<Parts, 'sql'>,
  counted: CountedBy,
  move: keyof typeof moves,
): Promise<void> {
  if (counted.length === 0) return;
  const { tries, unanswered } = moves[move];
  const subjects = counted.map((one) => Buffer.from(one, 'base64url'));
  await sql`
    with mine as (
      select subject from card_tries where subject = any(${subjects}::bytea[])
      order by subject for update
    )
    update card_tries t set tries = greatest(0, t.tries + ${tries}::int),
      unanswered = greatest(0, t.unanswered + ${unanswered}::int)
    from mine where t.subject = mine.subject`;
}
