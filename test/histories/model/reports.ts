import type { Ask } from './ask.ts';
import type { Day } from './days.ts';
import type { Model } from './model.ts';
import { clearing } from './terms.ts';

const sum = (values: number[]): number => values.reduce((all, one) => all + one, 0);
const asks = (model: Model): Ask[] => [...model.asks.values()];

/** Sums of a ledger's accounts, without those that are zero. */
export type Sums = Record<string, number>;

const adder = () => {
  const sums = new Map<number, number>();
  return {
    add: (account: number, amount: number) => sums.set(account, (sums.get(account) ?? 0) + amount),
    sums: (): Sums =>
      Object.fromEntries([...sums].filter(([, amount]) => amount !== 0).sort(([a], [b]) => a - b)),
  };
};

/**
 * Returns the account holder's books, with the account numbers of docs/explanation/money.md; debits
 * are positive.
 */
export function holderBooks(model: Model): Sums {
  const { add, sums } = adder();
  for (const { payments, backs, refunds, asides } of asks(model)) {
    for (const one of payments) {
      const withheld = sum(one.lines.map((line) => line.amount));
      add(clearing[one.channel], one.amount);
      add(3, -one.net);
      add(4, -one.vat);
      add(5, -withheld);
      add(1, -one.unreleased);
      add(2, -one.released);
    }
    for (const one of backs) {
      add(one.transferred ? 201 : clearing[one.channel], -one.amount);
      add(3, one.fee);
      add(4, one.vat);
      add(5, -sum(one.lines.map((line) => line.amount)));
      add(2, one.fromAvailable);
    }
    for (const { taken } of asides) add(2, taken);
    for (const { state, held } of refunds) if (state === 'requested') add(8, -held);
  }
  for (const { amount, returnedOn } of model.payouts) {
    if (returnedOn !== null) continue;
    add(2, amount);
    add(201, -amount);
  }
  for (const { amount } of model.corrections) {
    add(2, -amount);
    add(7, amount);
  }
  return sums();
}

export function operatorBooks(model: Model): Sums {
  const { add, sums } = adder();
  for (const { channel, amount, state } of model.found) {
    if (state === 'reversed') continue;
    if (state === 'open') add(6, -amount);
    if (state !== 'assigned') add(clearing[channel], amount);
    if (state === 'returned') add(201, -amount);
  }
  return sums();
}

/** Returns money not yet available: request, day and centavos, sorted. */
export const unreleased = (model: Model): string[] =>
  asks(model)
    .flatMap((ask) => ask.payments.map((one) => ({ ask, one })))
    .filter(({ one }) => one.unreleased !== 0)
    .map(({ ask, one }) => `${ask.id} ${one.available} ${one.unreleased}`)
    .sort();

/** Returns the available and the unavailable balance. */
export function balances(model: Model): [number, number] {
  const books = holderBooks(model);
  return [0 - (books[2] ?? 0), 0 - (books[1] ?? 0)];
}

/** The items of a day's five reports, each as a text, sorted; amounts in centavos. */
export interface Day5 {
  collection: string[];
  chargeback: string[];
  refund: string[];
  settlement: string[];
  retentions: string[];
}

const item = (...cells: (string | number)[]): string => cells.join(' ');

function settlementOf(model: Model, day: Day): string[] {
  const row = (id: number | string, credited: number) =>
    credited === 0 ? [] : [item(id, Math.max(credited, 0), Math.max(-credited, 0))];
  return [
    ...asks(model).flatMap(({ id, payments, backs, asides }) => [
      ...payments.flatMap((one) => (one.releasedOn === day ? row(id, one.released) : [])),
      ...backs.flatMap((one) => (one.on === day ? row(id, -one.fromAvailable) : [])),
      ...asides.flatMap((one) => (one.on === day ? row(id, -one.taken) : [])),
    ]),
    ...model.payouts.flatMap(({ amount, sentOn, returnedOn }) => [
      ...(sentOn === day ? row('-', -amount) : []),
      ...(returnedOn === day ? row('-', amount) : []),
    ]),
    ...model.corrections.flatMap(({ amount, on }) => (on === day ? row('-', amount) : [])),
  ];
}

export function reportsOf(model: Model, day: Day): Day5 {
  const all = asks(model);
  const payments = all.flatMap(({ id, payments: own }) =>
    own.filter(({ informedOn }) => informedOn === day).map((one) => ({ ...one, id })),
  );
  const backs = all.flatMap(({ id, backs: own }) =>
    own.filter(({ on }) => on === day).map((one) => ({ ...one, id })),
  );
  const those = (type: string) =>
    backs.filter((one) => one.type === type).map(({ id, amount }) => item(id, amount));
  const lines = [...payments, ...backs].flatMap(({ id, lines: own }) =>
    own.map(({ name, base, ppm, amount }) => item(id, name, base, ppm, amount)),
  );
  return {
    collection: payments
      .map(({ id, amount, net, vat, promised, paidOn }) =>
        item(id, amount, net, vat, paidOn, promised),
      )
      .sort(),
    chargeback: those('chargeback').sort(),
    refund: those('refund').sort(),
    settlement: settlementOf(model, day).sort(),
    retentions: lines.sort(),
  };
}

/** Returns a request's results as GET shows them, each as a text, sorted. */
export function resultsOf({ payments, backs, rejections }: Ask): string[] {
  return [
    ...payments.map(({ amount, net, vat, available, releasedOn }) =>
      item('collected', amount, net, vat, available, releasedOn === null ? 'no' : 'yes'),
    ),
    ...backs.map(({ type, amount }) => item(type, amount)),
    ...rejections.map((amount) => item('rejected', amount)),
  ].sort();
}
