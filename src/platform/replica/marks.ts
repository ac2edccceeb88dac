import type { Queryable } from '../postgres/connect.ts';

type Fragment = ReturnType<Queryable>;

/** A position in a database. A reader that sees it sees everything committed before it. */
export interface Mark {
  /** Identifies the database, whatever its name. */
  born: string;
  no: number;
  mark: string;
}

/** The primary's mark, and its age. */
export interface PrimaryMark extends Mark {
  age_ms: number;
}

export interface ReplicaState extends Mark {
  /** True for a standby. */
  standby: boolean;
  /** The place up to which its lists are complete. */
  settled: number;
}

/** Builds an SQL fragment: the last event delivered to an account. */
export type LastDelivered = (sql: Queryable, accountId: string) => Fragment;

const only = <Row>([row]: readonly Row[]): Row => {
  if (!row) throw new Error('The database has no replica mark.');
  return row;
};

/** Writes a mark if the last one is a second old. Returns the current one. */
export const markPrimary = async (sql: Queryable): Promise<PrimaryMark> =>
  only(
    await sql<PrimaryMark[]>`
      select born::text, no, mark::text,
        (extract(epoch from clock_timestamp() - at) * 1000)::float8 as age_ms
      from mark_for_replicas()`,
  );

/** Facts about an account on the primary, with its mark. */
export interface PrimaryState extends PrimaryMark {
  /** True if the account wrote within `withinMs`. */
  wrote: boolean;
  /** Number of the last delivered event. */
  delivered: number;
}

export const askPrimary = async (
  sql: Queryable,
  accountId: string,
  { withinMs, lastDelivered }: { withinMs: number; lastDelivered: LastDelivered },
): Promise<PrimaryState> =>
  only(
    await sql<PrimaryState[]>`
      select born::text, no, mark::text,
        (extract(epoch from clock_timestamp() - at) * 1000)::float8 as age_ms,
        exists (
          select from account_writes w where w.account_id = ${accountId}
            and w.at > clock_timestamp() - ${withinMs}::float8 * interval '1 millisecond'
        ) as wrote,
        ${lastDelivered(sql, accountId)} as delivered
      from replica_marks`,
  );

export const lookAtReplica = async (sql: Queryable): Promise<ReplicaState> =>
  only(
    await sql<ReplicaState[]>`
      select pg_is_in_recovery() as standby, born::text, no, mark::text, settled
      from replica_marks`,
  );

export const askReplica = async (
  sql: Queryable,
  accountId: string,
  lastDelivered: LastDelivered,
): Promise<ReplicaState & { delivered: number }> =>
  only(
    await sql<(ReplicaState & { delivered: number })[]>`
      select pg_is_in_recovery() as standby, born::text, no, mark::text, settled,
        ${lastDelivered(sql, accountId)} as delivered
      from replica_marks`,
  );

export const noteWrite = (sql: Queryable, accountId: string) => sql`
  insert into account_writes (account_id, at) values (${accountId}, clock_timestamp())
  on conflict (account_id) do update set at = excluded.at`;
