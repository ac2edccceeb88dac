import { afterAll, beforeAll, expect, test } from 'vitest';
import { decryptNumber } from '../../src/mandates/index.ts';
import {
  type DebitOffice,
  openDebitOffice,
  referenceOf,
  submitted,
} from '../harness/builders/debit-office.ts';
import { signedCardAdhesion } from '../harness/builders/mandates.ts';
import { startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';
import { type CardAnswer, credit300Lines, debit150Lines } from './debit-files.ts';

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

interface Put {
  id: number;
  adhesion: number;
}

const putCards = async (...cards: string[]): Promise<Put[]> => {
  const all: Put[] = [];
  for (const card_number of cards) {
    const adhesion = await signedCardAdhesion(service, { card_number });
    all.push({ adhesion, id: await office.cardDebit(adhesion) });
  }
  await office.handOver();
  return all;
};
const answerOf = ({ id }: Put, card: string, over: Partial<CardAnswer> = {}): CardAnswer => ({
  card,
  reference: referenceOf(id),
  amount: 143_050,
  ...over,
});
const visa = '4507990000004905';
const visaDebit = '4517721004856075';

test('refuses a card processor’s answer with a future date, in its header or a line', async () => {
  const [one, debit] = await putCards(visa, visaDebit);
  if (!one || !debit) throw new Error('none');
  const before = await office.counts();
  const tomorrow = office.date(1);
  const short = `${tomorrow.slice(6)}${tomorrow.slice(4, 6)}${tomorrow.slice(2, 4)}`;
  const refuses = async (rail: string, lines: string[], where: RegExp): Promise<void> => {
    const reading = office.import(rail, await office.write(lines));
    await expect(reading).rejects.toThrow(where);
    await expect(reading).rejects.toThrow('a day up to today');
  };
  const credit = (over: Partial<CardAnswer> = {}) => [answerOf(one, visa, over)];
  await refuses('rdebliqc', credit300Lines(tomorrow, credit()), /line 1, .*\(date\)/);
  const answeredOn = credit300Lines(office.date(), credit({ answeredOn: short }));
  await refuses('rdebliqc', answeredOn, /line 2, .*\(answered_on\)/);
  const paid = answerOf(debit, visaDebit);
  await refuses('ldebliqd', debit150Lines(tomorrow, [paid]), /line 1, .*\(date\)/);
  expect(await office.counts()).toEqual(before);
  // The processor may pay out on a future day.
  const file = await office.write(credit300Lines(office.date(), credit({ paidOn: short })));
  expect((await office.import('rdebliqc', file)).summary).toMatchObject({ paid: 1 });
});

test('books a card processor’s answer, and stores a card’s new number only encrypted', async () => {
  const [one, two] = await putCards(visa, visa);
  if (!one || !two) throw new Error('none');
  const fresh = '4546400044997331';
  const file = await office.write(
    credit300Lines(office.date(), [
      answerOf(one, visa, { newCard: fresh }),
      answerOf(two, visa, {
        code: '51',
        text: 'FONDOS INSUFICIENTES',
        newCard: '4507990000004904',
      }),
    ]),
  );
  const { summary, file: kept } = await office.import('rdebliqc', file);
  expect(summary).toMatchObject({
    paid: 1,
    rejected: 1,
    codes: { '51': 1 },
    instruments_changed: 1,
    unusable_instrument: 1,
  });
  expect(await office.mandate('card-adhesion', one.adhesion)).toMatchObject({
    last_four_digits: '7331',
    card: 'Visa',
  });
  const [row] = await service.sql<
    { account_id: string; id: number; card_key_id: string; card_ciphertext: Buffer }[]
  >`
    select account_id, id, card_key_id, card_ciphertext from mandates
    where kind = 'card_adhesion' and id = ${one.adhesion}`;
  expect(row && decryptNumber(office.vault, row)).toBe(fresh);
  expect(await office.show('card-debit-request', two.id)).toMatchObject({
    state: 'rejected',
    state_comment: '51: FONDOS INSUFICIENTES',
  });
  const everything = await service.sql`
    select (select json_agg(e) from events e)::text || (select json_agg(l) from rail_lines l)::text
      || (select json_agg(m) from mandate_instruments m)::text
      || (select json_agg(f) from rail_files f)::text as text`;
  expect(JSON.stringify(everything)).not.toMatch(new RegExp(`${visa}|${fresh}`));
  // The next file repeats the replacement, which the mandate already has.
  const next = await office.write(
    credit300Lines(office.date(), [answerOf(one, visa, { newCard: fresh })]),
  );
  const told = await office.import('rdebliqc', next);
  expect(told.summary).toMatchObject({ told_before: 1, instruments_changed: 0 });
  expect(kept.id).not.toBe(told.file.id);
});

test('keeps a debit in process while the card processor retries, then books payment and reversal', async () => {
  const [one] = await putCards(visaDebit);
  if (!one) throw new Error('none');
  const waits = debit150Lines(
    office.date(),
    [answerOf(one, visaDebit, { code: '034', text: 'SE REINTENTARA' })],
    { name: 'RDEBLIQD' },
  );
  const first = await office.import('rdebliqd', await office.write(waits));
  expect(first.summary).toMatchObject({ in_process: 1, codes: { '034': 1 } });
  expect(await office.show('card-debit-request', one.id)).toMatchObject({ state: 'in_process' });
  const paid = debit150Lines(office.date(), [answerOf(one, visaDebit, { code: '000' })]);
  const second = await office.import('ldebliqd', await office.write(paid));
  expect(second.summary).toMatchObject({ paid: 1 });
  expect(await office.show('card-debit-request', one.id)).toMatchObject({
    state: 'paid',
    request_result: [{ channel: 'Visa' }],
  });
  const back = debit150Lines(office.date(), [answerOf(one, visaDebit, { transaction: '6000' })]);
  const third = await office.import('ldebliqd', await office.write(back));
  expect(third.summary).toMatchObject({ reversed: 1 });
  expect(await office.show('card-debit-request', one.id)).toMatchObject({ state: 'reverted' });
});

test('puts the money of a refused debit into suspense once when two files report it as paid', async () => {
  const [one] = await putCards(visaDebit);
  if (!one) throw new Error('none');
  const refused = debit150Lines(
    office.date(),
    [answerOf(one, visaDebit, { code: '51', text: 'FONDOS INSUFICIENTES' })],
    { name: 'RDEBLIQD' },
  );
  await office.import('rdebliqd', await office.write(refused));
  const paid = [answerOf(one, visaDebit, { code: '000' })];
  const told = [
    await office.import(
      'rdebliqd',
      await office.write(debit150Lines(office.date(), paid, { name: 'RDEBLIQD' })),
    ),
    await office.import('ldebliqd', await office.write(debit150Lines(office.date(), paid))),
  ];
  expect(told.map(({ summary }) => summary.suspense)).toEqual([1, 1]);
  const waiting = await service.sql<{ id: number; amount: number; source_ref: string }[]>`
    select id, amount, source_ref from suspense
    where state = 'open' and code = ${referenceOf(one.id)}`;
  expect(waiting).toMatchObject([{ amount: 143_050, source_ref: `${one.id}/1` }]);
  expect(await office.faults()).toEqual([]);
});

test('ignores a card processor’s answer about a bank debit', async () => {
  const first = await submitted(service.sql, { count: 1, today: office.today(), adhesion: 905 });
  const file = credit300Lines(office.date(), [
    answerOf({ id: first, adhesion: 0 }, visa, { code: '12', text: 'NO' }),
  ]);
  const { summary } = await office.import('rdebliqc', await office.write(file));
  expect(summary).toMatchObject({ unknown_reference: 1, rejected: 0 });
});
