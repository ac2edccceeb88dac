import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { recaudo, recaudoProcess } from './run.ts';

let database: TestDatabase;
let env: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase({ max: 2 });
  env = { DATABASE_URL: database.url };
});
afterAll(() => database.drop());

const away = { DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z' };

test.each<[line: string, code: number, env?: Record<string, string>]>([
  ['version', 0],
  ['--help', 0],
  ['accounts list', 0],
  ['pay', 2],
  ['accounts create --name x', 2],
  ['payers find --json', 2],
  ['balances --account 0000000F', 1],
  ['accounts list --json', 1, away],
  ['accounts list', 1, { DATABASE_URL: 'nowhere', PORT: 'x' }],
])(
  'gives the same result for `recaudo %s` in this process as in a separate one: %i',
  async (line, code, given) => {
    const args = line.split(' ');
    const within = await recaudo(args, given ?? env);
    expect(within.code).toBe(code);
    expect(await recaudoProcess(args, given ?? env)).toEqual(within);
  },
);

test('keeps environment, output and exit status of concurrent commands separate', async () => {
  const [listed, version, misused, refused, unreachable] = await Promise.all([
    recaudo(['accounts', 'list', '--json'], env),
    recaudo(['version'], env),
    recaudo(['mails', 'resend'], env),
    recaudo(['balances', '--account', '0000000F'], env),
    recaudo(['accounts', 'list', '--json'], away),
  ]);
  expect([listed, JSON.parse(listed.stdout)]).toEqual([{ ...listed, code: 0, stderr: '' }, []]);
  expect([version.code, version.stderr]).toEqual([0, '']);
  const message = 'error: Give either the number of an e-mail or --all.\n';
  expect(misused).toEqual({ code: 2, stdout: '', stderr: message });
  const unknown = 'error: There is no account with this id.\n';
  expect(refused).toEqual({ code: 1, stdout: '', stderr: unknown });
  expect([unreachable.code, unreachable.stdout]).toEqual([1, '']);
  expect(JSON.parse(unreachable.stderr).error).toBe('unavailable');
});

/** Finds state that a command could leak into its process. */
async function traces() {
  const emitters = { process, stdout: process.stdout, stderr: process.stderr };
  const listeners = new Map(
    Object.entries(emitters).flatMap(([name, emitter]) =>
      emitter
        .eventNames()
        .map((event) => [`${name} ${String(event)}`, emitter.listenerCount(event)] as const),
    ),
  );
  const [open] = await database.sql<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity
    where datname = current_database() and application_name like 'recaudo %'`;
  const { exitCode, env } = process;
  return { listeners, exitCode, env: { ...env }, cwd: process.cwd(), connections: open?.count };
}

test('leaves no listener, exit status, variable or connection behind in its process', async () => {
  const { listeners, ...before } = await traces();
  expect(before).toMatchObject({ exitCode: undefined, connections: 0 });
  for (const line of ['accounts list', 'doctor', 'audit', 'mails resend', 'keys list', 'pay']) {
    await recaudo(line.split(' '), { ...env, LOG_LEVEL: 'debug' });
  }
  // The server notices the end of a connection a moment later, and threads of earlier tests may end.
  const left = async () => {
    const { listeners: now, ...after } = await traces();
    return {
      ...after,
      added: [...now].filter(([name, count]) => count > (listeners.get(name) ?? 0)),
    };
  };
  await expect.poll(left).toEqual({ ...before, added: [] });
});
