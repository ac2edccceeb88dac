import type { Queryable } from './connect.ts';

/** A replication client. */
export interface Follower {
  name: string;
  state: string | null;
  /** Null if it is up to date, or this role may not see it. */
  lag_seconds: number | null;
}

export interface ServerState {
  connections: number;
  /** The server's maximum. */
  most: number;
  followers: Follower[];
}

const mostFollowers = 20;

export async function serverState(sql: Queryable): Promise<ServerState> {
  const [row] = await sql<{ connections: number; most: number }[]>`
    select (select count(*)::int from pg_stat_activity where backend_type = 'client backend')
        as connections,
      current_setting('max_connections')::int as most`;
  const followers = await sql<Follower[]>`
    select coalesce(application_name, '') as name, state,
      extract(epoch from replay_lag)::float8 as lag_seconds
    from pg_stat_replication order by application_name limit ${mostFollowers}`;
  return { connections: row?.connections ?? 0, most: row?.most ?? 0, followers };
}
