import { addressFault } from '../platform/postgres/address.ts';
import { fault, flag, integer, urlOf, type Variable } from './variable.ts';

/** The address of a database. `sslmode` and its files have libpq's meaning. */
function databaseUrl(doc: string): Variable<string, null> {
  const schemes = ['postgres:', 'postgresql:'];
  const plain = urlOf(doc, schemes, { hostless: schemes });
  return {
    ...plain,
    read(text) {
      const read = plain.read(text);
      const wrong = 'fault' in read ? null : addressFault(text);
      return wrong === null ? read : fault(wrong);
    },
  };
}

/** The database, its other addresses, and how to reach it. */
export const databaseVariables = {
  DATABASE_URL: databaseUrl('PostgreSQL 15 or later; unset: the embedded server'),
  DATABASE_OWNER_URL: databaseUrl(
    'The same database as the role that owns the tables and migrates; unset: DATABASE_URL, which can then change history',
  ),
  DATABASE_DIRECT_URL: databaseUrl(
    'The same database without a pooler, for notifications; unset: DATABASE_URL',
  ),
  DATABASE_READ_URL: databaseUrl(
    'A streaming replica of that database, for reports, exports, lists and the feed of events; unset: all is read from DATABASE_URL',
  ),
  DATABASE_READ_LAG_SECONDS: integer(
    'How many seconds that replica may lag before the primary is asked instead',
    '5',
    2,
    300,
  ),
  DATABASE_POOL: integer(
    'Connections of each process to the database, and as many to its replica; fewer where several processes share what it has',
    '16',
    4,
    200,
  ),
  DATABASE_PREPARED_STATEMENTS: flag(
    'Whether statements are prepared by name; false behind a pooler in transaction mode that does not keep them',
    'true',
  ),
} satisfies Record<string, Variable<unknown, string | null>>;
