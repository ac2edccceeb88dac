import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Office, openOffice } from '../harness/builders/office.ts';
import { program } from '../harness/built.ts';
import { testVaultKeys } from '../harness/keys.ts';
import { startService, type TestService } from '../harness/service.ts';
import { file, linkLines, type Payment, pmcLines } from '../rails/files.ts';
import { playerOf, withoutWorker } from '../scenarios/play.ts';
import { type Ran, recaudo } from './run.ts';

let service: TestService;
let office: Office;
let run: (...args: string[]) => Promise<Ran>;
beforeAll(async () => {
  service = await startService(withoutWorker);
  office = await openOffice(service);
  run = (...args) => recaudo(args, { DATABASE_URL: service.databaseUrl });
});
afterAll(async () => {
  expect(await office.faults()).toEqual([]);
  await office.close();
  await service.stop();
});

const paying = (code: string, paidOn = office.compact()): Payment => ({
  code,
  amount: 143_050,
  paidOn,
});

test('reports an import and its repetition, also in `list` and `show`', async () => {
  const made = await office.request();
  const payments = [paying(made.code), paying(made.code), { ...paying('999'), amount: 250 }];
  const from = await office.write(file(pmcLines(office.compact(), payments)));
  const first = await run('rails', 'import', 'pmc', from);
  expect([first.code, first.stderr]).toEqual([0, '']);
  const [id = ''] = /\d+/.exec(first.stdout) ?? [];
  expect(first.stdout).toBe(
    [
      `file ${id} is imported`,
      'payments              3, 2863.50',
      'collected             2, 2861.00',
      '  late                0',
      '  duplicate           1',
      '  amount differs      0',
      '  control characters  0',
      'suspense              1, 2.50',
      '  unreadable code     0',
      '  unknown request     1',
      '',
    ].join('\n'),
  );
  const [again, json, listed, shown, only, suspense] = await Promise.all([
    run('rails', 'import', 'pmc', from),
    run('rails', 'show', id, '--json'),
    run('rails', 'list', '--json'),
    run('rails', 'show', id),
    run('rails', 'show', id, '--remark', 'duplicate', '--json'),
    run('suspense', 'list', '--json'),
  ]);
  expect(again.stdout).toContain(`this file was already imported as ${id}; nothing changed\n`);
  expect(JSON.parse(json.stdout)).toEqual([
    {
      line: 3,
      outcome: 'collected',
      remarks: 'duplicate',
      account: 'A1B2C3D4',
      request: made.id,
      code: made.code,
      amount: '1430.50',
      paid_at: `${office.today}T00:00:00-03:00`,
      reason: null,
    },
    expect.objectContaining({ line: 4, outcome: 'suspense', account: null, code: '999' }),
  ]);
  expect(JSON.parse(only.stdout)).toHaveLength(1);
  expect(shown.stdout).toContain('unknown_request');
  expect(JSON.parse(listed.stdout)).toEqual([
    expect.objectContaining({
      id: Number(id),
      rail: 'pmc',
      state: 'imported',
      lines: 3,
      suspense: 1,
    }),
  ]);
  expect(JSON.parse(suspense.stdout)).toEqual([
    expect.objectContaining({ code: '999', amount: '2.50', reason: 'unknown_request' }),
  ]);
});

test('explains a failure and exits 1, or 2 for misuse', async () => {
  const wrong = await office.write(
    file(pmcLines(office.compact(-1), [paying('1')], { company: '0999' })),
  );
  const none = path.join(office.folder, 'none');
  const ran = await Promise.all([
    run('rails', 'import', 'pmc', wrong),
    run('rails', 'import', 'pmc', none),
    run('rails', 'import', 'pmc', office.folder),
    run('rails', 'import', 'telegraph', wrong),
    run('rails', 'export', 'pmc', '--date', '31-02-2026'),
    run('rails', 'export', 'pmc', '--out', none),
    run('rails', 'export', 'rapipago'),
    run('rails', 'show', '424242'),
  ]);
  expect(ran.map(({ code }) => code)).toEqual([1, 1, 1, 2, 2, 1, 2, 1]);
  // The listing includes failed files.
  const [, , listed, ...others] = ran.map(({ stdout }) => stdout);
  expect(listed).toMatch(/failed .*found "0999", expected 0515/);
  expect(others.join('')).toBe('');
  const [company, missing, folder, rail, day, out, inbound, show] = ran.map(({ stderr }) => stderr);
  expect(company).toMatch(/line 1, columns 5-8 \(company\): found "0999", expected 0515/);
  expect(missing).toBe(`error: ${none} is not a readable file.\n`);
  expect(folder).toBe('');
  expect(rail).toContain('pago-facil, rapipago, pmc, link');
  expect(day).toContain('does not exist');
  expect(out).toBe(`error: There is no directory ${none}.\n`);
  expect(inbound).toContain('pmc, link');
  expect(show).toBe('error: There is no file with this id.\n');
});

test('exports the files of the day, names them and records their handover', async () => {
  const made = await office.request();
  await playerOf(service).move({ days: 1 });
  const ran = await run('rails', 'export', 'link', '--out', office.folder);
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  const [refresh = '', control = '', summary] = ran.stdout.split('\n');
  expect(await readFile(refresh, 'latin1')).toContain(made.code);
  expect(await readFile(control, 'latin1')).toContain(path.basename(refresh));
  expect(summary).toBe('1 payment requests, 1430.50');
  const taken = await service.sql<{ data: unknown }[]>`
    select data from operator_events where type = 'rail_file.handed_over' order by id`;
  expect(taken.map(({ data }) => data)).toEqual(
    [refresh, control].map((one) => ({ rail: 'link', file: path.basename(one) })),
  );
});

test('resumes a killed import without recording a payment twice', async () => {
  const made = await Promise.all([office.request(), office.request()]);
  const [early, late] = made;
  if (!early || !late) throw new Error('nothing to pay');
  const payments = Array.from({ length: 4_000 }, (_none, index) =>
    paying(index < 3_000 ? early.code : late.code),
  );
  const from = await office.write(file(linkLines(office.compact(), payments)));
  const recorded = async (): Promise<number> => {
    const [row] = await service.sql<{ count: number }[]>`
      select count(*) as count from results where request_id = any(${made.map(({ id }) => id)}::bigint[])`;
    return row?.count ?? 0;
  };

  // Locks a request of the last thousand lines, so that the import waits there.
  const holding = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const held = service.sql.begin(async (tx) => {
    await tx`select from requests where id = ${late.id} for update`;
    holding.resolve();
    await letGo.promise;
  });
  await holding.promise;
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn(process.execPath, [program, 'rails', 'import', 'link', from], {
    env: { PATH, HOME, DATABASE_URL: service.databaseUrl, VAULT_KEYS: testVaultKeys },
    stdio: 'ignore',
  });
  const closed = once(child, 'close');
  await vi.waitFor(async () => expect(await recorded()).toBe(3_000), {
    timeout: 60_000,
    interval: 20,
  });
  child.kill('SIGKILL');
  expect(await closed).toEqual([null, 'SIGKILL']);
  letGo.resolve();
  await held;

  const again = await run('rails', 'import', 'link', from);
  expect([again.code, again.stderr]).toEqual([0, '']);
  expect(again.stdout).toMatch(/is imported\npayments +4000, /);
  expect(again.stdout).toMatch(/duplicate +3998\n/);
  expect(await recorded()).toBe(4_000);
});
