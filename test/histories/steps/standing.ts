import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { endMandate } from '../model/debits.ts';
import { balances } from '../model/reports.ts';
import type { Play } from '../play.ts';
import { decideAll } from './charges.ts';
import { networkFile } from './files.ts';
import { move } from './time.ts';

const paymentRequest = {
  payment_request: {
    description: 'Cuota',
    first_due_date: '31-12-2027',
    first_total: 10,
    payer_name: 'Ana',
  },
};

/** Calls that a suspended account may not make. */
const refused = [
  ['POST', '/payment-request', paymentRequest],
  ['POST', '/save-qr-data', { total_count: 0, data: [] }],
  ['POST', '/create-qr', {}],
  ['POST', '/adhesion', {}],
  ['POST', '/debit-request', {}],
  ['GET', '/bucket-url', undefined],
] as const;

/** Waits until every process knows the new permissions, by a call that changes nothing. */
async function heard({ deployment }: Play, fits: (status: number) => boolean): Promise<void> {
  const until = Date.now() + 60_000;
  for (;;) {
    const answers = await deployment.each('POST', '/create-qr', { body: {} });
    if (answers.every((one) => one !== 'nobody knows' && fits(one.status))) return;
    if (Date.now() > until) throw new Error('a process did not hear of the account');
    await sleep(20);
  }
}

/**
 * Suspends the account for some days: it can read, and reports and due work continue. Runs alone.
 */
export async function suspend(play: Play): Promise<void> {
  const { model, random } = play;
  await play.desk((desk) => desk.suspend());
  await heard(play, (status) => status === 403);
  play.note('suspended');
  model.isSuspended = true;
  for (const [method, path, body] of refused.filter(() => random.percent(50))) {
    const { answer } = await play.send(method, path, body === undefined ? {} : { body });
    expect(answer.status, `${path} ${answer.text}`).toBe(403);
  }
  const ask = play.take(({ kind }) => kind === 'payment_request');
  if (ask) {
    const body = { refund: {} };
    const { answer } = await play.send('POST', `/payment-request/${ask.id}/refund`, { body });
    expect(answer.status, answer.text).toBe(403);
    const paid = await play.send('POST', `/sandbox/pay/${ask.id}`, { body: {} });
    expect(paid.answer.status, paid.answer.text).toBe(403);
    await play.check(ask);
  }
  play.momentOver();
  if (random.percent(70)) await networkFile(play);
  const { done } = await play.desk((desk) => desk.payOut(play.name('payout'), null));
  expect(done).toMatchObject({ refused: 'forbidden' });
  if (random.percent(60)) await move(play);
  await play.desk((desk) => desk.reopen());
  model.isSuspended = false;
  await heard(play, (status) => status !== 403);
  play.note(`reopened, ${balances(model)}`);
}

/** Settles the books at the end and closes the account, which disables its keys. */
export async function close(play: Play): Promise<void> {
  const { model } = play;
  const early = await closeOnceDecided(play);
  const [available, unavailable] = balances(model);
  expect(unavailable).toBe(0);
  if (available !== 0) {
    expect(early.done).toMatchObject({ refused: 'conflict' });
    const reference = play.name('even');
    await play.desk((desk) => desk.correct(reference, -available));
    model.corrections.push({ reference, amount: -available, on: model.today });
    const { done } = await play.desk((desk) => desk.close());
    expect(done, JSON.stringify(done)).toMatchObject({ closed: true });
  }
  play.note('closed');
  for (const mandate of model.mandates.values()) endMandate(mandate, model.asks.values());
  await heard(play, (status) => status === 401);
}

/**
 * Closes the account once nothing is pending. Debits that fall due until then may have open
 * charges.
 */
async function closeOnceDecided(play: Play) {
  for (let tries = 0; ; tries += 1) {
    await decideAll(play);
    for (let days = 0; owedLater(play) && days < 60; days += 1) await move(play);
    await play.settleToday();
    const early = await play.desk((desk) => desk.close());
    const waits = 'code' in early.done && early.done.code === 'account.charges_open';
    if (tries === 30 || !waits) return early;
    await move(play);
  }
}

/** Returns true if money is not available yet, or is being refunded. */
const owedLater = ({ model }: Play): boolean =>
  balances(model)[1] !== 0 ||
  [...model.asks.values()].some(({ refunds }) =>
    refunds.some(({ state }) => state === 'requested'),
  );
