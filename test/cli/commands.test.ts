import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setAccount } from '../../src/accounts/index.ts';
import { commandTree, leavesOf } from '../../src/cli/tree.ts';
import { testOperator } from '../harness/actors.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { testVaultKeys } from '../harness/keys.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Ran, recaudo } from './run.ts';

let service: TestService;
let folder: string;
let paid: number;
let run: (...args: string[]) => Promise<Ran>;

beforeAll(async () => {
  service = await startService();
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-commands-'));
  const backups = { BACKUP_TO: `file://${folder}/backups`, BACKUP_KEYS: testVaultKeys };
  run = (...args) =>
    recaudo(args, {
      DATABASE_URL: service.databaseUrl,
      DATA_DIR: folder,
      ...(args[0] === 'backup' && backups),
    });
  const body = paymentRequestBody(service, { external_reference: 'F-77', payer_name: 'Ana Gómez' });
  paid = (await service.call('POST', '/payment-request', { body })).body.id;
  await service.call('POST', `/sandbox/pay/${paid}`, { body: {} });
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

const tree = await commandTree();
const leaves = leavesOf(tree);
const wordsOf = (leaf: (typeof leaves)[number]): string[] => {
  const words = [];
  for (let one: typeof leaf | null = leaf; one?.parent; one = one.parent) words.unshift(one.name());
  return words;
};

/** Every listing with its arguments. Each prints an array, even an empty one. */
const account = ['--account', testAccount];
const listings: [string, string[]][] = [
  ['accounts list', []],
  ['keys list', account],
  ['users list', account],
  ['calendar list', []],
  ['fees list', account],
  ['payouts list', account],
  ['refunds list', account],
  ['suspense list', []],
  ['alarms list', []],
  ['disputes list', account],
  ['settlements list', []],
  ['settlements owed', []],
  ['rails list', []],
  ['plans list', [testAccount]],
  ['cards list', []],
  ['ledger corrections', account],
  ['webhooks list', account],
  ['secrets list', []],
  ['requests find', ['--reference', 'F-77']],
  ['imports list', account],
  ['debits find', account],
  ['mandates find', account],
  ['payers find', ['--name', 'gómez']],
  ['balances', []],
  ['mails list', []],
  ['audit', account],
  ['doctor', []],
  ['events list', []],
  ['backup list', []],
];

test('covers every `list` and `find` command in the table of listings', () => {
  const listed = leaves
    .map((leaf) => wordsOf(leaf).join(' '))
    .filter((words) => /\b(list|find)$/.test(words));
  expect(listed.filter((words) => !listings.some(([known]) => known === words))).toEqual([]);
});

test('describes every command, and gives each except `serve` --json', () => {
  for (const leaf of leaves) {
    const words = wordsOf(leaf).join(' ');
    const options = leaf.options.map(({ long }) => long);
    expect([words, leaf.description() !== '']).toEqual([words, true]);
    if (words !== 'serve')
      expect([words, options]).toEqual([words, expect.arrayContaining(['--json'])]);
  }
});

test.each(listings)(
  'prints an array for %s --json on stdout, and nothing on stderr',
  async (words, args) => {
    const ran = await run(...words.split(' '), ...args, '--json');
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(JSON.parse(ran.stdout)).toBeInstanceOf(Array);
  },
);

test('rejects unknown options of every command, and prints errors as one line or one JSON object', async () => {
  for (const leaf of leaves) {
    // Loads the command in this process, because only its parsing is under test.
    const program = await commandTree(wordsOf(leaf)[0]);
    const name = wordsOf(leaf).join(' ');
    const loaded = leavesOf(program).find((one) => wordsOf(one).join(' ') === name);
    // A missing option would be reported first.
    for (const option of loaded?.options ?? []) option.mandatory = false;
    const words = [...wordsOf(leaf), '--no-such-option'];
    await expect(program.parseAsync(words, { from: 'user' }), name).rejects.toMatchObject({
      code: 'commander.unknownOption',
    });
  }
  const [text, json, refused] = await Promise.all([
    run('mails', 'resend'),
    run('payers', 'find', '--json'),
    run('balances', '--account', '0000000F', '--json'),
  ]);
  expect([text.code, text.stdout, text.stderr]).toEqual([
    2,
    '',
    'error: Give either the number of an e-mail or --all.\n',
  ]);
  expect([json.code, json.stdout]).toEqual([2, '']);
  expect(JSON.parse(json.stderr)).toEqual({ error: 'usage', message: 'give --name or --cuit' });
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(JSON.parse(refused.stderr).error).toBe('not_found');
});

describe('operators’ commands', () => {
  test('finds a request by its reference or part of its payer’s name, and shows its payments', async () => {
    const [found, named, shown, text] = await Promise.all([
      run('requests', 'find', '--reference', 'F-77', '--json'),
      run('payers', 'find', '--name', 'ana g', '--json'),
      run('requests', 'show', String(paid), '--json'),
      run('requests', 'show', String(paid)),
    ]);
    const row = { account: testAccount, id: paid, state: 'paid', payer: 'Ana Gómez' };
    expect(JSON.parse(found.stdout)).toEqual([expect.objectContaining(row)]);
    expect(JSON.parse(named.stdout)).toEqual([
      expect.objectContaining({ what: 'payment_request', id: paid }),
    ]);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      ...row,
      results: [{ type: 'collected_payment_request_result', amount: 1430.5 }],
    });
    expect(text.stdout).toContain('collected_payment_request_result');
    const none = await run('debits', 'show', String(paid));
    expect([none.code, none.stderr]).toEqual([1, 'error: There is no request with this id.\n']);
  });

  test('lists failed e-mails and resends them', async () => {
    await service.sql`
      insert into mails (account_id, id, recipient, subject, body, state, attempts, next_at)
      values (${testAccount}, 1, 'a@example.com', 'Firmá', 'x', 'failed', 7, '2020-01-01')`;
    const listed = JSON.parse((await run('mails', 'list', '--json')).stdout);
    expect(listed).toEqual([expect.objectContaining({ id: 1, recipient: 'a@example.com' })]);
    expect(await run('mails', 'resend', '1')).toMatchObject({ code: 0 });
    await expect
      .poll(async () => (await service.sql`select state from mails where id = 1`)[0]?.state)
      .toBe('sent');
    expect((await run('mails', 'resend', '1')).code).toBe(1);
  });

  test('finds requests by state, across all accounts and in one', async () => {
    for (const where of [[], account]) {
      const asked = await run('requests', 'find', '--state', 'paid', ...where, '--json');
      expect([asked.code, asked.stderr]).toEqual([0, '']);
      const ids = JSON.parse(asked.stdout).map(({ id }: { id: number }) => id);
      expect(ids).toContain(paid);
    }
    const others = await run('requests', 'find', '--state', 'canceled', '--json');
    expect(JSON.parse(others.stdout)).toEqual([]);
  });

  test('pays every account once, and writes the transfers to one file', async () => {
    await service.call('POST', '/sandbox/clock', { body: { days: 10 } });
    const { parts } = service.service;
    const set = setAccount({ ...parts.base, actor: testOperator });
    await set({ accountId: testAccount, payoutCbu: '2850590940090418135201' });
    const order = ['payouts', 'run', '--reference', 'dic/1', '--out', folder, '--json'];
    const first = await run(...order);
    expect([first.code, first.stderr]).toEqual([0, '']);
    const { payouts, file } = JSON.parse(first.stdout);
    expect(payouts).toEqual([expect.objectContaining({ account: testAccount, outcome: 'sent' })]);
    expect(path.basename(file)).toMatch(/^payouts-dic_1-\d+\.csv$/);
    const lines = (await readFile(file, 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`,${testAccount},`);
    expect(lines[1]?.endsWith(`,2850590940090418135201,${payouts[0].amount}`)).toBe(true);
    const again = JSON.parse((await run(...order)).stdout);
    expect(again).toMatchObject({ file: null, payouts: [{ outcome: 'known' }] });
    expect((await readdir(folder)).filter((name) => name.startsWith('payouts-'))).toEqual([
      path.basename(file),
    ]);
  });

  test('tries every file of a folder, and reports each faulty one', async () => {
    const files = await mkdtemp(path.join(folder, 'in-'));
    await writeFile(path.join(files, 'a.txt'), 'no file of a network');
    await writeFile(path.join(files, 'b.txt'), 'nor this one');
    const ran = await run('rails', 'import', 'pago-facil', files, '--json');
    expect([ran.code, ran.stderr]).toEqual([1, '']);
    expect(JSON.parse(ran.stdout)).toEqual(
      ['a.txt', 'b.txt'].map((file) =>
        expect.objectContaining({ file, outcome: 'failed', fault: expect.any(String) }),
      ),
    );
  });

  test('prints the findings of doctor, faults with remedies, and exits 1 only if there are faults', async () => {
    const well = await run('doctor', '--json');
    const findings = JSON.parse(well.stdout);
    expect(findings.filter(({ state }: { state: string }) => state === 'broken')).toEqual([]);
    expect([well.code, well.stderr]).toEqual([0, '']);
    const whats = findings
      .map(({ what }: { what: string }) => what)
      // Only a distributed database has nodes.
      .filter((what: string) => what !== 'nodes');
    expect(whats).toEqual([
      ...['configuration', 'channels', 'database', 'roles', 'durability', 'settings'],
      ...[
        'migrations',
        'clock',
        'connections',
        'pooler',
        'vault',
        'environment',
        'backups',
        'mail',
        'worker',
      ],
      ...['files', 'open files', 'disk'],
    ]);
    const away = await recaudo(['doctor', '--json'], {
      DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z',
      DATA_DIR: path.join(folder, 'none'),
    });
    expect(away.code).toBe(1);
    const broken = JSON.parse(away.stdout).filter(
      ({ state }: { state: string }) => state === 'broken',
    );
    expect(broken.map(({ what }: { what: string }) => what)).toEqual(['database', 'disk']);
    for (const { todo } of broken) expect(todo).not.toBe('');
    const other = new URL(service.databaseUrl);
    other.password = 'wrong';
    const astray = await recaudo(['doctor', '--json'], {
      DATABASE_URL: service.databaseUrl,
      DATABASE_OWNER_URL: other.href,
      DATABASE_DIRECT_URL: other.href,
      DATA_DIR: folder,
      SMTP_URL: 'smtp://127.0.0.1:1',
    });
    expect(astray.code).toBe(1);
    expect(JSON.parse(astray.stdout)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ what: 'roles', state: 'broken' }),
        expect.objectContaining({ what: 'notifications', state: 'look' }),
        // Receivers reject mail from the default domain.
        expect.objectContaining({
          what: 'mail',
          state: 'look',
          todo: expect.stringContaining('MAIL_FROM'),
        }),
      ]),
    );
    const wrong = await recaudo(['doctor', '--json'], { PORT: 'x' });
    expect([wrong.code, JSON.parse(wrong.stdout)[0]]).toEqual([
      1,
      expect.objectContaining({ what: 'configuration', state: 'broken' }),
    ]);
  });
});

test('shows, renames and suspends an account, and closes it only when it is settled', async () => {
  const cuit = ['--cuit', '30-99999999-5'];
  const id = (await run('accounts', 'create', '--name', 'Vieja', ...cuit)).stdout.trim();
  expect((await run('accounts', 'rename', id, 'Nueva')).code).toBe(0);
  const why = ['--reason', 'prueba'];
  expect((await run('accounts', 'suspend', id, ...why)).code).toBe(0);
  const shown = JSON.parse((await run('accounts', 'show', id, '--json')).stdout);
  expect(shown).toMatchObject({ id, name: 'Nueva', state: 'suspended', available: '0.00' });
  const text = (await run('accounts', 'show', id)).stdout;
  for (const label of Object.keys(shown)) expect(text).toMatch(new RegExp(`^${label} +\\S`, 'm'));
  const owed = ['--account', id, '--amount', '5', '--reference', 'r', '--note', 'n'];
  expect((await run('ledger', 'correct', ...owed)).code).toBe(0);
  const early = await run('accounts', 'close', id, ...why);
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('5.00 available')]);
  const back = ['--account', id, '--amount=-5', '--reference', 's', '--note', 'n'];
  expect((await run('ledger', 'correct', ...back)).code).toBe(0);
  const closed = await run('accounts', 'close', id, ...why, '--json');
  expect(JSON.parse(closed.stdout)).toEqual({ id, closed: true, mandates_canceled: 0 });
  expect((await run('keys', 'create', '--account', id)).code).toBe(1);
  expect((await run('accounts', 'reopen', id, ...why)).code).toBe(1);
});

test('requires addresses in `keys restrict`, because leaving them out must not lift a limit', async () => {
  const { code, stderr } = await run('keys', 'restrict', '1', ...account);
  expect(code).toBe(2);
  expect(stderr).toContain("missing required argument 'ranges'");
});
