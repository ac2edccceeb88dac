import { noteOperator } from '../../events/index.ts';
import type { Centavos } from '../../kernel/money.ts';
import type { Acting } from '../../platform/base.ts';
import type { Queryable, Transaction } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import type { SettlementLine } from './line.ts';

/** A payout as its acquirer lists it. */
export interface ListedPayout {
  name: string;
  paidOn: Temporal.PlainDate;
  /** Sum of all its lines. */
  net: Centavos;
}

export type ListedLine = SettlementLine & { payout: ListedPayout };

/** A settlement's sums at its comparison. */
export interface Comparison {
  lines: number;
  gross: Centavos;
  fee: Centavos;
  /** Net sum of all lines. */
  listed: Centavos;
  /** The part of `gross` that the books confirm. */
  matched: Centavos;
  /** The part of `gross` that belongs to other deployments. */
  elsewhere: Centavos;
  faults: number;
}

export interface PayoutRow extends Comparison {
  id: number;
  connector: string;
  name: string;
  paid_on: Temporal.PlainDate;
  net: Centavos;
  heard_at: Temporal.Instant;
  /** Null until all lines are compared. */
  compared_at: Temporal.Instant | null;
}

type StoredLine = SettlementLine & { payout: string };

const payoutColumns = (sql: Queryable) => sql`
  id, connector, name, paid_on, net, heard_at, compared_at, lines, gross, fee, listed, matched,
  elsewhere, faults`;
const lineColumns = (sql: Queryable) => sql`
  name, kind, attempt, trx, account_id, attempt_id, is_part, gross, fee, net`;

async function insertPayouts(
  tx: Transaction,
  {
    connector,
    payouts,
    ids,
  }: {
    connector: string;
    payouts: readonly ListedPayout[];
    ids: readonly number[];
  },
  at: Temporal.Instant,
): Promise<{ known: Map<string, number>; added: number[] }> {
  const added = await tx<{ id: number }[]>`
    insert into settlement_payouts (id, connector, name, paid_on, net, heard_at)
    select id, ${connector}, name, paid_on, net, ${at}::timestamptz from unnest(
      ${[...ids]}::bigint[], ${payouts.map(({ name }) => name)}::text[],
      ${payouts.map(({ paidOn }) => paidOn.toString())}::date[],
      ${payouts.map(({ net }) => net)}::bigint[]
    ) as given (id, name, paid_on, net)
    order by name
    on conflict (connector, name) do nothing returning id`;
  const rows = await tx<{ id: number; name: string }[]>`
    select id, name from settlement_payouts
    where connector = ${connector} and name = any(${payouts.map(({ name }) => name)}::text[])`;
  return {
    known: new Map(rows.map(({ name, id }) => [name, id])),
    added: added.map(({ id }) => id),
  };
}

/**
 * Inserts new lines, and fills in charges that were unknown before. Returns the changed payouts,
 * with the sums of their changed lines.
 */
const insertLines = (
  tx: Transaction,
  connector: string,
  lines: readonly (ListedLine & { payoutId: number })[],
) => tx<{ payout_id: number; lines: number; gross: Centavos; fee: Centavos }[]>`
  with stored as (
    insert into settlement_lines (connector, name, payout_id, kind, attempt, trx, account_id,
      attempt_id, is_part, gross, fee, net)
    select ${connector}, given.* from ${recordset(
      tx,
      `given (name text, payout_id bigint, kind text, attempt text, trx text, account_id text,
        attempt_id bigint, is_part boolean, gross bigint, fee bigint, net bigint)`,
      lines,
    )}
    order by given.name
    on conflict (connector, name) do update
      set account_id = excluded.account_id, attempt_id = excluded.attempt_id
      where settlement_lines.attempt_id is null and excluded.attempt_id is not null
    returning payout_id, gross, fee
  )
  select payout_id, count(*)::int as lines, sum(gross)::bigint as gross, sum(fee)::bigint as fee
  from stored group by payout_id order by payout_id`;

/** Keeps the first line per id, ordered by id. */
const distinct = (lines: readonly ListedLine[]): ListedLine[] =>
  [...new Map(lines.toReversed().map((line) => [line.name, line])).values()].sort((one, other) =>
    one.name < other.name ? -1 : 1,
  );

/** Marks payouts for another comparison. Returns their names. */
async function uncompare(tx: Transaction, ids: readonly number[]): Promise<string[]> {
  // Includes payouts not compared yet, because a comparison that ends now waits for this lock and
  // finds the new lines.
  const rows = await tx<{ name: string }[]>`
    with held as (
      select id from settlement_payouts where id = any(${[...ids]}::bigint[])
      order by id for update
    )
    update settlement_payouts p set compared_at = null from held
    where p.id = held.id returning p.name`;
  return rows.map(({ name }) => name);
}

function mustHave<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a payout of settlements has no id');
  return value;
}

/**
 * Stores a connector's lines, once per acquirer's id, with an event for each payout that is new or
 * has changed lines. Known lines keep their first values, but get a charge that was unknown before.
 * Returns the names of payouts with changed lines, including those of earlier lists.
 */
export async function keepSettlements(
  acting: Acting,
  connector: string,
  listed: readonly ListedLine[],
): Promise<string[]> {
  const lines = distinct(listed);
  const payouts = [
    ...new Map(lines.toReversed().map(({ payout }) => [payout.name, payout])).values(),
  ];
  if (payouts.length === 0) return [];
  // A known line stays in its first payout, so payouts other than the listed ones may change too.
  const ids = await acting.recordIds.take(2 * payouts.length + lines.length);
  const eventIds = ids.slice(payouts.length);
  return await acting.sql.begin(async (tx) => {
    const at = acting.clocks.business.now();
    const own = { connector, payouts, ids: ids.slice(0, payouts.length) };
    const { known, added } = await insertPayouts(tx, own, at);
    const placed = lines.map((line) => ({
      ...line,
      payoutId: mustHave(known.get(line.payout.name)),
    }));
    const changed = await insertLines(tx, connector, placed);
    const names = await uncompare(
      tx,
      changed.map((one) => one.payout_id),
    );
    const events = new Map(added.map((id) => [id, { lines: 0, gross: 0, fee: 0 }]));
    for (const { payout_id: id, ...sums } of changed) events.set(id, sums);
    for (const [no, [id, sums]] of [...events].entries()) {
      const entity = { entity: 'settlement', entityId: String(id), type: 'settlement.listed' };
      const data = { connector, ...sums };
      await noteOperator(tx, acting, { eventId: mustHave(eventIds[no]), ...entity, data });
    }
    return names;
  });
}

const same = (listed: ListedLine, stored: StoredLine): boolean =>
  listed.payout.name === stored.payout &&
  listed.kind === stored.kind &&
  listed.attempt === stored.attempt &&
  listed.trx === stored.trx &&
  listed.is_part === stored.is_part &&
  listed.gross === stored.gross &&
  listed.fee === stored.fee &&
  listed.net === stored.net;

/** Returns the ids of lines and payouts whose listed values differ from the stored ones. */
export async function changedSince(
  sql: Queryable,
  connector: string,
  listed: readonly ListedLine[],
): Promise<{ lines: string[]; payouts: string[] }> {
  const stored = await sql<(StoredLine & { paid_on: Temporal.PlainDate; paid: Centavos })[]>`
    select l.name, l.kind, l.attempt, l.trx, l.account_id, l.attempt_id, l.is_part, l.gross, l.fee,
      l.net, p.name as payout, p.paid_on, p.net as paid
    from settlement_lines l join settlement_payouts p on p.id = l.payout_id
    where l.connector = ${connector} and l.name = any(${listed.map(({ name }) => name)}::text[])`;
  const byName = new Map(stored.map((line) => [line.name, line]));
  const lines = new Set<string>();
  const payouts = new Set<string>();
  for (const line of listed) {
    const before = byName.get(line.name);
    if (!before) continue;
    if (!same(line, before)) lines.add(line.name);
    const { name, paidOn, net } = line.payout;
    const isSame = paidOn.equals(before.paid_on) && net === before.paid;
    if (name === before.payout && !isSame) payouts.add(name);
  }
  return { lines: [...lines], payouts: [...payouts] };
}

/** Reads a page of a payout's lines, by name. */
export const linesOf = (
  sql: Queryable,
  payoutId: number,
  { after, limit }: { after: string; limit: number },
): Promise<SettlementLine[]> => sql<SettlementLine[]>`
  select ${lineColumns(sql)} from settlement_lines
  where payout_id = ${payoutId} and name > ${after} order by name limit ${limit}`;

export async function readPayout(sql: Queryable, id: number): Promise<PayoutRow | null> {
  const [row = null] = await sql<PayoutRow[]>`
    select ${payoutColumns(sql)} from settlement_payouts where id = ${id}`;
  return row;
}

/** Returns payouts with these names, and uncompared ones since a day. */
export const payoutsToCompare = (
  sql: Queryable,
  connector: string,
  { names, since }: { names: readonly string[]; since: Temporal.PlainDate },
): Promise<PayoutRow[]> => sql<PayoutRow[]>`
  select ${payoutColumns(sql)} from settlement_payouts
  where connector = ${connector} and (name = any(${[...names]}::text[])
    or (compared_at is null and paid_on >= ${since.toString()}::date)) order by id`;

const mostUnclaimed = 1000;

/**
 * Returns up to 1,000 lines of wallets' payments without a known charge, from payouts since a day,
 * latest first.
 */
export async function unclaimedLines(
  sql: Queryable,
  connector: string,
  since: Temporal.PlainDate,
): Promise<ListedLine[]> {
  const rows = await sql<(StoredLine & { paid_on: Temporal.PlainDate; paid: Centavos })[]>`
    select l.name, l.kind, l.attempt, l.trx, l.account_id, l.attempt_id, l.is_part, l.gross, l.fee,
      l.net, p.name as payout, p.paid_on, p.net as paid
    from settlement_payouts p
    join settlement_lines l on l.payout_id = p.id
    where p.connector = ${connector} and p.paid_on >= ${since.toString()}::date
      and l.attempt_id is null and l.trx is not null
    order by p.paid_on desc, l.name limit ${mostUnclaimed}`;
  return rows.map(({ payout, paid_on: paidOn, paid, ...line }) => ({
    ...line,
    payout: { name: payout, paidOn, net: paid },
  }));
}

/** Returns payouts, the most recently listed first. */
export const listSettlements = (
  sql: Queryable,
  {
    connector,
    before,
    limit,
  }: {
    connector: string | null;
    /** Null starts at the latest. */
    before: number | null;
    limit: number;
  },
): Promise<PayoutRow[]> => sql<PayoutRow[]>`
  select ${payoutColumns(sql)} from settlement_payouts
  where true ${before === null ? sql`` : sql`and id < ${before}`}
    ${connector === null ? sql`` : sql`and connector = ${connector}`}
  order by id desc limit ${limit}`;

/** Stores the comparison of a payout's lines, unless new lines have arrived. */
export async function keepComparison(
  { sql, clocks }: Pick<Acting, 'sql' | 'clocks'>,
  id: number,
  { lines, gross, fee, listed, matched, elsewhere, faults }: Comparison,
): Promise<void> {
  await sql.begin(async (tx) => {
    // Writers of lines lock their payout, so the next statement sees all their lines.
    await tx`select 1 from settlement_payouts where id = ${id} for update`;
    await tx`
      update settlement_payouts set compared_at = ${clocks.business.now()}::timestamptz,
        lines = ${lines}, gross = ${gross}, fee = ${fee}, listed = ${listed}, matched = ${matched},
        elsewhere = ${elsewhere}, faults = ${faults}
      where id = ${id}
        and (${lines}::bigint, ${gross}::bigint, ${fee}::bigint, ${listed}::bigint) = (
          select count(*), coalesce(sum(l.gross), 0)::bigint, coalesce(sum(l.fee), 0)::bigint,
            coalesce(sum(l.net), 0)::bigint
          from settlement_lines l where l.payout_id = ${id})`;
  });
}
