import { addressFault } from '../platform/postgres/address.ts';
import { fault, flag, integer, urlOf, type Variable } from './variable.ts';

/** The address of a database. `sslmode` and its files have libpq's meaning. */
export function databaseUrl(doc: string): Variable<string, null> {
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

export const databaseVariables = {
  DATABASE_URL: databaseUrl(
    'Address of the database, PostgreSQL 15 or later. `?host=db1,db2` lists a primary and its standbys; connections go to the one that accepts writes. Required in production. Unset: the service starts its embedded PostgreSQL',
  ),
  DATABASE_OWNER_URL: databaseUrl(
    'Address of the same database for the role that owns the tables and runs migrations. Unset: DATABASE_URL, whose role can then rewrite history',
  ),
  DATABASE_DIRECT_URL: databaseUrl(
    'Address of the same database that bypasses the pooler, for LISTEN/NOTIFY. Unset: DATABASE_URL',
  ),
  DATABASE_READ_URL: databaseUrl(
    'Address of a streaming replica for reports, exports, lists and the event feed. Unset: the primary serves all reads',
  ),
  DATABASE_READ_LAG_SECONDS: integer(
    'Maximum lag of the replica in seconds. If it lags more, reads go to the primary',
    '5',
    2,
    300,
  ),
  DATABASE_POOL: integer(
    'Maximum database connections of each process, and as many again to the replica. With PROCESSES above 1, processes open fewer if the server has too few',
    '16',
    4,
    200,
  ),
  DATABASE_PREPARED_STATEMENTS: flag(
    '`true` uses named prepared statements. Set `false` behind a pooler in transaction mode that does not support them',
    'true',
  ),
} satisfies Record<string, Variable<unknown, string | null>>;
