import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type DebitOffice,
  openDebitOffice,
  referenceOf,
} from '../harness/builders/debit-office.ts';
import { signedAdhesion } from '../harness/builders/mandates.ts';
import { startService, type TestService } from '../harness/service.ts';
import { bank350Lines } from '../rails/debit-files.ts';
import { withoutWorker } from '../scenarios/play.ts';
import { type Ran, recaudo } from './run.ts';

let service: TestService;
let office: DebitOffice;
let run: (...args: string[]) => Promise<Ran>;
beforeAll(async () => {
  service = await startService(withoutWorker);
  office = await openDebitOffice(service);
  run = (...args) => recaudo(args, { DATABASE_URL: service.databaseUrl });
});
afterAll(async () => {
  expect(await office.faults()).toEqual([]);
  await office.close();
  await service.stop();
});

test('lets an operator export debits, import the answer, and see what needs attention', async () => {
  const nothing = await run('rails', 'export', 'direct-debit-350', '--out', office.folder);
  expect(nothing.stdout).toBe('no debit is waiting for this file, so none was written\n');
  const adhesion = await signedAdhesion(service);
  const ids = [await office.debit(adhesion), await office.debit(adhesion)];
  await office.handOver();
  const out = await run('rails', 'export', 'direct-debit-350', '--out', office.folder);
  const name = `${office.folder}/DD0515${office.date()}.txt`;
  expect([out.code, out.stderr, out.stdout]).toEqual([0, '', `${name}\n2 debits, 2861.00\n`]);
  const again = await run('rails', 'export', 'direct-debit-350', '--out', office.folder);
  expect(again.stdout).toBe(`${name}\n2 debits, 2861.00, unchanged from the first export\n`);
  // Each export of the file is recorded as an event.
  const taken = await service.sql`
    select actor, data from operator_events where type = 'rail_file.handed_over' order by id`;
  const told = {
    actor: expect.stringMatching(/^operator:/),
    data: { rail: 'direct-debit-350', file: path.basename(name) },
  };
  expect(taken).toEqual([told, told]);

  const answer = (no: number, over: object) => ({
    reference: referenceOf(ids[no] ?? 0),
    amount: 143_050,
    ...over,
  });
  const file = await office.write(
    bank350Lines(office.date(), [
      answer(0, {}),
      answer(1, { type: '0360', code: 'R02' }),
      { reference: '999', amount: 250 },
    ]),
  );
  const first = await run('rails', 'import', 'direct-debit-350', file);
  const [id = ''] = /\d+/.exec(first.stdout) ?? [];
  expect([first.code, first.stderr, first.stdout]).toEqual([
    0,
    '',
    [
      `file ${id} is imported`,
      'lines                3, 2863.50',
      'paid                 1, 1430.50',
      '  amount differs     0',
      'rejected             1',
      '  to be retried      0',
      'still in process     0',
      '  code R02           1',
      'reversed             0',
      'mandates closed      1',
      'instruments changed  0',
      '  unusable           0',
      'reported before      0',
      'contradictions       0',
      'unclear              0',
      'unknown reference    1',
      'unknown mandate      0',
      'nothing to reverse   0',
      'notices              0',
      'suspense             1, 2.50',
      '',
    ].join('\n'),
  ]);
  // A rail allows one import at a time.
  const known = await run('rails', 'import', 'direct-debit-350', file);
  const [json, shown, listed, wrong] = await Promise.all([
    run('rails', 'import', 'direct-debit-350', file, '--json'),
    run('rails', 'show', id, '--json'),
    run('rails', 'list', '--json'),
    run('rails', 'import', 'rdebliqc', file),
  ]);
  expect(known.stdout).toContain(`this file was already imported as ${id}; nothing changed\n`);
  expect(JSON.parse(json.stdout)).toMatchObject({
    outcome: 'known',
    paid: 1,
    paid_total: '1430.50',
    codes: { R02: 1 },
  });
  expect(JSON.parse(shown.stdout)).toMatchObject([
    {
      line: 3,
      outcome: 'rejected',
      remarks: 'closes_mandate',
      reason: expect.stringContaining('R02'),
    },
    { line: 4, outcome: 'suspense', remarks: 'unknown_reference', code: '999', amount: '2.50' },
  ]);
  expect(JSON.parse(listed.stdout)).toMatchObject([
    { rail: 'direct-debit-350', direction: 'in', state: 'imported', lines: 3, suspense: 1 },
    { rail: 'direct-debit-350', direction: 'out', state: 'exported', lines: 2, suspense: null },
  ]);
  expect(wrong.code).not.toBe(0);
  expect(wrong.stderr).toContain('line 1');
});
