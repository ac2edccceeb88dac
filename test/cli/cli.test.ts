import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { version } from '../../src/version.ts';
import { connectSuperuser, createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type Ran, recaudo } from './run.ts';

let database: TestDatabase;
let run: (...args: string[]) => Promise<Ran>;
let id: string;

beforeAll(async () => {
  database = await createTestDatabase({ migrated: false, max: 2 });
  run = (...args) => recaudo(args, { DATABASE_URL: database.url });
});
afterAll(() => database.drop());

const ok = (stdout: unknown) => ({ code: 0, stdout, stderr: '' });

/** Runs several commands at once. */
const all = (calls: string[][]) => Promise.all(calls.map((args) => run(...args)));

test('refuses a database without the schema and names `migrate`, which creates it once', async () => {
  const before = await run('accounts', 'list');
  expect(before.code).toBe(1);
  expect(before.stderr).toContain('recaudo migrate');
  const first = await run('migrate');
  expect(first.code).toBe(0);
  expect(first.stdout).toMatch(/^(applied \S+\n)+$/);
  expect(await run('migrate')).toEqual(ok('up to date\n'));
});

describe('accounts', () => {
  test('creates an account, prints only its id, and lists it', async () => {
    const created = await run(
      ...['accounts', 'create', '--name', 'Club Ñandú', '--cuit', '30-99999999-5'],
    );
    expect(created).toEqual(ok(expect.stringMatching(/^[0-9A-F]{8}\n$/)));
    id = created.stdout.trim();
    const [json, table] = await all([
      ['accounts', 'list', '--json'],
      ['accounts', 'list'],
    ]);
    expect(JSON.parse(json?.stdout ?? '')).toEqual([
      {
        id,
        name: 'Club Ñandú',
        cuit: '30999999995',
        city: 'Buenos Aires',
        state: 'active',
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-03:00$/),
      },
    ]);
    expect(table?.stdout).toMatch(/^id +name +cuit +city +state +created_at\n/);
    expect(table?.stdout).toContain('Club Ñandú');
  });

  test('refuses an account that exists or has an invalid CUIT, with an explanation', async () => {
    const [taken, cuit] = await all([
      ['accounts', 'create', '--name', 'x', '--cuit', '30999999995', '--id', id],
      ['accounts', 'create', '--name', 'x', '--cuit', '30999999996'],
    ]);
    expect([taken?.code, taken?.stderr]).toEqual([1, `error: Account ${id} already exists.\n`]);
    expect([cuit?.code, cuit?.stderr]).toEqual([2, expect.stringContaining('check digit')]);
  });
});

describe('keys', () => {
  test('prints only the created key, never lists it, and revokes it', async () => {
    const created = await run(
      ...['keys', 'create', '--account', id, '--name', 'till', '--permissions', 'Read, write'],
      ...['--expires', '2099-01-01T00:00:00-03:00'],
    );
    expect(created).toEqual(ok(expect.stringMatching(/^rk_test_[\w-]{32}\n$/)));
    const key = created.stdout.trim();
    const listed = await run('keys', 'list', '--account', id, '--json');
    expect(listed.stdout).not.toContain(key);
    const [row] = JSON.parse(listed.stdout);
    expect(row).toEqual({
      id: expect.any(Number),
      name: 'till',
      prefix: key.slice(0, 12),
      permissions: 'read,write',
      created_at: expect.stringMatching(/-03:00$/),
      expires_at: '2099-01-01T00:00:00-03:00',
      revoked_at: null,
      last_used_at: null,
      ranges: null,
      replaced_by: null,
    });
    const revoked = await run('keys', 'revoke', '--account', id, String(row.id));
    expect(revoked).toEqual(ok(`key ${row.id} is revoked\n`));
    const after = await run('keys', 'list', '--account', id, '--json');
    expect(JSON.parse(after.stdout)[0].revoked_at).toMatch(/-03:00$/);
  });

  test('refuses to create, list or revoke keys with unknown or invalid values', async () => {
    const [revoke, account, permission, past, nameless] = await all([
      ['keys', 'revoke', '--account', id, '123'],
      ['keys', 'create', '--account', '00000000'],
      ['keys', 'create', '--account', id, '--permissions', 'read,admin'],
      ['keys', 'create', '--account', id, '--expires', '2001-01-01T00:00:00-03:00'],
      ['keys', 'create', '--account', id, '--name', ' '],
    ]);
    expect([revoke?.code, account?.code, permission?.code]).toEqual([1, 1, 2]);
    expect([past?.code, past?.stdout, nameless?.code]).toEqual([1, '', 2]);
    expect(past?.stderr).toContain('must be in the future');
    const [keys, hooks] = await all([
      ['keys', 'list', '--account', '00000000'],
      ['webhooks', 'list', '--account', '00000000', '--json'],
    ]);
    const message = 'There is no account with this id.';
    expect(keys).toEqual({ code: 1, stdout: '', stderr: `error: ${message}\n` });
    expect([hooks?.code, hooks?.stdout]).toEqual([1, '']);
    expect(JSON.parse(hooks?.stderr ?? '')).toEqual({
      error: 'not_found',
      error_code: 'account.not_found',
      message,
    });
    expect(account?.stderr).toContain('There is no account');
    expect(permission?.stderr).toContain('read, write, sandbox');
  });
});

test('adds, lists and removes calendar days, and rejects unknown or invalid ones', async () => {
  const added = await run('calendar', 'add', '24-12-2027', '--kind', 'bank');
  expect(added.code).toBe(0);
  expect(added.stdout).toContain('24-12-2027 is bank');
  expect((await run('calendar', 'add', '2026-12-08', '--kind', 'open')).code).toBe(0);
  const listed = await run('calendar', 'list', '--json');
  expect(JSON.parse(listed.stdout)).toEqual([
    { day: '08-12-2026', kind: 'open' },
    { day: '24-12-2027', kind: 'bank' },
  ]);
  expect((await run('calendar', 'remove', '24-12-2027')).code).toBe(0);
  const [again, day, kind] = await all([
    ['calendar', 'remove', '24-12-2027'],
    ['calendar', 'add', '31-02-2027'],
    ['calendar', 'add', '24-12-2027', '--kind', 'party'],
  ]);
  expect([again?.code, day?.code, kind?.code]).toEqual([1, 2, 2]);
});

test('reports in the audit that the books add up, or exits 1 and names the faults', async () => {
  expect(await run('audit')).toEqual(ok('1 accounts add up\n'));
  const [json, unknown] = await all([
    ['audit', '--json', '--account', id],
    ['audit', '--account', 'FFFFFFFF'],
  ]);
  expect(JSON.parse(json?.stdout ?? '')).toEqual([]);
  expect(unknown?.code).toBe(1);
  const superuser = connectSuperuser(database.url);
  await superuser`
    insert into balances (account_id, ledger_account, amount) values (${id}, 2, -500)`;
  await superuser.end();
  const [text, rows] = await all([['audit'], ['audit', '--json']]);
  const what = 'ledger account holderAvailable: balance -500, journal 0 centavos';
  expect([text?.code, rows?.code]).toEqual([1, 1]);
  expect(text?.stdout).toContain(what);
  const settled =
    'the settlement reports of all days sum to 0.00, but the available balance is 5.00';
  expect(JSON.parse(rows?.stdout ?? '')).toEqual([
    { account: id, kind: 'fault', what },
    { account: id, kind: 'fault', what: settled },
  ]);
});

test('prints version and help, exits 2 for misuse and 1 for invalid variables, and names them', async () => {
  const [word, help, unknown, missing, configured] = await Promise.all([
    run('version'),
    run('--help'),
    run('pay'),
    run('accounts', 'create', '--name', 'x'),
    recaudo(['accounts', 'list'], { DATABASE_URL: 'nowhere', PORT: 'x' }),
  ]);
  expect(word).toEqual(ok(`${version}\n`));
  expect(help.code).toBe(0);
  expect([unknown.code, missing.code]).toEqual([2, 2]);
  expect(missing.stderr).toContain('--cuit');
  expect(configured.code).toBe(1);
  for (const name of ['DATABASE_URL', 'PORT']) expect(configured.stderr).toContain(name);
});
