import type { Queryable } from './connect.ts';

/** A setting of the service's sessions that differs from what its statements expect. */
export interface Strange {
  name: string;
  value: string;
  wanted: string;
}

const wanted = {
  autovacuum: 'on',
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  standard_conforming_strings: 'on',
} as const;

/** Statements have deadlines of their own; a shorter one of the server cuts long work short. */
const timeouts = ['lock_timeout', 'statement_timeout', 'transaction_timeout'];
const leastMs = 120_000;

/** Returns settings of server, database or role under which calls or the tables suffer. */
export const strangeSettings = (sql: Queryable): Promise<Strange[]> =>
  sql<Strange[]>`
    select name, current_setting(name) as value, coalesce(wanted, '0') as wanted
    from pg_settings
    left join unnest(${Object.keys(wanted)}::text[], ${Object.values(wanted)}::text[])
      as w (name, wanted) using (name)
    where current_setting(name) <> wanted
      or (name = any(${timeouts}::text[]) and setting::int between 1 and ${leastMs - 1})
    order by name`;
