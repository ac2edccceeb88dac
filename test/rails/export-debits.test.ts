import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testOperator } from '../harness/actors.ts';
import { advance } from '../harness/builders/clock.ts';
import {
  type DebitOffice,
  openDebitOffice,
  referenceOf,
  submitted,
} from '../harness/builders/debit-office.ts';
import { signedAdhesion, signedCardAdhesion } from '../harness/builders/mandates.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';
import { otherCbu, someCbu } from './debit-files.ts';
import { columns } from './debit-samples.ts';

let service: TestService;
let office: DebitOffice;
beforeAll(async () => {
  service = await startService(withoutWorker);
  office = await openDebitOffice(service);
});
afterAll(async () => {
  expect(await office.faults()).toEqual([]);
  await office.close();
  await service.stop();
});

const runsOf = (ids: number[]) =>
  service.sql<{ state: string; file_id: number | null }[]>`
    select state, file_id from debit_runs where request_id = any(${ids}::bigint[])
    order by request_id`;

/** Returns the references in a file of 350 characters. */
const referencesIn = (lines: string[]): string[] =>
  lines.slice(1, -1).map((line) => columns(line, 53, 67));

test('exports bank debits once, and rewrites their file with the same bytes', async () => {
  const adhesion = await signedAdhesion(service);
  const other = await signedAdhesion(service, { cbu_number: otherCbu });
  const ids = [await office.debit(adhesion), await office.debit(other, { first_total: 0.01 })];
  expect((await office.export('direct-debit-350')).outcome).toBe('nothing');
  await office.handOver();
  const first = await office.export('direct-debit-350');
  expect(first).toMatchObject({
    outcome: 'exported',
    files: [{ file: { state: 'exported', lines: 2, total: 143_051 } }],
  });
  const [written] = first.files;
  if (!written) throw new Error('no file');
  const lines = await office.read(written.path);
  expect(referencesIn(lines)).toEqual(ids.map((id) => referenceOf(id)));
  expect(columns(lines[1] ?? '', 27, 52)).toBe(`0${someCbu.slice(0, 8)}000${someCbu.slice(8)}`);
  const { id } = written.file;
  expect((await runsOf(ids)).map(({ file_id }) => file_id)).toEqual([id, id]);

  // Days pass after the account changed; the simulator leaves exported debits to the bank.
  const replaced = await office.books.replaceInstrument({
    key: { accountId: testAccount, kind: 'adhesion', id: adhesion },
    instrument: { type: 'cbu', cbu: '0110012920000091344977' },
    actor: testOperator,
  });
  expect(replaced).toBe('replaced');
  const day = office.today();
  await advance(service, { days: 10 });
  expect((await runsOf(ids)).map(({ state }) => state)).toEqual(['submitted', 'submitted']);
  const again = await office.export('direct-debit-350', { date: day });
  expect(again).toMatchObject({ outcome: 'again', files: [{ file: { id } }] });
  expect(await office.read(again.files[0]?.path ?? '')).toEqual(lines);
});

test('exports later submissions in another file of the day, on demand', async () => {
  const one = await submitted(service.sql, { count: 1, today: office.today(), adhesion: 900 });
  await office.export('direct-debit-220');
  const two = await submitted(service.sql, { count: 1, today: office.today(), adhesion: 900 });
  const again = await office.export('direct-debit-220');
  expect([
    again.outcome,
    (await runsOf([one, two])).map(({ file_id }) => file_id !== null),
  ]).toEqual(['again', [true, false]]);
  const another = await office.export('direct-debit-220', { another: true });
  expect(another.files.map((one) => path.basename(one.path))).toEqual([
    `DA00515${office.date()}-2.txt`,
  ]);
  const both = await office.export('direct-debit-220');
  expect([both.outcome, both.files.length]).toEqual(['again', 2]);
});

test('exports each card in the file of its product, and stores no number in the file’s record', async () => {
  const cards = ['4507990000004905', '4517721004856075', '5299910010000015', '373953192351004'];
  const ids: number[] = [];
  for (const card_number of cards) {
    ids.push(await office.cardDebit(await signedCardAdhesion(service, { card_number })));
  }
  await office.handOver();
  const files = await Promise.all(
    ['debliqc', 'debliqd', 'deblimc'].map((name) => office.export(name)),
  );
  const found = await Promise.all(
    files.map(async ({ files: [one] }) => await office.read(one?.path ?? '')),
  );
  expect(found.map((lines) => lines.map((line) => line.length))).toEqual(
    Array.from({ length: 3 }, () => [100, 100, 100]),
  );
  expect(found.map(([, line = '']) => [columns(line, 2, 17), columns(line, 56, 70)])).toEqual(
    cards.slice(0, 3).map((card, at) => [card, referenceOf(ids[at] ?? 0)]),
  );
  expect((await runsOf(ids)).map(({ file_id }) => file_id)).toEqual([
    ...files.map(({ files: [one] }) => one?.file.id),
    null,
  ]);
  const stored = await service.sql`select row_to_json(f)::text as text from rail_files f`;
  expect(JSON.stringify(stored)).not.toMatch(/4507990000004905|4517721004856075/);
});

test('never shares a debit between concurrent exports', async () => {
  await submitted(service.sql, { count: 50, today: office.today(), adhesion: 901 });
  await advance(service, { days: 1 });
  await submitted(service.sql, { count: 50, today: office.today(), adhesion: 901 });
  const outcomes = await Promise.all([
    office.export('direct-debit-350'),
    office.export('direct-debit-350', { another: true }),
    office.export('direct-debit-220'),
    office.export('direct-debit-220', { another: true }),
  ]);
  const lines = outcomes
    .filter(({ outcome }) => outcome === 'exported')
    .flatMap(({ files }) => files.map(({ file }) => file.lines));
  expect(lines).toEqual([100]);
});

test('leaves out a debit that does not fit, with the reason, and exports the others', async () => {
  const first = await submitted(service.sql, { count: 3, today: office.today(), adhesion: 902 });
  await service.sql`
    update debit_runs set amount = 100000000000000 where request_id = ${first + 1}`;
  await service.sql`update requests set total1 = 100000000000000 where id = ${first + 1}`;
  await advance(service, { days: 1 });
  const { outcome, files, leftOut } = await office.export('direct-debit-350');
  expect([outcome, files.map(({ file }) => file.lines)]).toEqual(['exported', [2]]);
  expect(leftOut).toEqual([
    {
      accountId: testAccount,
      requestId: first + 1,
      reason: expect.stringContaining('"100000000000000" does not fit'),
    },
  ]);
  const id = files[0]?.file.id ?? 0;
  const ids = (await runsOf([first, first + 1, first + 2])).map(({ file_id }) => file_id);
  expect(ids).toEqual([id, null, id]);
  const before = await readdir(office.folder);
  const none = await office.export('direct-debit-220');
  expect([none.outcome, none.leftOut.length]).toEqual(['nothing', 1]);
  expect(await readdir(office.folder)).toEqual(before);
  await service.sql`update debit_runs set amount = 5 where request_id = ${first + 1}`;
  await service.sql`update requests set total1 = 5 where id = ${first + 1}`;
  const after = await office.export('direct-debit-350', { another: true });
  expect([after.outcome, after.files[0]?.file.lines]).toEqual(['exported', 1]);
});

test('does not export a debit that the bank has already answered', async () => {
  const first = await submitted(service.sql, { count: 2, today: office.today(), adhesion: 904 });
  await service.sql`
    update debit_runs set code = 'R10' where account_id = ${testAccount} and request_id = ${first}`;
  const { outcome, files } = await office.export('direct-debit-350', { another: true });
  expect([outcome, files[0]?.file.lines]).toEqual(['exported', 1]);
  const [answered, other] = await runsOf([first, first + 1]);
  expect([answered?.file_id, other?.file_id]).toEqual([null, files[0]?.file.id]);
  await service.sql`
    update debit_runs set code = null where account_id = ${testAccount} and request_id = ${first}`;
});

test('refuses to export debits in a file dated other than today', async () => {
  await submitted(service.sql, { count: 1, today: office.today(), adhesion: 903 });
  for (const days of [-400, 1]) {
    const date = office.today().add({ days });
    await expect(office.export('direct-debit-350', { date })).rejects.toThrow(
      'debits can only go out in a file dated today',
    );
  }
});

test('does not rewrite a file whose content would now differ', async () => {
  await advance(service, { days: 1 });
  const first = await office.export('direct-debit-350');
  expect(first.outcome).toBe('exported');
  await expect(
    office.export('direct-debit-350', { terms: { directDebitService: '0516' } }),
  ).rejects.toThrow(/would be different now.* Nothing was written\.$/);
  await expect(
    office.export('direct-debit-350', { terms: { directDebitService: '05161234567890' } }),
  ).rejects.toThrow(/ Nothing was written\. .*expected\.$/);
});

test('gives an overdue debit the date of its file', async () => {
  const late = await submitted(service.sql, { count: 1, today: office.today(), adhesion: 904 });
  await service.sql`
    update debit_runs set submit_on = ${office.today()}::date - 5,
      run_on = ${office.today()}::date - 3
    where request_id = ${late}`;
  const { files } = await office.export('direct-debit-350', { another: true });
  const lines = await office.read(files[0]?.path ?? '');
  expect(columns(lines[1] ?? '', 68, 75)).toBe(office.date());
});
