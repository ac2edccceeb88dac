// Longer than 300 lines: a table of planted mistakes.
import { expect } from 'vitest';
import { backupRuns } from '../../../src/platform/sweep-runs.ts';
import { type Desk, nameOf } from './desk.ts';
import type { Expected } from './in-environment.ts';

/** A mistake in the database, or in how it is reached. */
export interface PlantedThere {
  mistake: string;
  /** Statements that the superuser runs, and statements that revert them. */
  change?: (desk: Desk) => string[];
  undo?: (desk: Desk) => string[];
  env?: (desk: Desk) => Record<string, string>;
  find: (desk: Desk) => Expected[];
}

const setting = (
  mistake: string,
  { name, value, wanted }: Record<'name' | 'value' | 'wanted', string>,
): PlantedThere => ({
  mistake,
  change: ({ database }) => [`alter database ${nameOf(database)} set ${name} = '${value}'`],
  undo: ({ database }) => [`alter database ${nameOf(database)} reset ${name}`],
  find: () => [
    [
      'settings',
      'look',
      `${name} = ${value}, not ${wanted}`,
      'Reset it among the settings of the role, the database or the server: calls or the upkeep of tables fail under it.',
    ],
  ],
});

/** Replaces the record of a successful run with one that is old or failed. */
const run = (mistake: string, name: string, values: string, find: Expected): PlantedThere => ({
  mistake,
  change: () => [
    'create table kept_runs as select * from sweep_runs',
    `delete from sweep_runs where name = '${name}'`,
    `insert into sweep_runs (name, ran_at, failed_at, error) values ('${name}', ${values})`,
  ],
  undo: () => [
    'delete from sweep_runs',
    'insert into sweep_runs select * from kept_runs',
    'drop table kept_runs',
  ],
  find: () => [find],
});

const address = 'Check DATABASE_URL, and that the server runs and accepts this machine.';
const connections = 'Lower DATABASE_POOL or PROCESSES, or let the role open more connections.';
const runs = 'Check the log of `recaudo backup run`, and `recaudo backup list`.';

const ownsTables: Expected = [
  'roles',
  'look',
  'recaudo_owner serves and owns the tables, so it can rewrite history',
  'Set DATABASE_OWNER_URL to another role (docs/how-to/use-your-own-postgresql.md).',
];

const forgets: Expected = [
  'durability',
  'look',
  'fsync = off, synchronous_commit = off: a crash of the database loses payments that were answered',
  'Turn it on, on each server of the database.',
];

const reached: PlantedThere[] = [
  {
    mistake: 'a clock that a sandbox moved',
    change: () => ['update clock set ahead_ms = 60000'],
    undo: () => ['update clock set ahead_ms = 0'],
    find: () => [
      [
        'environment',
        'broken',
        'the clock of this database is ahead of time, because it was a sandbox',
        'Move to a new database (docs/how-to/go-live.md): money is released before its day.',
      ],
    ],
  },
  {
    mistake: 'a server that does not answer',
    env: () => ({ DATABASE_URL: 'postgres://u:p@127.0.0.1:1/recaudo' }),
    find: () => [
      [
        'database',
        'broken',
        'The database cannot be reached: connect ECONNREFUSED 127.0.0.1:1',
        address,
      ],
    ],
  },
  {
    mistake: 'a wrong password',
    env: ({ database }) => {
      const url = new URL(database.url);
      url.password = 'wrong';
      return { DATABASE_URL: url.href };
    },
    find: ({ database }) => [
      [
        'database',
        'broken',
        `The database cannot be reached: password authentication failed for user "${new URL(database.url).username}"`,
        address,
      ],
    ],
  },
  {
    mistake: 'a read-only database',
    change: ({ database }) => [
      `alter database ${nameOf(database)} set default_transaction_read_only = on`,
    ],
    undo: ({ database }) => [
      `alter database ${nameOf(database)} reset default_transaction_read_only`,
    ],
    find: () => [
      [
        'database',
        'broken',
        'The database takes no writes: DATABASE_URL leads to a standby, or to a database that was set read-only. It has to lead to the primary.',
        address,
      ],
    ],
  },
  {
    mistake: 'a role that owns the tables that it serves',
    env: ({ database }) => ({ DATABASE_URL: database.ownerUrl }),
    find: () => [ownsTables],
  },
  {
    mistake: 'the owner of another database',
    env: ({ other }) => ({ DATABASE_OWNER_URL: other.ownerUrl }),
    find: () => [
      [
        'roles',
        'broken',
        'DATABASE_OWNER_URL leads to another database than DATABASE_URL: give it the same one.',
        'Check the roles in docs/how-to/use-your-own-postgresql.md.',
      ],
    ],
  },
  {
    mistake: 'notifications from another database',
    env: ({ other }) => ({ DATABASE_DIRECT_URL: other.ownerUrl }),
    find: () => [
      [
        'notifications',
        'look',
        'DATABASE_DIRECT_URL leads to another database than DATABASE_URL: give it the same one.',
        'Check DATABASE_DIRECT_URL. Without it, revoked keys and clock moves take up to 5 seconds.',
      ],
    ],
  },
  {
    mistake: 'the primary as its own replica',
    env: ({ database }) => ({ DATABASE_READ_URL: database.url }),
    find: () => [
      [
        'replica',
        'look',
        'not a standby: it was promoted, or is the primary itself',
        'Read docs/explanation/scaling.md. Reads go to the primary meanwhile.',
      ],
    ],
  },
  {
    mistake: 'a database without migrations, in another encoding',
    change: ({ other }) => [
      `create database ${nameOf(other)}_ascii owner recaudo_owner encoding 'SQL_ASCII' locale 'C' template template0`,
    ],
    undo: ({ other }) => [`drop database ${nameOf(other)}_ascii with (force)`],
    env: ({ other }) => ({
      DATABASE_URL: `${other.ownerUrl}_ascii`,
      DATABASE_OWNER_URL: '',
    }),
    find: () => [
      [
        'encoding',
        'broken',
        'the database has the encoding SQL_ASCII, which rejects most names and texts',
        "Create it again with `encoding 'UTF8' template template0`, and move the data with pg_dump.",
      ],
      ownsTables,
      forgets,
    ],
  },
];

const server: PlantedThere[] = [
  {
    mistake: 'commits that a crash would lose',
    change: ({ database }) => [`alter database ${nameOf(database)} set synchronous_commit = off`],
    undo: ({ database }) => [`alter database ${nameOf(database)} set synchronous_commit = on`],
    find: () => [forgets],
  },
  setting('a limit of statements', { name: 'statement_timeout', value: '5s', wanted: '0' }),
  setting('another transaction isolation level', {
    ...{ name: 'default_transaction_isolation', value: 'serializable', wanted: 'read committed' },
  }),
  setting('a lock timeout of the server', { name: 'lock_timeout', value: '1s', wanted: '0' }),
  {
    mistake: 'pending migrations',
    change: () => [
      'create table kept_migrations as select * from migrations order by name desc limit 1',
      'delete from migrations where name in (select name from kept_migrations)',
    ],
    undo: () => [
      'insert into migrations select * from kept_migrations',
      'drop table kept_migrations',
    ],
    find: () => [['migrations', 'broken', '1 migrations are missing', 'Run `recaudo migrate`.']],
  },
  {
    mistake: 'clocks that differ',
    change: ({ database }) => [
      `create function clock_timestamp() returns timestamptz language sql
         as $$ select pg_catalog.clock_timestamp() - interval '90 seconds' $$`,
      `alter database ${nameOf(database)} set search_path = public, pg_catalog`,
    ],
    undo: ({ database }) => [
      `alter database ${nameOf(database)} reset search_path`,
      'drop function public.clock_timestamp()',
    ],
    find: () => [
      [
        'clock',
        'look',
        'this machine and the database are 90 s apart',
        'Synchronize both with NTP: webhooks and links depend on this clock.',
      ],
    ],
  },
  {
    mistake: 'a pool larger than the database allows',
    change: ({ database }) => [`alter database ${nameOf(database)} connection limit 20`],
    undo: ({ database }) => [`alter database ${nameOf(database)} connection limit -1`],
    find: () => [
      [
        'connections',
        'look',
        'a process opens 17 connections, but the database has room for 5 of each, during a restart',
        connections,
      ],
    ],
  },
  {
    mistake: 'keys of another database',
    env: () => ({ VAULT_KEYS: `other:${Buffer.alloc(32, 8).toString('base64')}` }),
    find: () => [
      [
        'vault',
        'broken',
        'The vault has no key "tests", which this database\'s secrets are encrypted with: it belongs in VAULT_KEYS. A sandbox without that variable keeps its key in DATA_DIR/vault-keys.',
        'Set VAULT_KEYS to the keys that encrypted this database.',
      ],
    ],
  },
  {
    mistake: 'a role without the right to replicate',
    env: () => ({ BACKUP_DATABASE_URL: '' }),
    find: ({ database }) => [
      [
        'backup source',
        'broken',
        `${new URL(database.url).username} lacks the right to replicate, so it cannot take backups`,
        'Set BACKUP_DATABASE_URL to a role with `replication` (docs/how-to/restore.md).',
      ],
    ],
  },
];

/** Test servers write the log that backups need. A function in this database hides this setting. */
const withoutLog: PlantedThere = {
  mistake: 'a server that writes no log for backups',
  change: ({ database }) => [
    `create function current_setting(name text) returns text language sql as $$ select
       case name when 'wal_level' then 'minimal' when 'max_wal_senders' then '0'
       else pg_catalog.current_setting(name) end $$`,
    `alter database ${nameOf(database)} set search_path = public, pg_catalog`,
  ],
  undo: ({ database }) => [
    `alter database ${nameOf(database)} reset search_path`,
    'drop function public.current_setting(text)',
  ],
  env: ({ env, database }) => ({
    BACKUP_DATABASE_URL: `${env.BACKUP_DATABASE_URL?.replace(/[^/]+$/, nameOf(database))}`,
  }),
  find: () => [
    [
      'backup source',
      'broken',
      'the server has wal_level = minimal and max_wal_senders = 0: no backup is possible',
      'Set wal_level = replica and max_wal_senders to 2 or more, and restart the server.',
    ],
  ],
};

const work: PlantedThere[] = [
  run('no base backup for days', backupRuns.base, "'2026-11-01T03:00:00Z', null, null", [
    ...(['backups', 'broken', 'no base backup since 2026-11-01T03:00:00Z', runs] as const),
  ]),
  run('a log that is not stored', backupRuns.log, "'2026-11-01T03:00:00Z', null, null", [
    ...(['backups', 'broken', 'no log stored since 2026-11-01T03:00:00Z'] as const),
    'Start `recaudo backup run`.',
  ]),
  run('a failed drill', backupRuns.drill, "null, now(), '3 faults: A1: cut'", [
    ...(['backups', 'broken', 'restore drill failed: 3 faults: A1: cut', runs] as const),
  ]),
  run('an old drill', backupRuns.drill, "'2026-11-01T03:00:00Z', null, null", [
    ...(['backups', 'look'] as const),
    'no restore drill since 2026-11-01T03:00:00Z',
    'Run `recaudo backup drill`.',
  ]),
  run('a failing sweep', 'money released', "null, now(), 'deadlock'", [
    ...(['worker', 'look', 'the sweep "money released" failed: deadlock'] as const),
    'Check the log of the worker.',
  ]),
  run('an old audit', 'audit', "'2026-11-01T03:00:00Z', null, null", [
    ...(['audit', 'look', 'no audit of all accounts since 2026-11-01T03:00:00Z'] as const),
    'Run `recaudo audit` every night (docs/how-to/operate-day-by-day.md).',
  ]),
  run('an audit with faults', 'audit', "null, now(), '2 faults'", [
    ...(['audit', 'broken', 'the last audit found 2 faults'] as const),
    'Run `recaudo audit` (docs/how-to/audit.md).',
  ]),
  {
    mistake: 'no process that does scheduled work',
    change: () => [
      'set session_replication_role = replica',
      "update events set at = now() - interval '61 minutes'",
      'reset session_replication_role',
    ],
    undo: () => [
      'set session_replication_role = replica',
      'update events set at = now()',
      'reset session_replication_role',
    ],
    find: () => [
      [
        'worker',
        'broken',
        'no scheduled work has run for 61 minutes',
        'Start a process whose ROLES include worker, and check its log.',
      ],
    ],
  },
  {
    mistake: 'work that is due while every event is sealed',
    change: () => [
      `insert into proposals (account_id, id, kind, reference, amount, terms, state, proposed_by,
         proposed_at, expires_at)
         select id, 1, 'payout', 'r', 1, '{}', 'waiting', 1, now(), now() - interval '61 minutes'
         from accounts limit 1`,
    ],
    undo: () => ['delete from proposals'],
    find: () => [
      [
        'worker',
        'broken',
        'the sweep "proposals lapsed" has been due for 61 minutes',
        'Start a process whose ROLES include worker, and check its log.',
      ],
    ],
  },
  {
    mistake: 'a receiver that accepts no anchors',
    env: ({ folder }) => ({ ANCHORS: `file://${folder}/anchors` }),
    change: () => [
      `insert into anchors (account_id, day, seal_no, hash)
         values ('A1B2C3D4', (now() at time zone 'UTC' - interval '3 hours')::date - 3, 1, '\\x01')`,
    ],
    undo: () => ['delete from anchors'],
    find: ({ folder }) => [
      [
        'anchors',
        'look',
        expect.stringMatching(
          new RegExp(
            `^file://${folder}/anchors has not received anchors for (4[89]|[56]\\d|7[0-2]) hours$`,
          ),
        ),
        'Check the receiver, and the log of the worker (docs/how-to/audit.md).',
      ],
    ],
  },
  {
    mistake: 'one operator where two must decide',
    change: () => ["update users set state = 'suspended' where email = 'leo@example.com'"],
    undo: () => ["update users set state = 'active' where email = 'leo@example.com'"],
    find: () => [
      [
        'operators',
        'look',
        'there is one operator: payouts and corrections above the limits need two',
        'Create another with `recaudo users create … --role operator`.',
      ],
    ],
  },
  {
    mistake: 'a webhook with a failing receiver',
    change: () => [
      `insert into webhooks (account_id, id, url, event_types, created_at, failures)
         select id, 1, 'https://hook.example.com', '{1}', now(), 100 from accounts limit 1`,
    ],
    undo: () => ['delete from webhooks'],
    find: () => [
      [
        'webhooks',
        'look',
        '1 webhooks are paused because their receivers fail',
        'Check `recaudo webhooks list` for each account, and its receiver.',
      ],
    ],
  },
];

export const inDatabase: PlantedThere[] = [...reached, ...server, withoutLog, ...work];

/** Runs statements one by one, because some cannot run in a transaction. */
export async function apply({ superuser }: Desk, statements: readonly string[]): Promise<void> {
  for (const one of statements) await superuser.unsafe(one);
}
