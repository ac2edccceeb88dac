import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { replaceInstrument } from '../../src/mandates/index.ts';
import { carriersOf, type DebitBooks } from '../../src/rails/index.ts';
import {
  customerOf,
  type DebitOffice,
  openDebitOffice,
  referenceOf,
} from '../harness/builders/debit-office.ts';
import { signedAdhesion, signedCardAdhesion } from '../harness/builders/mandates.ts';
import { startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';
import {
  type BankAnswer,
  bank350Lines,
  credit300Lines,
  otherCbu,
  someCbu,
  zeros,
} from './debit-files.ts';

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

const suspended = async (code: string): Promise<number[]> => {
  const rows = await service.sql<{ amount: number }[]>`
    select amount from suspense where code = ${code} order by amount`;
  return rows.map(({ amount }) => amount);
};

/** More lines than are decided at once. */
const fillers = Array.from({ length: 1_001 }, (_none, no) => ({
  reference: `${zeros(9_000_000_000 + no, 14)}1`,
  type: '0360',
  code: 'R10',
  amount: 100,
}));

describe('payments with a foreign reference that looks like a debit’s', () => {
  const paid = (reference: string, amount: number): BankAnswer => ({
    customer: customerOf(99_999),
    cbu: someCbu,
    due: office.date(),
    reference,
    amount,
  });

  test('are suspended one by one, in one file or several', async () => {
    const foreign = '000099999999991';
    const files = [
      bank350Lines(office.date(-1), [paid(foreign, 100_000), paid(foreign, 5_000)]),
      bank350Lines(office.date(), [paid(foreign, 250_000)]),
    ];
    for (const lines of files) await office.import('direct-debit-350', await office.write(lines));
    expect(await suspended(foreign)).toEqual([5_000, 100_000, 250_000]);
  });

  test('are not suspended again if release 1.0 began their file and was interrupted', async () => {
    const foreign = '000099999999982';
    const amounts = [700, 700, 900];
    const file = await office.write(
      bank350Lines(
        office.date(),
        amounts.map((amount) => paid(foreign, amount)),
      ),
    );
    const interrupted = office.import('direct-debit-350', file, {
      books: {
        async suspend(money) {
          const source = { source: 'money of a debit run', sourceRef: '9999999998/2' };
          await office.books.suspend(money.map((one) => ({ ...one, ...source })));
          throw new Error('interrupted');
        },
      },
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    expect(await suspended(foreign)).toHaveLength(1);
    const { summary } = await office.import('direct-debit-350', file);
    expect(summary).toMatchObject({ suspense: 3, suspense_total: 2_300 });
    expect(await suspended(foreign)).toEqual(amounts);
  });

  /** Books money as release 1.0 did: once for each reference. */
  const asBefore = (sourceRef: string): Partial<DebitBooks> => ({
    suspend: (money) =>
      office.books.suspend(
        money.map((one) => ({ ...one, source: 'money of a debit run', sourceRef })),
      ),
  });
  const findings = async () => (await office.faults()).map(({ what }) => what);

  test('are found by the audit and booked by a repeat if release 1.0 lost equal ones', async () => {
    const foreign = '000099999999972';
    const lines = bank350Lines(office.date(-2), [paid(foreign, 700), paid(foreign, 700)]);
    const file = await office.write(lines);
    const books = asBefore('9999999997/2');
    const { file: kept } = await office.import('direct-debit-350', file, { books });
    expect(await suspended(foreign)).toEqual([700]);
    const lost = `file ${kept.id} of direct-debit-350: 1 lines are not booked`;
    expect(await findings()).toEqual([lost]);
    for (const _again of [1, 2]) {
      expect((await office.import('direct-debit-350', file)).outcome).toBe('known');
      expect(await suspended(foreign)).toEqual([700, 700]);
      expect(await findings()).toEqual([]);
    }
  });

  test('are no audit fault if release 1.0 booked another amount than was ordered', async () => {
    const foreign = '000099999999962';
    const line = { ...paid(foreign, 900), collected: 500 };
    const file = await office.write(bank350Lines(office.date(-3), [line]));
    await office.import('direct-debit-350', file, { books: asBefore('9999999996/2') });
    expect([await suspended(foreign), await findings()]).toEqual([[500], []]);
    await office.import('direct-debit-350', file);
    expect(await suspended(foreign)).toEqual([500]);
  });

  test('are booked if they equal one of an earlier part of a file that release 1.0 began', async () => {
    const foreign = '000099999999952';
    const file = await office.write(
      bank350Lines(office.date(-4), [paid(foreign, 700), ...fillers, paid(foreign, 700)]),
    );
    const begin = asBefore('9999999995/2').suspend;
    const interrupted = office.import('direct-debit-350', file, {
      books: {
        async suspend(money) {
          await begin?.(money);
          throw new Error('interrupted');
        },
      },
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    expect(await suspended(foreign)).toEqual([700]);
    await office.import('direct-debit-350', file);
    expect(await suspended(foreign)).toEqual([700, 700]);
  });

  test('are booked after an interruption if release 1.0 booked an equal one of another file', async () => {
    const foreign = '000099999999942';
    const one = { ...paid(foreign, 700), collectedOn: office.date(-5) };
    const old = await office.write(bank350Lines(office.date(-5), [one]));
    await office.import('direct-debit-350', old, { books: asBefore('9999999994/2') });
    const file = await office.write(bank350Lines(office.date(-4), [one]));
    const interrupted = office.import('direct-debit-350', file, {
      books: { suspend: () => Promise.reject(new Error('interrupted')) },
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    await office.import('direct-debit-350', file);
    expect(await suspended(foreign)).toEqual([700, 700]);
  });
});

test('keeps a mandate whose new account follows over a thousand lines behind its rejection', async () => {
  const adhesion = await signedAdhesion(service);
  const id = await office.debit(adhesion);
  await office.handOver();
  await office.export('direct-debit-350');
  const pending = await office.debit(adhesion);
  const named = { customer: customerOf(adhesion), cbu: someCbu, due: office.date() };
  const file = await office.write(
    bank350Lines(office.date(), [
      { ...named, reference: referenceOf(id), type: '0360', code: 'R02', amount: 143_050 },
      ...fillers,
      { ...named, type: '0386', amount: 0, newCbu: otherCbu },
    ]),
  );
  const { summary, file: kept } = await office.import('direct-debit-350', file);
  expect(summary).toMatchObject({ rejected: 1, mandates_closed: 0, instruments_changed: 1 });
  const told = await office.lines(kept.id);
  expect([told.at(0), told.at(-1)]).toMatchObject([
    { outcome: 'rejected', remarks: [] },
    { outcome: 'instrument_changed', remarks: ['new_instrument'] },
  ]);
  expect(await office.mandate('adhesion', adhesion)).toMatchObject({
    state: 'signed',
    cbu_number: otherCbu,
  });
  expect(await office.show('debit-request', pending)).toMatchObject({ state: 'pending' });
});

const visa = '4507990000004905';
const visaDebit = '4517721004856075';

/** The verb of a process whose files carry no debit cards of Visa. */
function withoutVisaDebit() {
  const carriers = carriersOf({
    directDebitService: null,
    macroAgreement: null,
    macroService: '',
    visaEstablishment: '0000000515',
    visaDebitEstablishment: null,
    mastercardEstablishment: null,
    visaDebitPrefixes: ['451772'],
    exchangeBrands: [],
  });
  const { base } = service.service.parts;
  const verb = { replaceInstrument: replaceInstrument(base, office.vault, carriers) };
  return { carriers, verb };
}

test('reports a new card that no file carries as unusable, and keeps the old one', async () => {
  const { carriers, verb } = withoutVisaDebit();
  // The second import decides before the file lost its configuration.
  for (const books of [{ carriers, ...verb }, verb]) {
    const adhesion = await signedCardAdhesion(service, { card_number: visa });
    const id = await office.cardDebit(adhesion);
    await office.handOver();
    const line = { card: visa, reference: referenceOf(id), amount: 143_050, newCard: visaDebit };
    const file = await office.write(credit300Lines(office.date(), [line]));
    const { summary, file: kept } = await office.import('rdebliqc', file, { books });
    expect(summary).toMatchObject({ paid: 1, instruments_changed: 0, unusable_instrument: 1 });
    expect(await office.lines(kept.id)).toMatchObject([
      { outcome: 'paid', remarks: ['unusable_instrument'] },
    ]);
    expect(await office.mandate('card-adhesion', adhesion)).toMatchObject({
      state: 'signed',
      last_four_digits: '4905',
    });
  }
});

test.each([false, true])(
  'ends a mandate on a closed account if its new card is unusable (in a later part: %s)',
  async (isLater) => {
    const mandate = await signedCardAdhesion(service, { card_number: visa });
    const id = await office.cardDebit(mandate);
    await office.handOver();
    await office.export('debliqc');
    const date = office.today().toString();
    const answer = (reference: string, code: string, newCard = '') =>
      JSON.stringify({
        ...{ reference, outcome: 'rejected', amount: '1430.50', date, code },
        ...{ text: '', new_card_number: newCard },
      });
    const own = referenceOf(id);
    const file = await office.write(
      isLater
        ? [
            answer(own, 'R02'),
            ...fillers.map(({ reference }) => answer(reference, 'R10')),
            answer(own, 'R02', visaDebit),
          ]
        : [answer(own, 'R02', visaDebit)],
    );
    const { verb: books } = withoutVisaDebit();
    const { summary, file: kept } = await office.import('cards-json-answers', file, { books });
    expect(summary).toMatchObject({ rejected: 1, mandates_closed: 1, unusable_instrument: 1 });
    const told = await office.lines(kept.id);
    expect(told.flatMap(({ remarks }) => remarks)).toContain('closes_mandate');
    expect(await office.mandate('card-adhesion', mandate)).toMatchObject({ state: 'canceled' });
  },
);
