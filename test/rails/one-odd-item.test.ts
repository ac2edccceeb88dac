import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { centavos } from '../../src/kernel/money.ts';
import type { PayableRow } from '../../src/payment-requests/index.ts';
import type { DebitWriter, Submission } from '../../src/rails/debits/debit.ts';
import { unfit } from '../../src/rails/debits/lines.ts';
import {
  outboundDebits,
  outboundRails,
  type RailTerms,
  rejectWaiting,
  waitingDebits,
} from '../../src/rails/index.ts';
import { testOperator } from '../harness/actors.ts';
import {
  type DebitOffice,
  openDebitOffice,
  referenceOf,
} from '../harness/builders/debit-office.ts';
import { signedAdhesion, signedCardAdhesion } from '../harness/builders/mandates.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';
import { bankSubmissions, cardSubmissions, columns, railTerms, today } from './debit-samples.ts';

const longVisa = '4507990000000000002';
const anyDay = fc
  .integer({ min: 0, max: 36_500 * 2 })
  .map((days) => new Temporal.PlainDate(2026, 1, 1).add({ days }));

/** Generates requests with any text, day, amount and account name. */
const payable: fc.Arbitrary<PayableRow> = fc
  .record({
    id: fc.integer({ min: 1, max: 999_999_999_999_999 }),
    total1: fc.integer({ min: 1, max: 9_999_999_999 }).map(centavos),
    more: fc.option(fc.integer({ min: 1, max: 99 })),
    due1: anyDay,
    description: fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }),
    collector: fc.string({ unit: 'binary', minLength: 1, maxLength: 80 }),
    excluded: fc.boolean(),
  })
  .map(({ collector, more, excluded, due1, total1, ...one }) => {
    const due2 = more === null ? null : due1.add({ days: more });
    const request = {
      ...one,
      account_id: 'A1B2C3D4',
      due1,
      total1,
      due2,
      total2: due2 && total1,
      last_due: due2 ?? due1,
      details: { barcode: '0'.repeat(59), excluded_channels: excluded ? ['non_banking'] : null },
    };
    return { collector, request } as unknown as PayableRow;
  });

const paymentTerms: RailTerms = {
  pagoFacilClient: '000000515',
  rapipagoCompany: 'RECAUDO',
  pmcCompany: '0515',
  linkEntity: '515',
  takesCash: true,
  today,
};

/** Only a RangeError means that an item does not fit; any other error would stop the file. */
const fits = (write: () => string): string | null => {
  try {
    return write();
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return null;
  }
};

describe.each(outboundRails.map((rail) => [rail.name, rail] as const))('%s', (_name, rail) => {
  test('writes whole lines for any items, and leaves out only those that do not fit', () => {
    fc.assert(
      fc.property(fc.array(payable, { maxLength: 12 }), (rows) => {
        const writer = rail.createWriter(paymentTerms, today, 1);
        const head = writer.head();
        const lines = rows.map((row) => fits(() => writer.line(row))).filter((one) => one !== null);
        const all = [head, ...lines, writer.tail()];
        expect(new Set(all.map((line) => line.length)).size).toBe(1);
        for (const line of all) expect(line).toMatch(/^[ -~]*$/);
        // Omitted items leave no trace: a file of only the fitting ones is identical.
        const alone = rail.createWriter(paymentTerms, today, 1);
        const good = rows.filter((row) => {
          const trial = rail.createWriter(paymentTerms, today, 1);
          return fits(() => trial.line(row)) !== null;
        });
        const again = [alone.head(), ...good.map((row) => alone.line(row)), alone.tail()];
        expect(again).toEqual(all);
        expect(alone.companion()).toEqual(writer.companion());
      }),
    );
  });
});

const midnight = new Temporal.PlainTime();
const terms = { ...railTerms, exchangeBrands: ['visa' as const] };

function expectOwnTrace<S extends Submission>(open: () => DebitWriter<S>, items: S[]): void {
  const chosen = items.filter((item) => unfit(open(), item) === null);
  const writer = open();
  const lines = items
    .filter((item) => unfit(writer, item) === null || fits(() => writer.line(item)) !== null)
    .map((item) => item.run.request_id);
  expect(lines).toEqual(chosen.map((item) => item.run.request_id));
  const alone = open();
  const written = chosen.map((item) => alone.line(item));
  for (const line of written) expect(line).toMatch(/^[ -~]*$/);
  expect(written.every((line) => line.length > 0)).toBe(true);
}

describe.each(outboundDebits.map((rail) => [rail.name, rail] as const))('%s', (_name, rail) => {
  test('writes a file for any debits, and leaves out only those that do not fit', () => {
    const presentation = { date: today, time: midnight, count: 0, total: centavos(0) };
    if (rail.kind === 'debit_request') {
      fc.assert(
        fc.property(fc.array(bankSubmissions, { maxLength: 8 }), (items) =>
          expectOwnTrace(() => rail.createWriter(terms, presentation), items),
        ),
      );
      return;
    }
    const withLong = fc.oneof(
      cardSubmissions,
      cardSubmissions.map((one) => ({ ...one, number: longVisa })),
    );
    fc.assert(
      fc.property(fc.array(withLong, { maxLength: 8 }), (items) =>
        expectOwnTrace(() => rail.createWriter(terms, presentation), items),
      ),
    );
  });
});

describe('a card longer than its columns', () => {
  let service: TestService;
  let office: DebitOffice;
  let odd: number;
  let plain: number;
  beforeAll(async () => {
    service = await startService(withoutWorker);
    office = await openDebitOffice(service);
    const long = await signedCardAdhesion(service, { card_number: longVisa });
    odd = await office.cardDebit(long);
    plain = await office.cardDebit(await signedCardAdhesion(service));
    await office.handOver();
  });
  afterAll(async () => {
    expect(await office.faults()).toEqual([]);
    await office.close();
    await service.stop();
  });
  const waiting = async () => {
    const parts = { base: office.books.base, vault: office.vault };
    const all = await Array.fromAsync(
      waitingDebits(parts, { ...railTerms, today: office.today() }),
    );
    return all.map(({ requestId, rails, reason }) => ({ requestId, rails, reason }));
  };

  test('leaves out, reports and lists a card longer than its columns, with the reason', async () => {
    const { outcome, files, leftOut } = await office.export('debliqc');
    expect([outcome, files.length]).toEqual(['exported', 1]);
    const lines = await office.read(files[0]?.path ?? '');
    expect(lines.slice(1, -1).map((line) => columns(line, 56, 70))).toEqual([referenceOf(plain)]);
    expect(columns(lines.at(-1) ?? '', 42, 48)).toBe('0000001');
    const reason = 'card: A card number of 19 digits does not fit: the field has room for 16.';
    expect(leftOut).toEqual([{ accountId: testAccount, requestId: odd, reason }]);
    expect(await waiting()).toEqual([{ requestId: odd, rails: [], reason }]);
  });

  test('lets the operator reject the debit of such a card once, with a reason', async () => {
    const reason = 'The card cannot be debited.';
    const reject = () =>
      rejectWaiting(office.books, { requestId: odd, reason, actor: testOperator });
    const told = await Promise.allSettled([reject(), reject(), reject()]);
    expect(told.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const shown = await office.show('card-debit-request', odd);
    expect(shown).toMatchObject({ state: 'rejected', state_comment: `NOT_SENT: ${reason}` });
    expect(shown.request_result).toHaveLength(1);
    expect(await waiting()).toEqual([]);
    await expect(
      rejectWaiting(office.books, { requestId: plain, reason, actor: testOperator }),
    ).rejects.toMatchObject({
      kind: 'conflict',
    });
    await expect(
      rejectWaiting(office.books, { requestId: 987_654_321, reason, actor: testOperator }),
    ).rejects.toMatchObject({ kind: 'not_found' });
  });
});

test('continues in the next file when one is full, with each debit once', async () => {
  const service = await startService(withoutWorker);
  const office = await openDebitOffice(service);
  const adhesion = await signedAdhesion(service);
  const ids: number[] = [];
  for (let no = 0; no < 5; no += 1) ids.push(await office.debit(adhesion));
  await office.handOver();
  const rail = outboundDebits.find(({ name }) => name === 'direct-debit-350');
  if (!rail) throw new Error('no rail');
  const whole = rail.room;
  rail.room = { count: 2, total: whole.total };
  try {
    const { files, leftOut } = await office.export('direct-debit-350');
    expect(leftOut).toEqual([]);
    expect(files.map(({ file }) => file.lines)).toEqual([2, 2, 1]);
    const written = await Promise.all(files.map((one) => office.read(one.path)));
    const references = written.flatMap((lines) => lines.slice(1, -1));
    expect(references.map((line) => columns(line, 53, 67))).toEqual(
      ids.map((id) => referenceOf(id)),
    );
    for (const lines of written) {
      expect(Number(columns(lines[0] ?? '', 40, 46))).toBe(lines.length - 2);
    }
    const again = await office.export('direct-debit-350');
    expect([again.outcome, again.files.length]).toEqual(['again', 3]);
  } finally {
    rail.room = whole;
    await office.close();
    await service.stop();
  }
});
