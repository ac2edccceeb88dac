import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Made, type Office, openOffice } from '../harness/builders/office.ts';
import { startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';
import { file, linkLines, type Payment, pagoFacilLines, pmcLines, rapipagoLines } from './files.ts';

let service: TestService;
let office: Office;
beforeAll(async () => {
  service = await startService(withoutWorker);
  office = await openOffice(service);
});
afterAll(async () => {
  expect(await office.faults()).toEqual([]);
  await office.close();
  await service.stop();
});

type Build = (date: string, payments: Payment[]) => string[];
const rails: [name: string, build: Build, code: (made: Made) => string, label: string][] = [
  ['pago-facil', pagoFacilLines, (made) => made.barcode, 'Pago Fácil'],
  ['rapipago', rapipagoLines, (made) => made.barcode, 'Rapipago'],
  ['pmc', pmcLines, (made) => made.code, 'Pago Mis Cuentas'],
  ['link', linkLines, (made) => made.code, 'Link Pagos'],
];

test('accepts a Pago Mis Cuentas file dated on the next accreditation day', async () => {
  const made = await office.request();
  const paid = { code: made.code, amount: 143_050, paidOn: office.compact() };
  const { file: kept } = await office.import(
    'pmc',
    await office.write(file(pmcLines(office.compact(3), [paid]))),
  );
  expect(kept.file_date).toEqual(office.today.add({ days: 3 }));
});

test('matches a payment code without a check digit only to the request that it was issued for', async () => {
  const [early, current] = [await office.request(), await office.request()];
  await service.sql`
    update requests set details = (details::jsonb - 'payment_code')::json where id = ${early.id}`;
  const plain = (id: number) => String(id).padStart(15, '0');
  const paid = [plain(early.id), plain(current.id), early.code].map((code) => ({
    code,
    amount: 143_050,
    paidOn: office.compact(),
  }));
  const { summary } = await office.import(
    'pmc',
    await office.write(file(pmcLines(office.compact(), paid))),
  );
  expect(summary).toMatchObject({ lines: 3, collected: 1, suspense: 2, unknown_request: 2 });
  const states = await service.sql<{ state: string }[]>`
    select state from requests where id = any(${[early.id, current.id]}) order by id`;
  expect(states.map((row) => row.state)).toEqual(['paid', 'pending']);
});

describe.each(rails)('a file of %s', (name, build, codeOf, label) => {
  test('pays its requests as of the days of payment, and dates the results today', async () => {
    const [first, second] = [await office.request(), await office.request({ first_total: 20.01 })];
    const paid = [
      { code: codeOf(first), amount: 143_050, paidOn: office.compact(-1), at: '2359' },
      { code: codeOf(second), amount: 2_001, paidOn: office.compact() },
    ];
    const { outcome, summary } = await office.import(
      name,
      await office.write(file(build(office.compact(), paid))),
    );
    expect([outcome, summary]).toEqual([
      'imported',
      {
        lines: 2,
        total: 145_051,
        collected: 2,
        collected_total: 145_051,
        late: 0,
        duplicate: 0,
        amount_differs: 0,
        control_characters: 0,
        suspense: 0,
        suspense_total: 0,
        unreadable_code: 0,
        unknown_request: 0,
      },
    ]);
    const time = name === 'pago-facil' ? '23:59:00' : '00:00:00';
    expect(await office.show(first.id)).toMatchObject({
      state: 'paid',
      request_result: [
        {
          type: 'collected_payment_request_result',
          channel: label,
          amount: 1430.5,
          paid_at: `${office.today.subtract({ days: 1 })}T${time}-03:00`,
          created_at: expect.stringContaining(`${office.today}T`),
        },
      ],
    });
    expect(await office.show(second.id)).toMatchObject({ state: 'paid' });
  });

  test('changes nothing when imported again, with any line endings', async () => {
    const made = await office.request();
    const lines = build(office.compact(), [
      { code: codeOf(made), amount: 143_050, paidOn: office.compact() },
      { code: '7', amount: 5, paidOn: office.compact() },
    ]);
    const first = await office.import(name, await office.write(file(lines)));
    const before = await office.counts();
    const endings = [
      file(lines),
      `${lines.join('\n')}\n`,
      lines.join('\r\n'),
      `${file(lines)}\r\n\x1a`,
    ];
    for (const content of endings) {
      const again = await office.import(name, await office.write(content));
      expect(again).toEqual({ ...first, outcome: 'known', file: expect.anything() });
      expect(again.file.id).toBe(first.file.id);
    }
    expect(await office.counts()).toEqual(before);
  });

  test('also imports a file without payments', async () => {
    const empty = await office.write(file(build(office.compact(-3), [])));
    const { summary } = await office.import(name, empty);
    expect([summary.lines, summary.total]).toEqual([0, 0]);
  });
});
