import type { Queryable } from './connect.ts';

export interface Strange {
  name: string;
  value: string;
  wanted: string;
}

const requiredSettings = {
  autovacuum: 'on',
  bytea_output: 'hex',
  default_transaction_isolation: 'read committed',
  standard_conforming_strings: 'on',
} as const;

/**
 * Server timeouts that must be off or long, because the service sets its own deadlines for
 * statements.
 */
const timeouts = ['lock_timeout', 'statement_timeout', 'transaction_timeout'];
const leastMs = 120_000;

/**
 * Returns settings of the server, database or role that differ from what the service's statements
 * need.
 */
export const strangeSettings = (sql: Queryable): Promise<Strange[]> =>
  sql<Strange[]>`
    select name, current_setting(name) as value, coalesce(wanted, '0') as wanted
    from pg_settings
    left join unnest(${Object.keys(requiredSettings)}::text[], ${Object.values(requiredSettings)}::text[])
      as w (name, wanted) using (name)
    where current_setting(name) <> wanted
      or (name = any(${timeouts}::text[]) and setting::int between 1 and ${leastMs - 1})
    order by name`;
