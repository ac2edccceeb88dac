import { expect } from 'vitest';
import { testAccount } from '../harness/service.ts';
import type { Deployment } from './deployment.ts';
import { openEars } from './ears.ts';
import { addDays, type Day } from './model/days.ts';
import { Model } from './model/model.ts';
import {
  balances,
  type Day5,
  holderBooks,
  operatorBooks,
  reportsOf,
  unreleased,
} from './model/reports.ts';
import type { Rate } from './model/terms.ts';
import { inCentavos, Play } from './play.ts';
import type { Random } from './random.ts';
import * as charges from './steps/charges.ts';
import * as debitFiles from './steps/debit-files.ts';
import * as debits from './steps/debits.ts';
import * as files from './steps/files.ts';
import { importFile, undoImport } from './steps/imports.ts';
import * as operator from './steps/operator.ts';
import * as payments from './steps/payments.ts';
import * as qrs from './steps/qrs.ts';
import * as refunds from './steps/refunds.ts';
import * as standing from './steps/standing.ts';
import { move } from './steps/time.ts';
import { reverseStray, strayTransfer, transfer } from './steps/transfers.ts';
import { twoPeople } from './steps/two-people.ts';

type Step = (play: Play) => Promise<void>;

/** Steps that can run concurrently: each works with separate requests. */
const together = {
  create: [10, payments.create],
  payOnline: [14, payments.payOnline],
  payOffline: [7, payments.payOffline],
  payTwice: [3, payments.payTwice],
  transfer: [5, transfer],
  giveBack: [12, payments.giveBack],
  rush: [4, payments.rush],
  save: [4, qrs.save],
  payQr: [9, qrs.pay],
  editQr: [5, qrs.edit],
  deleteQr: [3, qrs.remove],
  mandate: [4, debits.mandate],
  debit: [9, debits.debit],
  cancelDebit: [2, debits.cancelDebit],
  networkFile: [5, files.networkFile],
  correct: [2, operator.putRight],
  charge: [8, charges.charge],
  decide: [6, charges.decide],
} as const satisfies Record<string, [number, Step]>;

/** Steps that run alone. */
const alone = {
  move: [30, move],
  upload: [2, qrs.upload],
  askAtWall: [10, qrs.askAtWall],
  payAtWall: [12, qrs.payAtWall],
  createWall: [3, qrs.createWall],
  cancelMandate: [2, debits.cancelMandate],
  exportFile: [10, debitFiles.exportFile],
  bankFile: [9, debitFiles.bankFile],
  cardFile: [8, debitFiles.cardFile],
  refund: [14, refunds.refund],
  rushForRefunds: [8, refunds.rushForRefunds],
  resolveFound: [12, files.resolveFound],
  strayTransfer: [5, strayTransfer],
  reverseStray: [5, reverseStray],
  payOut: [6, operator.payOut],
  takePayoutBack: [2, operator.takePayoutBack],
  changeFees: [6, operator.changeFees],
  changeAccount: [3, operator.changeAccount],
  changeCalendar: [1, operator.changeCalendar],
  suspend: [2, standing.suspend],
  dispute: [5, charges.dispute],
  twoPeople: [5, twoPeople],
  answerLetter: [3, debits.answerLetter],
  importFile: [4, importFile],
  undoImport: [3, undoImport],
} as const satisfies Record<string, [number, Step]>;

const weightsOf = <K extends string>(
  steps: Record<K, readonly [number, Step]>,
): Record<K, number> =>
  Object.fromEntries(
    Object.entries<readonly [number, Step]>(steps).map(([name, [weight]]) => [name, weight]),
  ) as Record<K, number>;

const ratesFrom = (day: Day): Rate[] => [
  { regime: 'SIRTAC', place: 'Chaco', from: '2020-01-01', to: null, ppm: 17_500 },
  { regime: 'SIRTAC', place: 'Chaco', from: addDays(day, 6), to: addDays(day, 20), ppm: 33_333 },
  { regime: 'IIBB', place: 'Santa Fe', from: addDays(day, 3), to: null, ppm: 1 },
];

export interface Figures {
  seed: number;
  operations: number;
  /** Number of calls and commands, including those that check the outcome. */
  calls: number;
  days: number;
  payments: number;
  /** Number of payments by channel. */
  channels: Record<string, number>;
  backs: number;
  steps: Record<string, number>;
}

/** Starts at a known hour, with withholdings and a CBU for payouts. */
async function begin(deployment: Deployment, random: Random): Promise<Play> {
  const path = '/sandbox/clock';
  const clock = await deployment.send('GET', path);
  if (clock === 'nobody knows') throw new Error('nobody answers');
  const today = String(clock.body.now).slice(0, 10);
  const start = Date.parse(`${addDays(today, 1)}T11:00:00Z`);
  const model = new Model(start, ratesFrom(addDays(today, 1)), () => performance.now());
  const play = new Play(model, deployment, random);
  play.clockKey = (await play.desk((desk) => desk.keyOfAnother())).done;
  await play.desk(async (desk, { sql }) => {
    await desk.set({ payoutCbu: '0170099220000067797370' });
    for (const { regime, place, from, to, ppm } of model.book.rates) {
      await sql`
        insert into withholding_rates (cuit, regime, jurisdiction, valid_from, valid_to, rate_ppm)
        select cuit, ${regime}, ${place}, ${from}::date, ${to}::date, ${ppm} from accounts
        where id = ${testAccount} on conflict do nothing`;
    }
  });
  const { answer } = await play.send('POST', path, {
    body: { advance_to: new Date(start).toISOString().replace(/\.\d+Z$/, 'Z') },
  });
  expect(answer.status, answer.text).toBe(200);
  await play.settleToday();
  return play;
}

const names = ['collection', 'chargeback', 'refund', 'settlement', 'retentions'] as const;

/** Converts an item of a report into the model's words. */
function itemOf(name: (typeof names)[number], row: Record<string, unknown>): string {
  const money = (member: string): number => inCentavos(Number(row[member]));
  const day = (member: string): string => String(row[member]).slice(0, 10);
  const id = row.request_id ?? '-';
  switch (name) {
    case 'collection':
      return [
        ...[id, money('amount_paid'), money('net_fee'), money('iva_fee')],
        ...[day('payment_date'), day('available_at')],
      ].join(' ');
    case 'chargeback':
      return [id, money('reverted_amount')].join(' ');
    case 'refund':
      return [id, money('refunded_amount')].join(' ');
    case 'settlement':
      return [id, money('credit'), money('debit')].join(' ');
    case 'retentions':
      return [
        ...[id, row.regime, row.jurisdiction, money('base')],
        ...[Math.round(Number(row.rate) * 10_000), money('amount')],
      ].join(' ');
  }
}

async function readDay(play: Play, day: Day): Promise<Day5> {
  const read = await Promise.all(
    names.map(async (name) => {
      const { data } = await play.get(`/report/${name}/${day}`);
      const rows = (data as Record<string, unknown>[]).map((row) => itemOf(name, row));
      return [name, rows.sort()] as const;
    }),
  );
  return Object.fromEntries(read) as unknown as Day5;
}

/** Sums an account's journals by ledger account, without those that are zero. */
async function booksOf(play: Play, accountId: string) {
  const { done: rows } = await play.desk(
    async (_desk, { sql }) =>
      await sql<{ account: number; amount: number }[]>`
      select line.account, sum(line.amount)::bigint as amount
      from journals, unnest(accounts, amounts) as line (account, amount)
      where account_id = ${accountId}
      group by line.account having sum(line.amount) <> 0 order by line.account`,
  );
  expect(
    rows.reduce((sum, { amount }) => sum + Number(amount), 0),
    'all journals',
  ).toBe(0);
  return Object.fromEntries(rows.map(({ account, amount }) => [account, Number(amount)]));
}

/** Lists money not yet available, by request and day, to find the request that differs. */
async function unreleasedOf(play: Play): Promise<string[]> {
  const { done: rows } = await play.desk(
    async (_desk, { sql }) =>
      await sql<{ request_id: number; available_on: Temporal.PlainDate; unreleased: number }[]>`
      select request_id, available_on, unreleased from results
      where account_id = ${testAccount} and type = 'collected' and unreleased <> 0`,
  );
  return rows
    .map(
      ({ request_id, available_on, unreleased }) => `${request_id} ${available_on} ${unreleased}`,
    )
    .sort();
}

/** Compares the holder's and the operator's books with the model. */
async function compareBooks(play: Play): Promise<void> {
  const { model } = play;
  await play.settleToday();
  const has = {
    toCome: await unreleasedOf(play),
    ofHolder: await booksOf(play, testAccount),
    ofOperator: await booksOf(play, '00000000'),
  };
  expect(has, 'money to come, and books').toEqual({
    toCome: unreleased(model),
    ofHolder: holderBooks(model),
    ofOperator: operatorBooks(model),
  });
}

async function audit(play: Play): Promise<void> {
  const { done: faults } = await play.desk((desk) => desk.faults());
  expect(faults, 'audit').toEqual([]);
}

/**
 * Adds up the settlement lines of each request with a late approval, whose release and refund can
 * come in either order.
 */
function settledTogether({ asks }: Model, day: Day5): Day5 {
  const sums = new Map<string, number>();
  const others = day.settlement.filter((row) => {
    const [id = '', credited, debited] = row.split(' ');
    if (!asks.get(Number(id))?.payments.some(({ unwanted }) => unwanted)) return true;
    sums.set(id, (sums.get(id) ?? 0) + Number(credited) - Number(debited));
    return false;
  });
  const summed = [...sums].map(([id, sum]) => `${id} ${sum} in all`);
  const settlement = [...others, ...summed.filter((row) => !/ 0 in all$/.test(row))].sort();
  return { ...day, settlement };
}

async function compare(play: Play, days: Day[]): Promise<void> {
  const { model } = play;
  await compareBooks(play);
  const body = await play.get('/account/balances');
  const shown = [body.available_balance, body.unavailable_balance].map(inCentavos);
  expect(shown, 'balances').toEqual(balances(model));
  for (const day of days) {
    const [has, should] = [await readDay(play, day), reportsOf(model, day)];
    expect(settledTogether(model, has), day).toEqual(settledTogether(model, should));
  }
}

const inGroups = <T>(all: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_none, at) =>
    all.slice(at * size, (at + 1) * size),
  );

async function compareAll(play: Play): Promise<void> {
  const { model } = play;
  const days: Day[] = [];
  for (let day = model.firstDay; day <= model.today; day = addDays(day, 1)) days.push(day);
  for (const some of inGroups([...model.asks.values()], 16)) {
    await Promise.all(some.map((ask) => play.check(ask)));
  }
  await compare(play, days);
  await audit(play);
}

/** Plays one moment: one exclusive step, or several concurrent ones. */
async function moment(play: Play, count: (name: string) => void): Promise<void> {
  const { random } = play;
  if (random.percent(40)) {
    const name = random.weighted(weightsOf(alone));
    count(name);
    await alone[name][1](play);
  } else {
    const chosen = Array.from({ length: random.between(1, play.deployment.crowd) }, () =>
      random.weighted(weightsOf(together)),
    );
    for (const name of chosen) count(name);
    const ended = await Promise.allSettled(chosen.map((name) => together[name][1](play)));
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
  }
  play.momentOver();
}

function figuresOf(seed: number, { model, calls }: Play, steps: Record<string, number>): Figures {
  const asks = [...model.asks.values()];
  const channels: Record<string, number> = {};
  for (const { channel } of asks.flatMap(({ payments }) => payments)) {
    channels[channel] = (channels[channel] ?? 0) + 1;
  }
  return {
    seed,
    operations: Object.values(steps).reduce((sum, count) => sum + count, 0),
    calls,
    days: Math.round((Date.parse(model.today) - Date.parse(model.firstDay)) / 86_400_000),
    payments: asks.reduce((sum, { payments }) => sum + payments.length, 0),
    channels,
    backs: asks.reduce((sum, { backs }) => sum + backs.length, 0),
    steps,
  };
}

export interface HistoryOptions {
  seed: number;
  operations: number;
  /** Returns true to start no further moment; everything done so far is compared. */
  isOver?: () => boolean;
  /** Receives the figures after each moment. */
  onMoment?: (figures: Figures) => void;
}

/**
 * Plays a random history of this many operations, and compares the service with the model along the
 * way and at the end. A failure names the seed and the last acts.
 */
export async function history(
  deployment: Deployment,
  random: Random,
  { seed, operations, isOver = () => false, onMoment = () => {} }: HistoryOptions,
): Promise<Figures> {
  const play = await begin(deployment, random);
  const ears = await openEars(play);
  const steps: Record<string, number> = {};
  let done = 0;
  try {
    for (let moments = 0; done < operations && !isOver(); moments += 1) {
      const before = done;
      await moment(play, (name) => {
        steps[name] = (steps[name] ?? 0) + 1;
        done += 1;
      });
      await deployment.between(done - before);
      onMoment(figuresOf(seed, play, steps));
      const { today, firstDay } = play.model;
      const past = addDays(today, -random.below(5));
      if (moments % 12 === 0) await compare(play, past < firstDay ? [today] : [past, today]);
    }
    await compareAll(play);
    await ears.compare(play);
    await standing.close(play);
    await compareBooks(play);
    await audit(play);
  } catch (error) {
    const last = play.log.slice(-Number(process.env.HISTORY_LOG ?? 40)).join('\n');
    throw new Error(`seed ${seed}, after ${done} operations:\n${last}`, {
      cause: error,
    });
  } finally {
    await ears.close();
  }
  return figuresOf(seed, play, steps);
}
