import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Made, type Office, openOffice } from '../harness/builders/office.ts';
import { startService, type TestService } from '../harness/service.ts';
import { file, type Payment, pmcLines } from '../rails/files.ts';
import { withoutWorker } from '../scenarios/play.ts';
import { type Ran, recaudo } from './run.ts';

let service: TestService;
let office: Office;
let folder: string;
let run: (...args: string[]) => Promise<Ran>;
let made: Made[];
let known: number;
beforeAll(async () => {
  service = await startService(withoutWorker);
  office = await openOffice(service);
  run = (...args) => recaudo(args, { DATABASE_URL: service.databaseUrl });
  folder = await mkdtemp(path.join(office.folder, 'came-'));
  made = await Promise.all([office.request(), office.request(), office.request()]);
});
afterAll(async () => {
  expect(await office.faults()).toEqual([]);
  await office.close();
  await service.stop();
});

const payment = ({ code }: Made): Payment => ({
  code,
  amount: 143_050,
  paidOn: office.compact(),
});

/** A day's file that pays these requests. */
const paying = (day: number, requests: Made[], options = {}): string =>
  file(pmcLines(office.compact(day), requests.map(payment), options));

const put = (name: string, content: string): Promise<void> =>
  writeFile(path.join(folder, name), content, 'latin1');

const paidTimes = async (): Promise<number[]> =>
  await Promise.all(
    made.map(async ({ id }) => {
      const [row] = await service.sql<{ count: number }[]>`
        select count(*)::int as count from results where request_id = ${id}`;
      return row?.count ?? 0;
    }),
  );

const states = async (): Promise<string[]> => {
  const rows = await service.sql<{ name: string; state: string }[]>`
    select name, state from rail_files order by id`;
  return rows.map(({ name, state }) => `${name} ${state}`);
};

const told = ({ stdout }: Ran): unknown[] =>
  JSON.parse(stdout).map(({ file: name, outcome, id, lines, fault }: Record<string, unknown>) => [
    name,
    outcome,
    typeof id,
    lines,
    fault,
  ]);

test('lists new, already imported, bad and skipped files, and imports only the new ones', async () => {
  const [first, second, third] = made as [Made, Made, Made];
  await put('01-known.txt', paying(-3, [first]));
  const alone = await run('rails', 'import', 'pmc', path.join(folder, '01-known.txt'), '--json');
  known = JSON.parse(alone.stdout).id;
  const whole = paying(-1, [second, third]);
  await put('02-cut.txt', whole.slice(0, whole.length - 70));
  await put('03-good.txt', paying(-2, [second, { ...second, code: '999' }]));
  await put('04-other-company.txt', paying(0, [second], { company: '0999' }));
  await put('05-same-day.txt', paying(-2, [third]));
  await put('06-empty.txt', '');
  await put('07-miscounted.txt', paying(-1, [third]).replace(/^(9400.{12})0000001/m, '$10000002'));
  await put('08-good.txt', paying(-1, [third]));
  await mkdir(path.join(folder, '09-older'));
  await put('.10-hidden.txt', paying(-9, [third]));
  const linked = await office.write(paying(-4, [first]));
  await symlink(linked, path.join(folder, '11-linked.txt'));
  await symlink(path.join(folder, 'gone'), path.join(folder, '12-dangling.txt'));

  const ran = await run('rails', 'import', 'pmc', folder, '--json');
  expect([ran.code, ran.stderr]).toEqual([1, '']);
  expect(told(ran)).toEqual([
    ['01-known.txt', 'known', 'number', 1, null],
    ['02-cut.txt', 'failed', 'object', null, expect.stringMatching(/line \d+/)],
    ['03-good.txt', 'imported', 'number', 2, null],
    ['04-other-company.txt', 'failed', 'object', null, expect.stringContaining('expected 0515')],
    ['05-same-day.txt', 'failed', 'object', null, expect.stringContaining('--same-day')],
    ['06-empty.txt', 'failed', 'object', null, expect.stringMatching(/\w/)],
    ['07-miscounted.txt', 'failed', 'object', null, expect.stringMatching(/line 3, columns/)],
    ['08-good.txt', 'imported', 'number', 1, null],
    ['09-older', 'skipped', 'object', null, 'This is a folder. Import it separately.'],
    ['11-linked.txt', 'imported', 'number', 1, null],
    ['12-dangling.txt', 'failed', 'object', null, expect.stringContaining('no such file')],
  ]);
  expect(JSON.parse(ran.stdout)[0].id).toBe(known);
  // The known file and the linked file each paid the first request once.
  expect(await paidTimes()).toEqual([2, 1, 1]);
  expect(await states()).toEqual([
    '01-known.txt imported',
    '03-good.txt imported',
    '08-good.txt imported',
    '11-linked.txt imported',
  ]);
  const [suspense] = await service.sql`select count(*)::int as count from suspense`;
  expect(suspense?.count).toBe(1);
});

test('changes nothing on a second run, and exits 0 once the bad files are corrected or removed', async () => {
  const before = [await paidTimes(), await office.counts()];
  const again = await run('rails', 'import', 'pmc', folder);
  expect([again.code, again.stderr]).toEqual([1, '']);
  const lines = again.stdout.split('\n');
  expect(lines[0]?.split(/\s+/)).toEqual(['file', 'outcome', 'id', 'lines', 'fault']);
  expect(lines.filter((line) => / known /.test(line))).toHaveLength(4);
  expect(lines.filter((line) => / failed /.test(line))).toHaveLength(6);
  expect([await paidTimes(), await office.counts()]).toEqual(before);

  for (const name of ['02-cut.txt', '04-other-company.txt', '05-same-day.txt', '06-empty.txt']) {
    await rm(path.join(folder, name));
  }
  await rm(path.join(folder, '12-dangling.txt'));
  const [, second] = made as [Made, Made, Made];
  await put('07-miscounted.txt', paying(0, [second]));
  const mended = await run('rails', 'import', 'pmc', folder, '--json');
  expect([mended.code, mended.stderr]).toEqual([0, '']);
  expect(told(mended).map((row) => (row as unknown[])[1])).toEqual([
    'known',
    'known',
    'imported',
    'known',
    'skipped',
    'known',
  ]);
  expect(await paidTimes()).toEqual([2, 2, 1]);
});

test('reports an empty folder, and imports nothing', async () => {
  const empty = await mkdtemp(path.join(office.folder, 'empty-'));
  const [text, json] = await Promise.all([
    run('rails', 'import', 'link', empty),
    run('rails', 'import', 'link', empty, '--json'),
  ]);
  expect([text.code, text.stdout]).toEqual([0, 'none\n']);
  expect([json.code, JSON.parse(json.stdout)]).toEqual([0, []]);
});

test('imports each file once in two concurrent runs', async () => {
  const both = await mkdtemp(path.join(office.folder, 'both-'));
  const fresh = await Promise.all([office.request(), office.request()]);
  await Promise.all(
    fresh.map((one, nth) =>
      writeFile(
        path.join(both, `${nth}.txt`),
        file(pmcLines(office.compact(-10 - nth), [payment(one)])),
      ),
    ),
  );
  const ran = await Promise.all(
    [1, 2].map(() => run('rails', 'import', 'pmc', both, '--json', '--same-day')),
  );
  const outcomes = ran.flatMap(({ stdout }) =>
    JSON.parse(stdout).map((row: { outcome: string }) => row.outcome),
  );
  expect(outcomes.filter((one) => one === 'imported')).toHaveLength(2);
  for (const { id } of fresh) {
    const [row] = await service.sql`
      select count(*)::int as count from results where request_id = ${id}`;
    expect(row?.count).toBe(1);
  }
  expect(await readFile(path.join(both, '0.txt'), 'latin1')).toContain(fresh[0]?.code);
});
