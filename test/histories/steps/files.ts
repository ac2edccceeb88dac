import { expect } from 'vitest';
import { linkLines, pagoFacilLines, pmcLines, rapipagoLines } from '../../rails/files.ts';
import { type Ask, dueOn } from '../model/ask.ts';
import { addDays, compact, type Day, dayAt, laterOf } from '../model/days.ts';
import { collect } from '../model/money.ts';
import type { Channel } from '../model/terms.ts';
import type { Play } from '../play.ts';
import { someAmount } from './payments.ts';

/**
 * Returns the code that a payer types at a bank: 1, the id in 14 digits, and the Luhn check digit.
 */
export function typedCode(id: number): string {
  const body = `1${String(id).padStart(14, '0')}`;
  const sum = [...body]
    .map((digit, at) => (at % 2 === 0 ? Number(digit) * 2 : Number(digit)))
    .reduce((all, one) => all + (one > 9 ? one - 9 : one), 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}

interface Network {
  rail: string;
  channel: Channel;
  typed: boolean;
  /** The largest amount that fits a line, in centavos. */
  most: number;
  lines: typeof rapipagoLines;
}

const networks: readonly Network[] = [
  {
    rail: 'pago-facil',
    channel: 'non_banking',
    typed: false,
    most: 99_999_999,
    lines: (date, payments) => pagoFacilLines(date, payments),
  },
  {
    rail: 'rapipago',
    channel: 'non_banking',
    typed: false,
    most: 9_999_999_999,
    lines: (date, payments) => rapipagoLines(date, payments),
  },
  {
    rail: 'pmc',
    channel: 'banelco_pmc',
    typed: true,
    most: 999_999_999,
    lines: (date, payments) => pmcLines(date, payments),
  },
  {
    rail: 'link',
    channel: 'link_pagos',
    typed: true,
    most: 999_999_999,
    lines: (date, payments) => linkLines(date, payments),
  },
];

interface Told {
  ask: Ask | null;
  code: string;
  amount: number;
  paidOn: Day;
}

/** Returns a line of a file: money for a request in any state, or for none. */
function someLine(play: Play, { typed, most }: Network): Told {
  const { model, random } = play;
  const paidOn = laterOf(addDays(model.today, -random.below(4)), model.firstDay);
  const amount = Math.min(someAmount(play), most);
  const ask = random.percent(85) ? play.take(({ kind }) => kind === 'payment_request') : undefined;
  if (!ask) {
    const code = typed ? typedCode(900_000_000 + random.below(99_999)) : '9'.repeat(30);
    return { ask: null, code, amount, paidOn };
  }
  const asked = random.percent(80) ? Math.min(dueOn(ask, paidOn), most) : amount;
  return { ask, code: typed ? typedCode(ask.id) : (ask.barcode ?? ''), amount: asked, paidOn };
}

/** Imports a network's daily file, sometimes twice at once. It counts once. */
export async function networkFile(play: Play): Promise<void> {
  const { model, random } = play;
  const network = random.one(networks) ?? networks[0];
  if (!network) return;
  const told = Array.from({ length: random.between(1, 8) }, () => someLine(play, network));
  // Paid twice at the same network: both payments count.
  const twice = random.percent(20) ? told.slice(0, 1) : [];
  const all = [...told, ...twice];
  const lines = network.lines(
    compact(model.today),
    all.map((one) => ({ ...one, paidOn: compact(one.paidOn) })),
  );
  await play.takeIn((desk) => desk.importNetwork(network.rail, lines));
  const lost = all.filter(({ ask }) => ask === null);
  for (const { ask, amount, paidOn } of all) {
    if (ask) collect(model.book, ask, { channel: network.channel, amount, paidOn });
  }
  play.note(`${network.rail}: ${all.map(({ ask, amount }) => `${ask?.id} ${amount}`)}`);
  await learnFound(play, network.channel, lost);
  for (const { ask } of told) if (ask) await play.check(ask);
}

/** Checks that the reported money is in suspense, and learns its ids. */
export async function learnFound(
  play: Play,
  channel: Channel,
  lost: { amount: number; paidOn: Day; run?: string }[],
): Promise<void> {
  const { model } = play;
  if (lost.length === 0) return;
  const { done: rows } = await play.desk((desk) => desk.suspense());
  const known = new Set(model.found.map(({ id }) => id));
  for (const { amount, paidOn, run = null } of lost) {
    const row = rows.find(
      (one) =>
        !known.has(one.id) &&
        one.channel === channel &&
        one.amount === amount &&
        dayAt(one.paid_at.epochMilliseconds) === paidOn,
    );
    if (!row) throw new Error(`${amount} by ${channel} is not in suspense`);
    known.add(row.id);
    model.found.push({ id: row.id, channel, amount, paidOn, run, state: 'open' });
  }
}

/** Assigns money in suspense to a request of any kind and state, or returns it. */
export async function resolveFound(play: Play): Promise<void> {
  const { model, random } = play;
  const found = random.one(model.found);
  if (!found) return;
  const times = random.percent(30) ? 2 : 1;
  if (random.percent(25)) {
    const outcomes = await Promise.all(
      Array.from({ length: times }, () => play.desk((desk) => desk.giveBack(found.id))),
    );
    for (const { done } of outcomes) {
      if (found.state === 'assigned' || found.state === 'reversed')
        expect(done).toMatchObject({ refused: 'conflict' });
      else expect(['returned', 'known']).toContain(done);
    }
    if (found.state === 'open') found.state = 'returned';
    play.note(`gave back ${found.id}`);
    return;
  }
  const ask = play.take();
  if (ask && found.state === 'reversed') {
    const { done } = await play.desk((desk) => desk.assign(found.id, ask.id));
    expect(done).toMatchObject({ refused: 'conflict' });
  }
  if (!ask || found.state !== 'open') return;
  const inProcess = ask.state === 'in_process';
  const outcomes = await Promise.all(
    Array.from({ length: times }, () => play.desk((desk) => desk.assign(found.id, ask.id))),
  );
  play.note(`assigned ${found.id} to ${ask.kind} ${ask.id} ${ask.state}`);
  for (const { done } of outcomes) {
    if (inProcess) expect(done).toMatchObject({ refused: 'conflict' });
    else expect(['assigned', 'known']).toContain(done);
  }
  if (inProcess) return;
  found.state = 'assigned';
  const { channel, amount, paidOn } = found;
  collect(model.book, ask, { channel, amount, paidOn }).run = found.run;
  await play.check(ask);
}
