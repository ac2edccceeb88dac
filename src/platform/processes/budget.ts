import type { Queryable } from '../postgres/connect.ts';

/** Each process's share of database connections. */
export interface Budget {
  processes: number;
  /** Per process, in addition to its listening connection. */
  pool: number;
}

/** Minimum number of connections that a process needs to work. */
const leastPool = 4;
/** Reserved for commands, migrations, backups and the operator. */
const reservedConnections = 10;

/** Returns the connections that server, database and role allow. */
async function connectionsOf(sql: Queryable): Promise<number> {
  const [row] = await sql<{ most: number }[]>`
    select least(
      current_setting('max_connections')::int
        - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0),
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)
    ) as most`;
  return row?.most ?? 0;
}

/**
 * Divides the connections among the processes and one more, because a restart starts a process
 * before it ends another. With a pooler each process uses the full number. Throws if more processes
 * are requested than fit, unless fewer will do.
 */
export async function budgetOf(
  sql: Queryable,
  requested: { processes: number; pool: number; asManyAsFit: boolean; pooled: boolean },
): Promise<Budget> {
  if (requested.pooled) return requested;
  const all = await connectionsOf(sql);
  const fit = Math.max(1, Math.floor((all - reservedConnections) / (leastPool + 1)) - 1);
  if (requested.processes > fit && !requested.asManyAsFit) {
    throw new Error(
      `PROCESSES is ${requested.processes}, and the database has connections for ${fit}: it lets this ` +
        `role open ${all}, ${reservedConnections} stay free for commands, and each process takes at least ` +
        `${leastPool + 1}, including the replacement that a restart starts first. Lower PROCESSES, ` +
        'or raise max_connections of the database.',
    );
  }
  const processes = Math.min(requested.processes, fit);
  const share = Math.floor((all - reservedConnections) / (processes + 1)) - 1;
  return { processes, pool: Math.max(leastPool, Math.min(requested.pool, share)) };
}
