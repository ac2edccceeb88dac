import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { encodeBarcode } from '../../src/kernel/barcode.ts';
import { centavos } from '../../src/kernel/money.ts';
import { readRemarkedLines } from '../../src/rails/files/named.ts';
import { type Office, openOffice } from '../harness/builders/office.ts';
import { startService, type TestService } from '../harness/service.ts';
import { playerOf, withoutWorker } from '../scenarios/play.ts';
import { file, linkLines, pagoFacilLines, pmcLines, rapipagoLines } from './files.ts';

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

const remarksOf = async (fileId: number) =>
  (await readRemarkedLines(service.sql, { fileId, remark: null, after: 0, limit: 100 })).map(
    (line) => [line.line, line.outcome, line.remarks.join(' ')],
  );

const openSuspense = async () =>
  await service.sql`
    select reason, channel_label, code, amount from suspense where state = 'open' order by id`;

describe('records irregular money', () => {
  test('records repeated payments, within one file and in another, as duplicates after the first', async () => {
    const made = await office.request();
    const payment = { code: made.barcode, amount: 143_050, paidOn: office.compact() };
    const first = await office.import(
      'rapipago',
      await office.write(file(rapipagoLines(office.compact(), [payment, payment]))),
    );
    expect(await remarksOf(first.file.id)).toEqual([[3, 'collected', 'duplicate']]);
    const other = pmcLines(office.compact(), [{ ...payment, code: made.code }]);
    const second = await office.import('pmc', await office.write(file(other)));
    expect(second.summary).toMatchObject({ collected: 1, duplicate: 1, suspense: 0 });
    const { state, request_result: results } = await office.show(made.id);
    expect([state, (results as unknown[]).length]).toEqual(['paid', 3]);
  });

  test('does not count a payment as a duplicate of a refunded one', async () => {
    const made = await office.request();
    const pay = async (paidOn: string) =>
      await office.import(
        'pmc',
        await office.write(
          file(pmcLines(office.compact(), [{ code: made.code, amount: 143_050, paidOn }])),
        ),
      );
    await pay(office.compact(-2));
    await playerOf(service).refund(made.id);
    const { summary } = await pay(office.compact(-1));
    expect(summary.duplicate).toBe(0);
    expect((await office.show(made.id)).state).toBe('paid');
  });

  test('records a payment with an amount other than the one due, and lists it', async () => {
    const second = { second_due_date: dayText(20), second_total: 1500 };
    const [low, right, none] = [
      await office.request(second),
      await office.request(second),
      await office.request(),
    ];
    const paid = (code: string, amount: number) => ({ code, amount, paidOn: office.compact() });
    const lines = linkLines(office.compact(), [
      paid(low.code, 1),
      paid(right.code, 143_050),
      paid(none.code, 150_000),
    ]);
    const { file: kept, summary } = await office.import('link', await office.write(file(lines)));
    expect(summary).toMatchObject({ collected: 3, collected_total: 293_051, amount_differs: 2 });
    expect(await remarksOf(kept.id)).toEqual([
      [2, 'collected', 'amount_differs'],
      [4, 'collected', 'amount_differs'],
    ]);
    expect(await office.show(low.id)).toMatchObject({
      state: 'paid',
      request_result: [{ amount: 0.01 }],
    });
  });

  test('matches and lists a payment with control characters after the barcode', async () => {
    const made = await office.request();
    const lines = pagoFacilLines(office.compact(), [
      { code: made.barcode, amount: 143_050, paidOn: office.compact() },
    ]).map((line) => line.replace(`${made.barcode}   `, `${made.barcode}\x03\x01\x09`));
    const { file: kept, summary } = await office.import(
      'pago-facil',
      await office.write(file(lines)),
    );
    expect(summary).toMatchObject({ collected: 1, suspense: 0, control_characters: 1 });
    expect(await remarksOf(kept.id)).toEqual([[4, 'collected', 'control_characters']]);
    expect((await office.show(made.id)).state).toBe('paid');
  });

  test('recognizes a known file that was sent again with trailing blanks trimmed', async () => {
    const made = await office.request();
    const lines = rapipagoLines(office.compact(), [
      { code: made.barcode.slice(0, 50), amount: 143_050, paidOn: office.compact() },
    ]);
    const first = await office.import('rapipago', await office.write(file(lines)));
    const trimmed = lines.map((line) => line.trimEnd());
    expect(trimmed).not.toEqual(lines);
    const again = await office.import('rapipago', await office.write(file(trimmed)));
    expect(again).toMatchObject({ outcome: 'known', file: { id: first.file.id } });
  });

  test('puts payments for no request, or with a foreign code, into suspense', async () => {
    const made = await office.request();
    const foreign = encodeBarcode({
      format: '0448',
      client: made.id,
      firstDue: office.today,
      firstTotal: centavos(100),
      secondDue: null,
      secondTotal: null,
      collector: '9999999999',
    });
    const broken = `${made.barcode.slice(0, -1)}${(Number(made.barcode.at(-1)) + 1) % 10}`;
    const codes = [foreign, broken, '', 'CUOTA ÑANDÚ', made.barcode.slice(0, 30)];
    const before = (await openSuspense()).length;
    const { summary, file: kept } = await office.import(
      'rapipago',
      await office.write(
        file(
          rapipagoLines(
            office.compact(),
            codes.map((code) => ({ code, amount: 700, paidOn: office.compact() })),
          ),
        ),
      ),
    );
    expect(summary).toMatchObject({
      lines: 5,
      collected: 0,
      suspense: 5,
      suspense_total: 3_500,
      unknown_request: 1,
      unreadable_code: 4,
    });
    expect((await openSuspense()).slice(before)).toEqual(
      codes.map((code, index) => ({
        reason: index === 0 ? 'unknown_request' : 'unreadable_code',
        channel_label: 'Rapipago',
        code,
        amount: 700,
      })),
    );
    expect((await remarksOf(kept.id)).length).toBe(5);
    expect((await office.show(made.id)).state).toBe('pending');
  });

  test('treats impossible ids as unknown or unreadable, never as an error', async () => {
    const codes = ['0', '999999999999999', '9999999999999999', '1'.repeat(19), '12 34', '-5', ''];
    const lines = pmcLines(
      office.compact(),
      codes.map((code) => ({ code, amount: 1, paidOn: office.compact() })),
    );
    const { summary } = await office.import('pmc', await office.write(file(lines)));
    expect(summary).toMatchObject({ suspense: 7, unknown_request: 1, unreadable_code: 6 });
  });

  test('matches a payment with only a coupon’s first 50 digits', async () => {
    const made = await office.request();
    const code = made.barcode.slice(0, 50);
    const paid = { code, amount: 143_050, paidOn: office.compact() };
    const wrong = { ...paid, code: `${code.slice(0, 25)}9${code.slice(26)}` };
    const lines = rapipagoLines(office.compact(), [paid, wrong]);
    expect(new Set(lines.map((line) => line.length))).toEqual(new Set([73]));
    const { summary } = await office.import('rapipago', await office.write(file(lines)));
    expect(summary).toMatchObject({ collected: 1, suspense: 1, unknown_request: 1 });
    expect((await office.show(made.id)).state).toBe('paid');
  });

  test('records a payment after the last due day as late, and pays the expired request', async () => {
    const made = await office.request({ first_due_date: dayText(0) });
    const onTime = await office.request({ first_due_date: dayText(0) });
    await playerOf(service).move({ days: 3 });
    expect((await office.show(made.id)).state).toBe('expired');
    const later = await openOffice(service);
    const lines = pmcLines(later.compact(), [
      { code: made.code, amount: 143_050, paidOn: later.compact(-1) },
      { code: onTime.code, amount: 143_050, paidOn: later.compact(-3) },
    ]);
    const { summary, file: kept } = await later.import('pmc', await later.write(file(lines)));
    expect(summary).toMatchObject({ collected: 2, late: 1, amount_differs: 0 });
    expect(await remarksOf(kept.id)).toEqual([[2, 'collected', 'late']]);
    expect((await later.show(made.id)).state).toBe('paid');
    await later.close();
  });
});

const dayText = (days: number): string => {
  const [year, month, day] = office.today.add({ days }).toString().split('-');
  return `${day}-${month}-${year}`;
};

describe('an import', () => {
  const paymentsFor = async (count: number) => {
    const made = await Promise.all(Array.from({ length: count }, () => office.request()));
    return made.map(({ code }) => ({ code, amount: 143_050, paidOn: office.compact(-9) }));
  };

  test('books each payment once for concurrent imports of one file', async () => {
    const lines = linkLines(office.compact(-9), await paymentsFor(20));
    const path = await office.write(file(lines));
    const before = await office.counts();
    const ended = await Promise.allSettled(
      Array.from({ length: 4 }, () => office.import('link', path)),
    );
    const refused = ended.filter((one) => one.status === 'rejected');
    for (const { reason } of refused)
      expect(String(reason)).toContain('Another import is in progress');
    expect(ended.length - refused.length).toBeGreaterThan(0);
    expect((await office.counts())?.results).toBe((before?.results ?? 0) + 20);
  });

  test('resumes an import where it stopped, and keeps each line’s first decision', async () => {
    const payments = await paymentsFor(4);
    const many = Array.from(
      { length: 2_500 },
      (_none, index) => payments[index % 4] ?? payments[0],
    );
    const lines = linkLines(office.compact(-9), [
      ...many.filter((one) => one !== undefined),
      { code: '77', amount: 9, paidOn: office.compact(-9) },
    ]);
    const path = await office.write(file(lines));
    const before = await office.counts();
    let chunks = 0;
    const record: typeof office.parts.record = async (facts) => {
      chunks += 1;
      if (chunks === 3) throw new Error('the power went');
      return await office.parts.record(facts);
    };
    await expect(office.import('link', path, { over: { record } })).rejects.toThrow('power');
    const { outcome, summary, file: kept } = await office.import('link', path);
    expect(outcome).toBe('imported');
    expect(kept.applied).toBeGreaterThan(0);
    expect(summary).toMatchObject({
      lines: 2_501,
      collected: 2_500,
      duplicate: 2_496,
      suspense: 1,
    });
    const after = await office.counts();
    expect(after?.results).toBe((before?.results ?? 0) + 2_500);
    expect(after?.suspense).toBe((before?.suspense ?? 0) + 1);
    expect(after?.lines).toBe((before?.lines ?? 0) + 2_501);
  });

  test('books nothing from a file that changed after its check', async () => {
    const [payment] = await paymentsFor(1);
    if (!payment) throw new Error('nothing to pay');
    const lines = linkLines(office.compact(-8), [payment]);
    const path = await office.write(file(lines));
    const { base } = office.parts;
    const take = async (count: number): Promise<number[]> => {
      // Between check and booking, the import takes ids for the file and its events.
      await writeFile(path, file(linkLines(office.compact(-8), [{ ...payment, amount: 1 }])));
      return await base.recordIds.take(count);
    };
    const changing = { base: { ...base, recordIds: { ...base.recordIds, take } } };
    const before = await office.counts();
    await expect(office.import('link', path, { over: changing })).rejects.toThrow('changed during');
    expect(await office.counts()).toEqual({ ...before, files: (before?.files ?? 0) + 1 });
    const { summary } = await office.import('link', await office.write(file(lines)));
    expect([summary.collected, summary.total]).toEqual([1, 143_050]);
  });

  test('refuses a second file of the same day unless requested', async () => {
    const [one, two] = await paymentsFor(2);
    if (!one || !two) throw new Error('nothing to pay');
    const write = (payment: typeof one) =>
      office.write(file(pmcLines(office.compact(-20), [payment])));
    const first = await office.import('pmc', await write(one), { sameDay: false });
    const path = await write(two);
    const before = await office.counts();
    await expect(office.import('pmc', path, { sameDay: false })).rejects.toThrow(
      `was already imported as file ${first.file.id}`,
    );
    expect(await office.counts()).toEqual(before);
    expect((await office.import('pmc', path)).summary.collected).toBe(1);
    const again = await office.import('pmc', await write(one), { sameDay: false });
    expect([again.outcome, again.file.id]).toEqual(['known', first.file.id]);
  });

  test('refuses a second file of the day while the first is unfinished, and names it', async () => {
    const [one, two] = await paymentsFor(2);
    if (!one || !two) throw new Error('nothing to pay');
    const write = (payment: typeof one) =>
      office.write(file(pmcLines(office.compact(-21), [payment])));
    const path = await write(one);
    const record = () => Promise.reject(new Error('the power went'));
    await expect(office.import('pmc', path, { over: { record } })).rejects.toThrow(
      'the power went',
    );
    const before = await office.counts();
    await expect(office.import('pmc', await write(two), { sameDay: false })).rejects.toThrow(
      /started as file \d+ and did not finish/,
    );
    expect(await office.counts()).toEqual(before);
    expect((await office.import('pmc', path, { sameDay: false })).summary.collected).toBe(1);
  });

  test('reports in the audit lines that are not booked, and lines that do not add up to their file', async () => {
    const [payment] = await paymentsFor(1);
    if (!payment) throw new Error('nothing to pay');
    const lines = linkLines(office.compact(-30), [payment, { ...payment, code: '7654321' }]);
    const { file: kept } = await office.import('link', await office.write(file(lines)));
    const found = async () => (await office.faults()).map(({ what }) => what);
    expect(await found()).toEqual([]);
    const set = (line: number, amount: number) => service.sql`
      update rail_lines set amount = ${amount} where file_id = ${kept.id} and line = ${line}`;
    await set(2, 143_049);
    await set(3, 143_051);
    expect(await found()).toEqual([`file ${kept.id} of link: 2 lines are not booked`]);
    await set(2, 143_050);
    expect(await found()).toEqual([
      `file ${kept.id} of link: 1 lines are not booked`,
      `file ${kept.id} of link: its lines differ in number or sum`,
    ]);
    await set(3, 143_050);
    expect(await found()).toEqual([]);
  });
});
