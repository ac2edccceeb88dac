import { describe, expect, test } from 'vitest';
import { centavos } from '../../src/kernel/money.ts';
import { amountDue, lastDueOf, stateOn, transitions } from '../../src/requests/index.ts';

const day = (text: string) => Temporal.PlainDate.from(text);
const total1 = centavos(100_000);
const total2 = centavos(110_000);

describe('the amount due on a day', () => {
  const row = { due1: day('2026-03-10'), total1, total2 };

  test.each([
    ['2026-03-01', total1],
    ['2026-03-10', total1],
    ['2026-03-11', total2],
    ['2026-03-20', total2],
    ['2026-04-01', total2],
  ])('returns the amount due on %s: %i', (on, due) => {
    expect(amountDue(row, day(on))).toBe(due);
  });

  test('keeps the first total due if there is no second one', () => {
    expect(amountDue({ ...row, total2: null }, day('2026-05-01'))).toBe(total1);
  });
});

describe('the state by the clock', () => {
  const last_due = day('2026-03-20');

  test('is pending through the last due day, then expired', () => {
    expect(
      stateOn({ kind: 'payment_request', state: 'pending', last_due }, day('2026-03-20')),
    ).toBe('pending');
    expect(
      stateOn({ kind: 'payment_request', state: 'pending', last_due }, day('2026-03-21')),
    ).toBe('expired');
  });

  test.each(['paid', 'reverted', 'refunded', 'expired'] as const)(
    'keeps the state %s regardless of the clock',
    (state) => {
      expect(stateOn({ kind: 'payment_request', state, last_due }, day('2030-01-01'))).toBe(state);
    },
  );

  test('expires after the second due date if there is one', () => {
    expect(lastDueOf(day('2026-03-10'), day('2026-03-20'))).toEqual(day('2026-03-20'));
    expect(lastDueOf(day('2026-03-10'), null)).toEqual(day('2026-03-10'));
  });
});

describe('the tables of transitions of the other kinds', () => {
  const debit = {
    submit: 'pending,in_process>in_process',
    retry: 'in_process>in_process',
    collect: 'pending,in_process,rejected,canceled,reverted,refunded>paid',
    reject: 'in_process>rejected',
    cancel: 'pending>canceled',
    revert: 'paid>reverted',
    refund: 'paid>refunded',
  };
  const expected = {
    debit_request: debit,
    card_debit_request: debit,
    qr: {
      collect: 'pending,expired,deleted,refunded>paid',
      expire: 'pending>expired',
      edit: 'pending>pending',
      delete: 'pending>deleted',
      revert: 'paid>refunded',
      refund: 'paid>refunded',
    },
  };

  test.each(Object.keys(expected) as (keyof typeof expected)[])(
    'allows a %s only the listed moves',
    (kind) => {
      const written = Object.entries(transitions[kind]).map(([move, { from, to }]) => [
        move,
        `${from.join(',')}>${to}`,
      ]);
      expect(Object.fromEntries(written)).toEqual(expected[kind]);
    },
  );
});

describe('the table of transitions of payment requests', () => {
  const states = ['pending', 'paid', 'expired', 'reverted', 'refunded'] as const;
  const allowed = Object.values(transitions.payment_request).flatMap(({ from, to }) =>
    from.map((state) => `${state} ${to}`),
  );

  test('allows only the listed moves', () => {
    const expected = [
      'pending paid',
      'expired paid',
      'reverted paid',
      'refunded paid',
      'pending expired',
      'paid reverted',
      'paid refunded',
    ];
    const pairs = states.flatMap((from) => states.map((to) => `${from} ${to}`));
    expect(pairs.filter((pair) => allowed.includes(pair)).sort()).toEqual(expected.sort());
    expect(allowed).toHaveLength(expected.length);
  });
});
