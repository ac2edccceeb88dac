import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { type ConnectOptions, connect, type Sql } from '../../src/platform/postgres/connect.ts';
import { doing } from '../../src/platform/postgres/deadlines.ts';
import { copyTemplate, distributedNodes, distributedUrls, onEveryNode } from './distributed.ts';

export interface TestDatabase {
  /** Connects as the serving role, which owns nothing; for an empty database, as its owner. */
  url: string;
  /** Connects as the role that owns the database and is not a superuser. */
  ownerUrl: string;
  /** The owner's connections, which may do what the service may not. */
  sql: Sql;
  /** Closes `sql` and removes the database, even with other sessions connected. */
  drop(): Promise<void>;
}

export interface TestDatabaseOptions {
  /** True (the default) copies the migrated schema; false starts empty. */
  migrated?: boolean;
  /** Connections of `sql`; 10 by default. */
  max?: number;
}

/** True if a database is on the distributed cluster. */
function isOnCluster(databaseUrl: string): boolean {
  const [coordinator] = distributedNodes();
  return coordinator !== undefined && new URL(coordinator).host === new URL(databaseUrl).host;
}

function superuserUrl(databaseUrl: string): string {
  const [coordinator = ''] = distributedNodes();
  const url = new URL(isOnCluster(databaseUrl) ? coordinator : inject('superuserUrl'));
  url.pathname = new URL(databaseUrl).pathname;
  return url.href;
}

/** Opens connections that may do everything in this database. */
export function connectSuperuser(
  databaseUrl: string,
  { max = 1, applicationName = 'tamper' }: Partial<ConnectOptions> = {},
): Sql {
  const sql = connect(superuserUrl(databaseUrl), { max, applicationName });
  sql.layout.isDistributed = isOnCluster(databaseUrl);
  return sql;
}

// Test files in one process share this session, because opening one takes as long as a statement.
const administering = Symbol.for('recaudo.administering');

function administrator(): Sql {
  let sql: Sql | undefined = Reflect.get(globalThis, administering);
  sql ??= connect(inject('superuserUrl'), { max: 1, applicationName: 'test databases' });
  Reflect.set(globalThis, administering, sql);
  return sql;
}

/**
 * Runs a statement that even the owner may not run, in this database or else in `postgres`. Creating
 * and dropping databases writes files, so on a busy disk it takes longer than a call may.
 */
export async function asSuperuser(statement: string, databaseUrl?: string): Promise<void> {
  const runOn = (sql: Sql) => doing('command', () => sql.unsafe(statement));
  if (databaseUrl === undefined) {
    await runOn(administrator());
    return;
  }
  const admin = connect(superuserUrl(databaseUrl), { max: 1, applicationName: 'test database' });
  try {
    await runOn(admin);
  } finally {
    await admin.end();
  }
}

const objectInUse = '55006';

/**
 * Retries, because PostgreSQL waits at most five seconds for the sessions that it ends. A busy disk
 * may need more.
 */
async function dropDatabase(name: string): Promise<void> {
  let isDropped = false;
  while (!isDropped) {
    isDropped = await asSuperuser(`drop database if exists ${name} with (force)`).then(
      () => true,
      (error: unknown) => {
        if ((error as { code?: unknown }).code !== objectInUse) throw error;
        return false;
      },
    );
  }
}

/** Creates a test database on a distributed cluster. */
async function createDistributedDatabase(template: string, max: number): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await copyTemplate(template, name);
  const { ownerUrl, serviceUrl } = distributedUrls(name);
  const sql = connect(ownerUrl, { max, applicationName: 'test' });
  sql.layout.isDistributed = true;
  return {
    url: serviceUrl,
    ownerUrl,
    sql,
    drop: async () => {
      await sql.end({ timeout: 5 });
      await onEveryNode(`drop database ${name} with (force)`);
    },
  };
}

/**
 * Creates a database for one test file: a copy of the migrated template, or of the distributed
 * template if a cluster is configured.
 */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const distributed = inject('distributedTemplate');
  if (distributed !== null && options.migrated !== false) {
    return await createDistributedDatabase(distributed, options.max ?? 10);
  }
  const name = `test_${randomBytes(8).toString('hex')}`;
  const template = options.migrated === false ? 'template0' : 'recaudo_template';
  await asSuperuser(
    `create database ${name} owner recaudo_owner template ${template} strategy file_copy`,
  );
  const within = (address: string): string => {
    const url = new URL(address);
    url.pathname = `/${name}`;
    return url.href;
  };
  const ownerUrl = within(inject('ownerUrl'));
  const sql = connect(ownerUrl, { max: options.max ?? 10, applicationName: 'test' });
  return {
    url: options.migrated === false ? ownerUrl : within(inject('serviceUrl')),
    ownerUrl,
    sql,
    drop: async () => {
      await sql.end({ timeout: 5 });
      await dropDatabase(name);
    },
  };
}
