import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportFile, outboundRails } from '../../src/rails/index.ts';
import { writeFileAgain } from '../../src/rails/payments/export.ts';
import { testOperator } from '../harness/actors.ts';
import { type Made, type Office, openOffice } from '../harness/builders/office.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { untilWaiting } from '../harness/waiting.ts';
import { playerOf, withoutWorker } from '../scenarios/play.ts';
import { file, linkLines, pmcLines } from './files.ts';

let service: TestService;
/** Creates requests; `next` publishes them on the following day. */
let office: Office;
let next: Office;
let two: Made;
let plain: Made;
let noBank: Made;

const dayText = (days: number): string => {
  const [year, month, day] = office.today.add({ days }).toString().split('-');
  return `${day}-${month}-${year}`;
};

beforeAll(async () => {
  service = await startService(withoutWorker);
  office = await openOffice(service);
  two = await office.request({
    description: 'Cuota "Ñandú", año 2026.\nVer más en la página',
    second_due_date: dayText(20),
    second_total: 99_999_999.99,
  });
  plain = await office.request({ first_total: 0.01, excluded_channels: ['non_banking'] });
  noBank = await office.request({ excluded_channels: ['BANELCO_PMC', 'link_pagos'] });
  await office.request({ first_due_date: dayText(0) });
  await playerOf(service).move({ days: 1 });
  next = await openOffice(service);
  await next.request();
});
afterAll(async () => {
  await office.close();
  await next.close();
  await service.stop();
});

async function publish(
  name: string,
  {
    date = next.today,
    today = next.today,
  }: { date?: Temporal.PlainDate; today?: Temporal.PlainDate } = {},
) {
  const rail = outboundRails.find((one) => one.name === name);
  if (!rail) throw new Error(`no rail ${name}`);
  const directory = await mkdtemp(path.join(office.folder, 'out-'));
  const { base } = office.parts;
  const outcome = await exportFile(
    base,
    { rail, date, directory, actor: testOperator },
    { ...next.terms, today },
  );
  const paths = outcome.files.flatMap((one) => one.written);
  const written = await Promise.all(paths.map((one) => readFile(one, 'latin1')));
  const [first] = outcome.files;
  if (!first) throw new Error('no file');
  return {
    ...outcome,
    file: first.file,
    written: written.map((text) => {
      expect(text.endsWith('\r\n')).toBe(true);
      return text.slice(0, -2).split('\r\n');
    }),
    names: paths.map((one) => path.basename(one)),
    left: await readdir(directory),
  };
}

const part = (line: string | undefined, from: number, to: number): string | undefined =>
  line?.slice(from - 1, to);

describe('the publication of Pago Mis Cuentas', () => {
  test('contains the requests that are unpaid at the day’s start and payable through the channel', async () => {
    const { written, names, file: kept, left } = await publish('pmc');
    const [year = '', month, day] = next.today.toString().split('-');
    expect(names).toEqual([`FAC0515.${day}${month}${year.slice(2)}`]);
    expect(left).toEqual(names);
    const [lines = []] = written;
    expect(lines.map((line) => line.length)).toEqual([280, 280, 280, 280]);
    expect(lines[0]).toBe(`04000515${next.compact()}`.padEnd(280, '0'));
    expect(lines.slice(1, -1).map((line) => part(line, 2, 20))).toEqual(
      [two, plain].map(({ code }) => code.padEnd(19)),
    );
    expect(part(lines[3], 1, 41)).toBe(
      `94000515${next.compact()}00000020000000${'14305.1'.replace('.', '').padStart(11, '0')}`,
    );
    expect([kept.lines, kept.total, kept.state]).toEqual([2, 143_051, 'exported']);
  });

  test('puts codes, due dates, totals, messages and the barcode in their columns', async () => {
    const [lines = []] = (await publish('pmc')).written;
    const [, first, second] = lines;
    expect(part(first, 21, 41)).toBe(`${two.code.padEnd(20)}0`);
    expect(part(first, 42, 60)).toBe(`${office.compact(10)}00000143050`);
    expect(part(first, 61, 79)).toBe(`${office.compact(20)}09999999999`);
    expect(part(first, 80, 117)).toBe('0'.repeat(38));
    expect(part(first, 118, 136)).toBe(two.code.padEnd(19));
    expect(part(first, 137, 176)).toBe('COOPERATIVA DE DEMOSTRACION CUOTA NANDU ');
    expect(part(first, 177, 191)).toBe('CUOTA NANDU ANO');
    expect(part(first, 192, 251)).toBe(`${two.barcode} `);
    expect(part(first, 252, 280)).toBe('0'.repeat(29));
    expect(part(second, 61, 79)).toBe('0'.repeat(19));
    expect(part(second, 192, 251)).toBe(' '.repeat(60));
  });
});

test('writes Link’s Refresh, and a control file with its name and totals', async () => {
  const { written, names } = await publish('link');
  const [refresh = [], control = []] = written;
  const month = '123456789ABC'.charAt(next.today.month - 1);
  const day = String(next.today.day).padStart(2, '0');
  expect(names).toEqual([`P5151${month}${day}`, `C5151${month}${day}`]);
  expect(refresh.map((line) => line.length)).toEqual([131, 131, 131, 131]);
  expect(control.map((line) => line.length)).toEqual([75, 75, 75]);
  expect(refresh[0]).toBe(`HRFACTURACION515${next.compact().slice(2)}00001`.padEnd(131));
  expect(part(refresh[1], 1, 81)).toBe(
    `00001001${two.code.padStart(19, '0')}${office.compact(10).slice(2)}000000143050` +
      `${office.compact(20).slice(2)}009999999999${'0'.repeat(18)}`,
  );
  const totals = `${'143051'.padStart(18, '0')}${'9999999999'.padStart(18, '0')}${'0'.repeat(18)}`;
  expect(refresh[3]).toBe(`TRFACTURACION00000004${totals}`.padEnd(131));
  expect(control).toEqual([
    `HRPASCTRL${next.compact()}515P5151${month}${day}0000000532`.padEnd(75),
    `LOTES0000100000004${totals}   `,
    `FINAL00000004${totals}${office.compact(20)}`,
  ]);
});

test('serializes concurrent exports, and leaves one complete file', async () => {
  const directory = await mkdtemp(path.join(office.folder, 'both-'));
  const rail = outboundRails.find((one) => one.name === 'pmc');
  if (!rail) throw new Error('no rail');
  const order = { rail, date: next.today, directory, actor: testOperator };
  const { base } = office.parts;
  const writing = await base.sql.begin(async (tx) => {
    // Both exports start before either reads what to publish.
    await tx`lock table requests in access exclusive mode`;
    const both = [1, 2].map(() => exportFile(base, order, next.terms));
    for (const one of both) one.catch(() => {});
    await untilWaiting(service.sql, 2);
    return both;
  });
  const outcomes = await Promise.all(writing);
  const [one, other] = outcomes.map(({ files }) => files.map(({ file }) => file.id));
  expect(other).toEqual(one);
  const left = await readdir(directory);
  expect(left).toHaveLength(1);
  const text = await readFile(path.join(directory, left[0] ?? ''), 'latin1');
  expect(text.split('\r\n').slice(0, -1)).toEqual((await publish('pmc')).written[0]);
});

test('leaves one complete file when an export and a rewrite of its day run at once', async () => {
  const directory = await mkdtemp(path.join(office.folder, 'again-'));
  const rail = outboundRails.find((one) => one.name === 'pmc');
  if (!rail) throw new Error('no rail');
  const order = { rail, date: next.today, directory, actor: testOperator };
  const { base } = office.parts;
  const { files } = await exportFile(base, order, next.terms);
  const [first] = files;
  if (!first) throw new Error('no file');
  const [name = ''] = await readdir(directory);
  const before = await readFile(path.join(directory, name));
  const writing = await base.sql.begin(async (tx) => {
    await tx`lock table requests in access exclusive mode`;
    const both = [
      exportFile(base, order, next.terms),
      writeFileAgain(base, { rail, directory, file: first.file }, next.terms),
    ];
    for (const one of both) one.catch(() => {});
    await untilWaiting(service.sql, 2);
    return both;
  });
  await Promise.all(writing);
  expect(await readdir(directory)).toEqual([name]);
  expect(await readFile(path.join(directory, name))).toEqual(before);
});

test('writes a file with header and trailer for a day without requests', async () => {
  const date = office.today.subtract({ days: 30 });
  const { written } = await publish('link', { date });
  expect(written.map((lines) => lines.length)).toEqual([2, 3]);
  expect(part(written[1]?.[2], 68, 75)).toBe('00000000');
  expect((await publish('pmc', { date })).written[0]).toHaveLength(2);
});

test('produces identical bytes for a day, whatever happened since', async () => {
  const before = [await publish('pmc'), await publish('link')];
  const player = playerOf(service);
  await player.pay(two.id);
  await player.chargeback(two.id);
  await next.request();
  const expectSame = async () => {
    const after = [
      await publish('pmc', before[0]?.file.file_date && { date: before[0].file.file_date }),
      await publish('link', { date: next.today }),
    ];
    expect(after.map(({ written }) => written)).toEqual(before.map(({ written }) => written));
    expect(after.map((one) => one.file)).toEqual(before.map((one) => one.file));
  };
  await expectSame();
  await player.move({ days: 60 });
  const later = service.service.parts.clocks.business.today();
  for (const [index, name] of ['pmc', 'link'].entries()) {
    const again = await publish(name, { date: next.today, today: later });
    expect(again.written).toEqual(before[index]?.written);
    expect(again.file.id).toBe(before[index]?.file.id);
  }
});

test('refuses to publish a file for a future day', async () => {
  const date = service.service.parts.clocks.business.today().add({ days: 1 });
  await expect(publish('pmc', { date })).rejects.toThrow('The day of a publication must be today');
});

test('continues in further files beyond the trailer’s capacity', async () => {
  for (let made = 0; made < 11; made += 1) {
    await office.request({ first_total: 99_999_999.99, first_due_date: dayText(90) });
  }
  await playerOf(service).move({ days: 1 });
  const today = service.service.parts.clocks.business.today();
  const { files, written, names, left, leftOut } = await publish('pmc', { date: today, today });
  expect(leftOut).toEqual([]);
  expect(left.toSorted()).toEqual(names.toSorted());
  const [first = '', second = ''] = names;
  expect(second).toBe(first.replace('FAC0515', 'FAC0515-2'));
  for (const [index, lines] of written.entries()) {
    const told = Number(part(lines.at(-1), 31, 41));
    const added = lines.slice(1, -1).reduce((sum, line) => sum + Number(part(line, 50, 60)), 0);
    expect([told, lines.length - 2]).toEqual([added, files[index]?.file.lines]);
    expect(told).toBe(files[index]?.file.total);
  }
  const codes = written.flatMap((lines) => lines.slice(1, -1).map((line) => part(line, 2, 20)));
  expect(new Set(codes).size).toBe(codes.length);
  expect(codes.length).toBeGreaterThanOrEqual(11);
  const again = await publish('pmc', { date: today, today });
  expect(again.written).toEqual(written);
});

test('leaves out and reports a request that does not fit a line, and publishes the others', async () => {
  const player = playerOf(service);
  const [year] = next.today.toString().split('-');
  if (Number(year) > 2090) throw new Error('written for this century');
  const odd = await office.request({
    first_due_date: '20-12-2099',
    second_due_date: '31-12-2099',
    second_total: 2000,
  });
  // No call can create such a request any more.
  await service.sql`
    update requests set due2 = '2100-01-05', last_due = '2100-01-05' where id = ${odd.id}`;
  await service.sql`
    update request_states set last_due = '2100-01-05' where id = ${odd.id}`;
  const plainOne = await office.request({ first_due_date: dayText(90) });
  await player.move({ days: 1 });
  const today = service.service.parts.clocks.business.today();
  const { leftOut, written } = await publish('link', { date: today, today });
  expect(leftOut).toEqual([
    { accountId: testAccount, requestId: odd.id, reason: expect.stringContaining('2100') },
  ]);
  const all = written.flat().join('\n');
  expect(all).toContain(plainOne.code);
  expect(all).not.toContain(odd.code);
  expect((await publish('pmc', { date: today, today })).leftOut).toEqual([]);
});

test('imports published requests as paid under their published codes', async () => {
  const today = await openOffice(service);
  const made = await today.request();
  await playerOf(service).move({ days: 1 });
  const date = service.service.parts.clocks.business.today();
  const back = await openOffice(service);
  const [lines = []] = (await publish('link', { date, today: date })).written;
  const line = lines.find((one) => one.includes(made.code));
  const code = line?.slice(8, 27) ?? '';
  const paid = linkLines(back.compact(), [{ code, amount: 143_050, paidOn: back.compact() }]);
  await back.import('link', await back.write(file(paid)));
  expect((await back.show(made.id)).state).toBe('paid');
  const again = pmcLines(back.compact(), [{ code: made.code, amount: 1, paidOn: back.compact() }]);
  const { summary } = await back.import('pmc', await back.write(file(again)));
  expect(summary).toMatchObject({ collected: 1, duplicate: 1 });
  expect(noBank.id).toBeGreaterThan(0);
  await back.close();
  await today.close();
});
