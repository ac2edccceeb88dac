import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { centavos } from '../../src/kernel/money.ts';
import { suspend } from '../../src/money/suspense/index.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { dayIn, type Player, playerOf, withoutWorker } from '../scenarios/play.ts';
import { type Ran, recaudo } from './run.ts';

const cbu = '2850590940090418135201';

let service: TestService;
let player: Player;
let folder: string;
let run: (...args: string[]) => Promise<Ran>;

beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
  folder = await mkdtemp(path.join(tmpdir(), 'money-'));
  run = (...args) => recaudo(args, { DATABASE_URL: service.databaseUrl });
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const ok = (stdout: unknown) => ({ code: 0, stdout, stderr: '' });
/** An expected failure with its message, or with a pattern that matches it. */
const failed = (stderr: unknown) => ({
  code: 1,
  stdout: '',
  stderr: typeof stderr === 'string' ? `error: ${stderr}` : stderr,
});
const misused = (stderr: string) => ({
  code: 2,
  stdout: '',
  stderr: expect.stringContaining(stderr),
});
const json = ({ stdout }: Ran) => JSON.parse(stdout);
const account = ['--account', testAccount];

describe('fees', () => {
  const terms = [...account, '--channel', 'link_pagos', '--percentage', '1.5', '--days', '2'];

  test('sets fees from a day on, lists them next to the standard ones, and ends them', async () => {
    const from = dayIn(service, 1);
    const set = ['fees', 'set', ...terms, '--fixed', '10', '--minimum', '25.50', '--from', from];
    expect(await run(...set)).toEqual(ok(expect.stringContaining(`from ${from}`)));
    const listed = json(await run('fees', 'list', ...account, '--json'));
    expect(listed).toHaveLength(11);
    expect(listed[0]).toEqual({
      channel: 'link_pagos',
      from,
      to: null,
      percentage: '1.50',
      fixed: '10.00',
      minimum: '25.50',
      days: 2,
    });
    expect(listed[1]).toMatchObject({ channel: 'credit_card', from: null, percentage: '5.00' });
    const end = ['fees', 'end', ...account, '--channel', 'link_pagos', '--from', from];
    expect((await run(...end)).code).toBe(0);
    expect(await run(...end)).toEqual(failed(expect.stringContaining('no special terms to end')));
  });

  test.each(['direct_debit', 'card_debit'])('sets, lists and ends fees for %s', async (channel) => {
    const from = dayIn(service, 0);
    const own = [...account, '--channel', channel];
    const terms = ['--percentage', '7', '--days', '5', '--from', from];
    expect((await run('fees', 'set', ...own, ...terms)).code).toBe(0);
    const listed = json(await run('fees', 'list', ...account, '--json'));
    const rows = listed.filter((row: { channel: string }) => row.channel === channel);
    expect(rows).toMatchObject([{ from, percentage: '7.00', days: 5 }, { from: null }]);
    expect((await run('fees', 'end', ...own, '--from', from)).code).toBe(0);
  });

  test('refuses fees for a past day or with an invalid percentage', async () => {
    const set = (...args: string[]) => run('fees', 'set', ...terms, ...args);
    const [past, percentage] = await Promise.all([
      set('--from', dayIn(service, -1)),
      set('--from', dayIn(service, 0), '--percentage', '100.01'),
    ]);
    expect(past).toEqual(failed(expect.stringContaining('Choose today')));
    expect(percentage).toEqual(misused('0 to 100'));
  });
});

test('validates a register, imports it once, and locates the fault of a bad one', async () => {
  const file = path.join(folder, 'register.csv');
  const header = 'cuit,regime,jurisdiction,rate,valid_from,valid_to\n';
  await writeFile(file, `${header}20-05536168-2,SIRTAC,Salta,2.5,01-12-2026,31-12-2026\n`);
  const bad = path.join(folder, 'bad.csv');
  await writeFile(bad, `${header}20-05536168-2,SIRTAC,Salta,250,01-12-2026,\n`);
  const dry = await run('register', 'import', file, '--dry-run', '--json');
  expect(json(dry)).toMatchObject({ outcome: 'checked', lines: 1, changes: [{ added: 1 }] });
  const imported = await run('register', 'import', file);
  expect(imported).toEqual(ok(expect.stringMatching(/^1 lines, imported\nregime +jurisdiction/)));
  const [again, wrong, gone] = await Promise.all([
    run('register', 'import', file),
    run('register', 'import', bad),
    run('register', 'import', path.join(folder, 'gone.csv')),
  ]);
  expect(again).toEqual(ok('1 lines, already imported; nothing changed\n'));
  expect(wrong).toEqual(failed(expect.stringContaining('Line 2, rate: "250" must be')));
  expect(gone).toEqual(failed(expect.stringContaining('no such file')));
});

test('posts corrections of either sign once, lists them with notes, and rejects a reused reference', async () => {
  const post = (amount: string, reference: string) =>
    run(
      ...['ledger', 'correct', ...account, '--amount', amount, '--reference', reference],
      ...['--note', 'bank charges'],
    );
  expect(await post('150.75', 'c-1')).toEqual(ok('correction c-1 of 150.75 is posted\n'));
  expect(await post('150.75', 'c-1')).toEqual(ok('correction c-1 of 150.75 was already posted\n'));
  const [taken, clash] = await Promise.all([post('-50.25', 'c-2'), post('1', 'c-1')]);
  expect(taken.code).toBe(0);
  expect(clash).toEqual(failed('The reference c-1 already belongs to a correction of 150.75.\n'));
  const listed = await run('ledger', 'corrections', ...account, '--json');
  expect(json(listed)).toMatchObject([
    { reference: 'c-1', amount: '150.75', note: 'bank charges' },
    { reference: 'c-2', amount: '-50.25' },
  ]);
  expect(await player.balances()).toEqual([100.5, 0]);
});

test('sends payouts to the account’s CBU once, within its balance, and lists and returns them', async () => {
  const create = (...args: string[]) => run('payouts', 'create', ...account, ...args);
  expect(await create('--all', '--reference', 'p-1')).toEqual(
    failed(expect.stringContaining('The account has no CBU for payouts.')),
  );
  expect(await run('accounts', 'set', testAccount, '--cbu', cbu, '--returns-fees', 'yes')).toEqual(
    ok(
      `payouts go to ${cbu}\nrefunds and chargebacks return fees\n` +
        'refunds may not exceed the balance\n' +
        'late approvals are kept\n' +
        'card debits of a month close after the default day\n' +
        'signing e-mails to one address per day: default\n' +
        'signing e-mails per minute: default\n' +
        'unsigned mandates: default\n',
    ),
  );
  expect(await create('--amount', '100', '--reference', 'p-1')).toEqual(
    ok(expect.stringMatching(/^payout \d+ is recorded: transfer 100\.00 to CBU \d{22}\n$/)),
  );
  const [again, more, both, neither, wrong] = await Promise.all([
    create('--amount', '100', '--reference', 'p-1'),
    create('--amount', '0.51', '--reference', 'p-2'),
    create('--amount', '1', '--all', '--reference', 'p-3'),
    create('--reference', 'p-4'),
    run('accounts', 'set', testAccount, '--cbu', ''),
  ]);
  expect(again).toEqual(ok(expect.stringContaining('was already made')));
  expect(more).toEqual(failed(expect.stringContaining('0.50 available')));
  expect([both?.code, neither?.code]).toEqual([2, 2]);
  expect(wrong).toEqual(misused('The CBU must have 22 digits.'));
  const [row] = json(await run('payouts', 'list', ...account, '--json'));
  expect(row).toMatchObject({ reference: 'p-1', state: 'sent', amount: '100.00', cbu });
  const back = ['payouts', 'return', String(row.id), ...account, '--reason', 'account closed'];
  expect(await run(...back)).toEqual(ok(`payout ${row.id} is returned\n`));
  const [before, ...race] = await Promise.all([
    run(...back),
    create('--amount', '60', '--reference', 'p-5'),
    create('--amount', '60', '--reference', 'p-6'),
  ]);
  expect(before).toEqual(ok(`payout ${row.id} was already returned\n`));
  expect(race.map(({ code }) => code).toSorted()).toEqual([0, 1]);
  expect(await player.balances()).toEqual([40.5, 0]);
  const page = (...args: string[]) => run('payouts', 'list', ...account, '--json', ...args);
  const [first, rest, none, nobody] = await Promise.all([
    page('--limit', '1'),
    page('--after', String(row.id)),
    page('--limit', '0'),
    run('payouts', 'list', '--account', 'FFFFFFFF'),
  ]);
  expect(json(first)).toMatchObject([{ id: row.id }]);
  expect(json(rest)).toMatchObject([{ amount: '60.00' }]);
  expect(none).toEqual(misused('from 1 to 10000'));
  expect(nobody).toEqual(failed('There is no account with this id.\n'));
});

test('writes an event only when `accounts set` changes something, and rejects invalid values', async () => {
  const set = (...args: string[]) => run('accounts', 'set', testAccount, ...args);
  const changes = ['--no-cbu', '--returns-fees', 'no', '--card-cut-day', '31'];
  const limits = ['--letters-a-day', '3', '--letters-a-minute', '0'];
  expect((await set(...changes, ...limits)).stdout).toBe(
    'payouts go to no CBU\nrefunds and chargebacks keep fees\n' +
      'refunds may not exceed the balance\nlate approvals are kept\n' +
      'card debits of a month close after day 31\n' +
      'signing e-mails to one address per day: 3\nsigning e-mails per minute: no limit\n' +
      'unsigned mandates: default\n',
  );
  expect((await set('--no-cbu')).code).toBe(0);
  expect((await set('--letters-a-day', 'standard')).stdout).toContain('per day: default');
  const events = await service.sql`
    select version, type, actor, data from events
    where account_id = ${testAccount} and entity = 'account' order by version`;
  expect(events.slice(1)).toEqual([
    {
      version: 2,
      type: 'account.changed',
      actor: expect.stringMatching(/^operator:[^@]+@[^:]+:accounts set$/),
      data: expect.objectContaining({ payout_cbu: cbu, returns_fees: true, card_cut_day: null }),
    },
    {
      version: 3,
      type: 'account.changed',
      actor: expect.stringMatching(/^operator:[^@]+@[^:]+:accounts set$/),
      data: {
        payout_cbu: null,
        returns_fees: false,
        refunds_below_zero: false,
        returns_late_approvals: false,
        refund_approval_above: null,
        card_cut_day: 31,
        letters_a_day: 3,
        letters_a_minute: 0,
        unsigned_mandates: null,
        before: expect.objectContaining({ payout_cbu: cbu, returns_fees: true }),
      },
    },
    {
      version: 4,
      type: 'account.changed',
      actor: expect.stringMatching(/^operator:[^@]+@[^:]+:accounts set$/),
      data: expect.objectContaining({ letters_a_day: null, letters_a_minute: 0 }),
    },
  ]);
  const [nobody, maybe, late, many] = await Promise.all([
    run('accounts', 'set', 'FFFFFFFF', '--no-cbu'),
    set('--returns-fees', 'maybe'),
    set('--card-cut-day', '32'),
    set('--unsigned-mandates', '-1'),
  ]);
  expect(many).toEqual(misused('from 0 to 1000000000'));
  expect(late).toEqual(misused('1 to 31'));
  expect(nobody).toEqual(failed('There is no account with this id.\n'));
  expect(maybe).toEqual(misused('yes, no'));
});

test('books refunds and chargebacks once, in part or whole', async () => {
  const id = await player.create({ first_total: 100 });
  await player.pay(id);
  await player.pay(id);
  const tell = (kind: string, reference: string, ...args: string[]) =>
    run(
      ...['collections', kind, ...account, '--request', String(id), '--reference', reference],
      ...['--reason', 'agreed with the payer', ...args],
    );
  const part = await tell('refund', 'r-1', '--amount', '40');
  expect(part).toEqual(
    ok(expect.stringMatching(/^refund r-1 of request \d+ is recorded as result \d+\n$/)),
  );
  expect((await tell('refund', 'r-1', '--amount', '40')).stdout).toContain('already recorded');
  const [collected] = (await player.get(id)).request_result;
  expect((await tell('chargeback', 'c-1', '--result', String(collected.id))).code).toBe(0);
  const [high, clash, unknown, amount] = await Promise.all([
    tell('refund', 'r-2', '--amount', '60.01'),
    tell('refund', 'c-1'),
    tell('refund', 'r-3', '--result', '999999999'),
    tell('chargeback', 'c-2', '--amount', '1'),
  ]);
  expect(high).toEqual(failed(expect.stringContaining('exceeds what is left')));
  expect(clash).toEqual(failed(expect.stringContaining('already belongs to another movement')));
  expect(unknown).toEqual(failed(expect.stringContaining('no collected payment')));
  expect(amount.code).toBe(2);
  const { state, request_result } = await player.get(id);
  expect(state).toBe('paid');
  expect(request_result.slice(2)).toMatchObject([
    { type: 'refund_payment_request_result', amount: 40, state_comment: 'agreed with the payer' },
    { type: 'chargeback_payment_request_result', amount: 100 },
  ]);
});

test('lists, assigns and returns money in suspense once, and passes the audit afterwards', async () => {
  const money = (code: string) => ({
    reason: 'unreadable_code' as const,
    channel: 'non_banking' as const,
    label: 'Pago Fácil',
    code,
    amount: centavos(12_345),
    paidAt: service.service.parts.clocks.business.now(),
    source: 'pago_facil',
    sourceRef: code,
  });
  await suspend(service.service.parts.base)([money('a'), money('b')]);
  const listed = json(await run('suspense', 'list', '--json'));
  expect(listed).toMatchObject([
    {
      state: 'open',
      reason: 'unreadable_code',
      channel: 'Pago Fácil',
      code: 'a',
      amount: '123.45',
    },
    { code: 'b', source: 'pago_facil b' },
  ]);
  const [first, second] = listed.map((row: { id: number }) => String(row.id));
  const behind = await run('suspense', 'list', '--json', '--after', first, '--limit', '5');
  expect(json(behind)).toMatchObject([{ code: 'b' }]);
  const request = await player.create();
  const to = [...account, '--request', String(request), '--reason', 'he showed his receipt'];
  expect(await run('suspense', 'assign', first, ...to)).toEqual(
    ok(`payment ${first} is assigned to request ${request} of account ${testAccount}\n`),
  );
  const back = ['suspense', 'return', second, '--reason', 'by transfer'];
  expect(await run(...back)).toEqual(ok(`payment ${second} is returned\n`));
  const [again, gone, open, all, audit, own] = await Promise.all([
    run('suspense', 'assign', second, ...to),
    run('suspense', 'return', '999999999', '--reason', 'x'),
    run('suspense', 'list'),
    run('suspense', 'list', '--all', '--json'),
    run('audit'),
    run('audit', '--account', '00000000'),
  ]);
  expect(again).toEqual(failed(expect.stringContaining('it was returned')));
  expect(gone).toEqual(failed('There is no payment in suspense with this id.\n'));
  expect(open).toEqual(ok('none\n'));
  expect(json(all).map((row: { state: string }) => row.state)).toEqual(['assigned', 'returned']);
  expect([audit, own]).toEqual([ok('1 accounts add up\n'), ok('1 accounts add up\n')]);
  expect((await player.get(request)).state).toBe('paid');
});

test('refuses to create an account with the id of the operator’s own books', async () => {
  const taken = await run(
    ...['accounts', 'create', '--name', 'x', '--cuit', '30999999995', '--id', '00000000'],
  );
  expect(taken).toEqual(failed(expect.stringContaining("operator's own")));
});
