import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { connect, type Sql } from '../../src/platform/postgres/connect.ts';

export interface TestDatabase {
  /** As the service's own role, which owns the database and is no superuser. */
  url: string;
  sql: Sql;
  /** Closes `sql` and removes the database, whoever is still connected to it. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** Copy the migrated schema (the default), or start with nothing. */
  migrated?: boolean;
  /** Connections of `sql`; 10 unless told. */
  max?: number;
}

async function asSuperuser(statement: string): Promise<void> {
  const admin = connect(inject('superuserUrl'), { max: 1, applicationName: 'test database' });
  try {
    await admin.unsafe(statement);
  } finally {
    await admin.end();
  }
}

/** A database of one's own, for one test file: a copy of the migrated template. */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  const template = options.migrated === false ? 'template0' : 'recaudo_template';
  await asSuperuser(`create database ${name} owner recaudo template ${template}`);
  const url = new URL(inject('serviceUrl'));
  url.pathname = `/${name}`;
  const sql = connect(url.href, { max: options.max ?? 10, applicationName: 'test' });
  return {
    url: url.href,
    sql,
    drop: async () => {
      await sql.end({ timeout: 5 });
      await asSuperuser(`drop database ${name} with (force)`);
    },
  };
}
