import { expect } from 'vitest';
import { buildCvu } from '../../../src/kernel/cbu.ts';
import { noticeOf, noticesPath } from '../bank.ts';
import { dueOn } from '../model/ask.ts';
import { collect, takeBack } from '../model/money.ts';
import type { Play } from '../play.ts';
import { lookForReleases, someAmount } from './payments.ts';

/** The sandbox's own provider, where nothing is configured. */
const psp = '9991';

/** A connector tells until it is taken, now and then twice at once: it counts once. */
async function tell(play: Play, notice: object): Promise<void> {
  const times = play.random.percent(40) ? 3 : 1;
  const told = await Promise.all(
    Array.from({ length: times }, () => play.send('POST', noticesPath, noticeOf(notice))),
  );
  for (const { answer } of told) expect(answer.status, answer.text).toBe(200);
}

/** A transfer that a bank's connector tells of, on time or not; some of them are reversed. */
export async function transfer(play: Play): Promise<void> {
  const { model, random } = play;
  const ask = play.take(({ kind }) => kind === 'payment_request');
  if (!ask) return;
  const channel = 'wire_transfer';
  const amount = random.percent(40) ? someAmount(play) : dueOn(ask, model.today);
  const id = play.name('transfer');
  const paid_at = new Date(model.now()).toISOString();
  await tell(play, { type: 'transfer.received', id, cvu: buildCvu(psp, ask.id), amount, paid_at });
  collect(model.book, ask, { channel, amount, paidOn: model.today });
  play.note(`transfer ${id} of ${amount} told on ${ask.id}`);
  await play.check(ask);
  if (!random.percent(30)) return;
  await lookForReleases(play, ask);
  await play.learn(ask);
  await tell(play, { type: 'transfer.reversed', id, amount });
  const place = ask.payments.length - 1;
  takeBack(model.book, ask, { type: 'chargeback', place, part: null });
  play.note(`transfer ${id} reversed on ${ask.id}`);
  await play.check(ask);
}
