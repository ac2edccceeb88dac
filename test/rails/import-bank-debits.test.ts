import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inDays } from '../harness/builders/clock.ts';
import {
  customerOf,
  type DebitOffice,
  openDebitOffice,
  referenceOf,
  submitted,
} from '../harness/builders/debit-office.ts';
import { signedAdhesion } from '../harness/builders/mandates.ts';
import { startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';
import { type BankAnswer, bank350Lines, macro220Lines, otherCbu, someCbu } from './debit-files.ts';

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

/** Creates debits on separate mandates, and hands them over. */
async function put(count: number, fields: Record<string, unknown> = {}): Promise<Put[]> {
  const all: Put[] = [];
  for (let no = 0; no < count; no += 1) {
    const adhesion = await signedAdhesion(service);
    all.push({ adhesion, id: await office.debit(adhesion, fields) });
  }
  await office.handOver();
  return all;
}

const answerOn = ({ id, adhesion }: Put, over: BankAnswer = {}): BankAnswer => ({
  customer: customerOf(adhesion),
  cbu: someCbu,
  reference: referenceOf(id),
  due: office.date(),
  amount: 143_050,
  ...over,
});

async function importBank(items: BankAnswer[], over: { sameDay?: boolean } = {}) {
  const file = await office.write(bank350Lines(office.date(), items));
  const outcome = await office.import('direct-debit-350', file, over);
  return { ...outcome, path: file, told: await office.lines(outcome.file.id) };
}

const none = {
  amount_differs: 0,
  retried: 0,
  codes: {},
  in_process: 0,
  rejected: 0,
  reversed: 0,
  mandates_closed: 0,
  instruments_changed: 0,
  told_before: 0,
  contradicts: 0,
  unclear: 0,
  unknown_reference: 0,
  unknown_mandate: 0,
  not_paid: 0,
  unusable_instrument: 0,
  notices: 0,
  suspense: 0,
  suspense_total: 0,
};

describe('the bank’s answer', () => {
  test('books payments and rejections, keeps deferred debits waiting, and closes mandates', async () => {
    const [paid, refused, gone, stopped, deferred] = await put(5);
    if (!paid || !refused || !gone || !stopped || !deferred) throw new Error('none');
    const { outcome, summary } = await importBank([
      answerOn(paid),
      answerOn(refused, { type: '0360', code: 'R10' }),
      answerOn(gone, { type: '0360', code: 'R02' }),
      answerOn(stopped, { type: '0360', code: 'R08' }),
      answerOn(deferred, { type: '0360', code: 'R05' }),
    ]);
    expect([outcome, summary]).toEqual([
      'imported',
      {
        ...none,
        lines: 5,
        total: 5 * 143_050,
        paid: 1,
        paid_total: 143_050,
        rejected: 3,
        codes: { R02: 1, R05: 1, R08: 1, R10: 1 },
        in_process: 1,
        mandates_closed: 1,
      },
    ]);
    expect(await office.show('debit-request', paid.id)).toMatchObject({
      state: 'paid',
      request_result: [{ type: 'collected_debit_request_result', amount: 1430.5 }],
    });
    expect(await office.show('debit-request', refused.id)).toMatchObject({
      state: 'rejected',
      state_comment: 'R10: Insufficient funds.',
    });
    expect(await office.show('debit-request', deferred.id)).toMatchObject({ state: 'in_process' });
    expect(await office.mandate('adhesion', gone.adhesion)).toMatchObject({
      state: 'canceled',
      state_comment: 'R02: Account closed or suspended.',
    });
    expect(await office.mandate('adhesion', stopped.adhesion)).toMatchObject({ state: 'signed' });
  });

  test('starts the second run after a lack of funds, with a reference of its own', async () => {
    const [one] = await put(1, { second_due_date: inDays(service, 30), second_total: 1500 });
    if (!one) throw new Error('none');
    const first = await importBank([answerOn(one, { type: '0360', code: 'R10' })]);
    expect(first.summary).toMatchObject({ rejected: 1, retried: 1, codes: { R10: 1 } });
    expect(await office.show('debit-request', one.id)).toMatchObject({ state: 'in_process' });
    await office.handOver();
    const { files } = await office.export('direct-debit-350');
    const lines = await office.read(files[0]?.path ?? '');
    expect(lines.some((line) => line.includes(referenceOf(one.id, 2)))).toBe(true);
    const second = await importBank([
      answerOn(one, { reference: referenceOf(one.id, 2), amount: 150_000 }),
    ]);
    expect(second.summary).toMatchObject({ paid: 1, amount_differs: 0 });
    expect(await office.show('debit-request', one.id)).toMatchObject({ state: 'paid' });
  });

  test('reverses payments, ends mandates, changes accounts, and reports failures', async () => {
    const [paid, open, ended, moved] = await put(4);
    if (!paid || !open || !ended || !moved) throw new Error('none');
    const { summary, told } = await importBank([
      answerOn(paid),
      answerOn(paid, { type: '0371' }),
      answerOn(open, { type: '0371', amount: 1 }),
      answerOn(ended, { type: '0384', reference: '', amount: 0 }),
      answerOn(moved, { type: '0386', reference: '', amount: 0, newCbu: otherCbu }),
      answerOn(moved, { type: '0383', reference: '', amount: 0 }),
      answerOn({ id: 77, adhesion: 99_999 }, { type: '0384', reference: '', amount: 0 }),
      answerOn({ id: 77, adhesion: 99_999 }, { amount: 500 }),
      answerOn({ id: 78, adhesion: 99_999 }, { type: '0360', code: 'R10', amount: 500 }),
    ]);
    expect(summary).toEqual({
      ...none,
      lines: 9,
      total: 2 * 143_050 + 1_001,
      paid: 1,
      paid_total: 143_050,
      codes: { R10: 1 },
      reversed: 1,
      not_paid: 1,
      mandates_closed: 1,
      instruments_changed: 1,
      notices: 1,
      unknown_mandate: 1,
      unknown_reference: 2,
      suspense: 1,
      suspense_total: 500,
    });
    expect(told.map(({ outcome, remarks }) => [outcome, ...remarks])).toEqual([
      ['paid'],
      ['reversed'],
      ['unmatched', 'not_paid'],
      ['mandate_closed'],
      ['instrument_changed', 'new_instrument'],
      ['notice', 'notice'],
      ['unmatched', 'unknown_mandate'],
      ['suspense', 'unknown_reference'],
      ['unmatched', 'unknown_reference'],
    ]);
    expect(await office.show('debit-request', paid.id)).toMatchObject({ state: 'reverted' });
    expect(await office.mandate('adhesion', ended.adhesion)).toMatchObject({
      state: 'canceled',
      state_comment: 'Canceled by the holder at the bank.',
    });
    expect(await office.mandate('adhesion', moved.adhesion)).toMatchObject({
      state: 'signed',
      cbu_number: otherCbu,
      bank: 'Macro',
    });
    const events = await service.sql`
      select type, actor from events where entity = 'adhesion' and entity_id = ${String(moved.adhesion)}
      order by version`;
    expect(events.at(-1)).toEqual({
      type: 'adhesion.instrument_replaced',
      actor: 'rail:direct-debit-350',
    });
  });

  test('keeps a mandate whose closed account was replaced, in the same file or an earlier one', async () => {
    const [before, together, behind, ended, stays] = await put(5);
    if (!before || !together || !behind || !ended || !stays) throw new Error('none');
    await office.export('direct-debit-350', { another: true });
    const moved = { type: '0386', reference: '', amount: 0, newCbu: otherCbu };
    await importBank([answerOn(before, moved), answerOn(ended, moved)]);
    const gone = { type: '0360', code: 'R03' };
    const { summary, told } = await importBank([
      answerOn(before, gone),
      answerOn(together, { ...gone, newCbu: otherCbu }),
      answerOn(behind, gone),
      answerOn(behind, moved),
      // The holder ended the service, whatever the account.
      answerOn(ended, { type: '0360', code: 'R15' }),
      answerOn(stays, gone),
    ]);
    expect(told.map(({ outcome, remarks }) => [outcome, ...remarks])).toEqual([
      ['rejected'],
      ['rejected', 'new_instrument'],
      ['rejected'],
      ['instrument_changed', 'new_instrument'],
      ['rejected', 'closes_mandate'],
      ['rejected', 'closes_mandate'],
    ]);
    expect(summary).toMatchObject({ rejected: 5, mandates_closed: 2, instruments_changed: 2 });
    for (const { id, adhesion } of [before, together, behind]) {
      expect(await office.mandate('adhesion', adhesion)).toMatchObject({
        state: 'signed',
        cbu_number: otherCbu,
      });
      expect(await office.show('debit-request', id)).toMatchObject({
        state: 'rejected',
        state_comment: 'R03: The account does not exist.',
      });
    }
    for (const { adhesion } of [ended, stays]) {
      expect(await office.mandate('adhesion', adhesion)).toMatchObject({ state: 'canceled' });
    }
  });

  test('changes nothing when repeated, and reports another file with the same or opposite content', async () => {
    const [paid, refused] = await put(2);
    if (!paid || !refused) throw new Error('none');
    const first = await importBank([
      answerOn(paid),
      answerOn(refused, { type: '0360', code: 'R08' }),
    ]);
    const before = await office.counts();
    const again = await office.import('direct-debit-350', first.path);
    expect([again.outcome, again.summary]).toEqual(['known', first.summary]);
    expect(await office.counts()).toEqual(before);
    const other = await importBank([
      answerOn(paid),
      answerOn(paid, { type: '0360', code: 'R10' }),
      answerOn(refused, { type: '0360', code: 'R08' }),
      answerOn(refused),
    ]);
    expect(other.told.map(({ outcome, remarks }) => [outcome, ...remarks])).toEqual([
      ['known', 'told_before'],
      ['known', 'contradicts'],
      ['known', 'told_before'],
      ['suspense', 'contradicts'],
    ]);
    expect(await office.show('debit-request', paid.id)).toMatchObject({ state: 'paid' });
    expect(await office.show('debit-request', refused.id)).toMatchObject({ state: 'rejected' });
  });

  test('refuses a second file of a day unless requested', async () => {
    const [one] = await put(1);
    if (!one) throw new Error('none');
    await importBank([answerOn(one)]);
    await expect(importBank([answerOn(one), answerOn(one)], { sameDay: false })).rejects.toThrow(
      'import this one too (--same-day)',
    );
  });

  test('books and reports a different collected amount', async () => {
    const [one] = await put(1);
    if (!one) throw new Error('none');
    const { told } = await importBank([answerOn(one, { collected: 100_000 })]);
    expect(told).toMatchObject([{ outcome: 'paid', remarks: ['amount_differs'] }]);
    expect(await office.show('debit-request', one.id)).toMatchObject({
      state: 'paid',
      request_result: [{ amount: 1000 }],
    });
  });

  test('imports files with lines of 220 characters the same way', async () => {
    const [paid, refused] = await put(2);
    if (!paid || !refused) throw new Error('none');
    const item = ({ id, adhesion }: Put) => ({
      customer: customerOf(adhesion),
      reference: referenceOf(id),
      due: office.date(),
      amount: 143_050,
    });
    const good = macro220Lines(office.date(), [
      { ...item(paid), newCbu: '0110012920000091344977' },
      { ...item(refused), code: '0015' },
    ]);
    const { summary } = await office.import('direct-debit-220', await office.write(good));
    expect(summary).toMatchObject({
      paid: 1,
      rejected: 1,
      codes: { R15: 1 },
      instruments_changed: 1,
    });
    expect(await office.mandate('adhesion', paid.adhesion)).toMatchObject({
      cbu_number: '0110012920000091344977',
    });
    expect(await office.mandate('adhesion', refused.adhesion)).toMatchObject({ state: 'canceled' });
  });
});

test('books each debit once in concurrent imports of overlapping files', async () => {
  const count = 40;
  const first = await submitted(service.sql, { count, today: office.today(), adhesion: 906 });
  const items = Array.from({ length: count }, (_none, no) =>
    answerOn({ id: first + no, adhesion: 906 }, { amount: 1000 + no }),
  );
  const same = await office.write(bank350Lines(office.date(), items));
  const other = await office.write(bank350Lines(office.date(), [...items].reverse()));
  const settled = await Promise.allSettled([
    office.import('direct-debit-350', same),
    office.import('direct-debit-350', same),
    office.import('direct-debit-350', other),
  ]);
  for (const one of settled) {
    if (one.status === 'rejected')
      expect(String(one.reason)).toContain('Another import is in progress');
  }
  await office.import('direct-debit-350', same);
  await office.import('direct-debit-350', other);
  const [row] = await service.sql<{ results: number; paid: number }[]>`
    select count(*)::int as results, count(*) filter (where r.type = 'collected')::int as paid
    from results r where r.request_id between ${first} and ${first + count - 1}`;
  expect(row).toEqual({ results: count, paid: count });
});

test('refuses an answer with a future date, in its header or a line', async () => {
  const first = await submitted(service.sql, { count: 1, today: office.today(), adhesion: 917 });
  const answer = (over: BankAnswer = {}) => answerOn({ id: first, adhesion: 917 }, over);
  const before = await office.counts();
  const refuses = async (rail: string, lines: string[], where: RegExp): Promise<void> => {
    const reading = office.import(rail, await office.write(lines));
    await expect(reading).rejects.toThrow(where);
    await expect(reading).rejects.toThrow('a day up to today');
  };
  const tomorrow = office.date(1);
  const macro = (due: string) => ({ reference: referenceOf(first), due, amount: 143_050 });
  await refuses('direct-debit-350', bank350Lines(tomorrow, [answer()]), /line 1, .*\(date\)/);
  const collected = answer({ collectedOn: tomorrow });
  await refuses('direct-debit-350', bank350Lines(office.date(), [collected]), /\(collected_on\)/);
  await refuses(
    'direct-debit-220',
    macro220Lines(tomorrow, [macro(office.date())]),
    /line 1, .*\(date\)/,
  );
  const due = macro(tomorrow);
  await refuses('direct-debit-220', macro220Lines(office.date(), [due]), /\(due\)/);
  expect(await office.counts()).toEqual(before);
});

test('changes nothing for a faulty file', async () => {
  const first = await submitted(service.sql, { count: 2, today: office.today(), adhesion: 907 });
  const items = [0, 1].map((no) =>
    answerOn({ id: first + no, adhesion: 907 }, { amount: 1000 + no }),
  );
  const good = bank350Lines(office.date(), items);
  const before = await office.counts();
  const wrong: [lines: string[], message: RegExp][] = [
    [bank350Lines(office.date(), items, { service: '0999' }), /DIRECT_DEBIT_SERVICE/],
    [good.slice(0, -1), /the end of the file/],
    [good.map((line) => line.replace('00000000002001', '00000000002002')), /line 4, columns 26-39/],
    [good.filter((_line, at) => at !== 2), /line 3, columns 40-46 \(count\)/],
  ];
  for (const [lines, message] of wrong) {
    await expect(office.import('direct-debit-350', await office.write(lines))).rejects.toThrow(
      message,
    );
  }
  expect(await office.counts()).toEqual(before);
});

test('finds the payment that a reversal refers to among a thousand payments', async () => {
  const count = 1_000;
  const first = await submitted(service.sql, { count, today: office.today(), adhesion: 908 });
  const items = Array.from({ length: count }, (_none, no) =>
    answerOn({ id: first + no, adhesion: 908 }, { amount: 1000 + no }),
  );
  const last = first + count - 1;
  const { summary } = await importBank([
    ...items,
    answerOn({ id: last, adhesion: 908 }, { type: '0371', amount: 1999 }),
  ]);
  expect(summary).toMatchObject({ paid: count, reversed: 1, not_paid: 0 });
  expect(await office.show('debit-request', last)).toMatchObject({ state: 'reverted' });
});

test('reports a reversal that was already booked another way', async () => {
  const [one] = await put(1);
  if (!one) throw new Error('none');
  await importBank([answerOn(one)]);
  const file = await office.write(bank350Lines(office.date(), [answerOn(one, { type: '0371' })]));
  const { summary, file: kept } = await office.import('direct-debit-350', file, {
    books: {
      // Runs after the decision about the line and before its booking.
      async reverse(reversal) {
        await office.books.reverse({ ...reversal, source: 'operator', sourceRef: 'by hand' });
        return await office.books.reverse(reversal);
      },
    },
  });
  expect(summary).toMatchObject({ reversed: 0, not_paid: 1 });
  expect(await office.lines(kept.id)).toMatchObject([
    { outcome: 'unmatched', remarks: ['not_paid'] },
  ]);
});
