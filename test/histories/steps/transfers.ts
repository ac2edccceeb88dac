import { expect } from 'vitest';
import { buildCvu } from '../../../src/kernel/cbu.ts';
import { noticeOf, noticesPath } from '../bank.ts';
import { dueOn } from '../model/ask.ts';
import { collect, takeBack } from '../model/money.ts';
import type { Play } from '../play.ts';
import { learnFound } from './files.ts';
import { lookForReleases, someAmount } from './payments.ts';

/** The sandbox's default provider. */
const psp = '9991';

/** Delivers a notice until it is accepted, sometimes three times at once. It takes effect once. */
async function tell(play: Play, notice: object): Promise<void> {
  const times = play.random.percent(40) ? 3 : 1;
  const told = await Promise.all(
    Array.from({ length: times }, () => play.send('POST', noticesPath, noticeOf(notice))),
  );
  for (const { answer } of told) expect(answer.status, answer.text).toBe(200);
}

/** Reports a transfer by a bank's connector, in time or late. Reverses some of them. */
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

/** No request has an id this high. */
const nobodys = 900_000_000;

/** Reports a transfer to an unknown account: it goes into suspense. */
export async function strayTransfer(play: Play): Promise<void> {
  const { model, random } = play;
  const amount = someAmount(play);
  const id = play.name('stray');
  const cvu = buildCvu(psp, nobodys + random.below(99_999));
  const paid_at = new Date(model.now()).toISOString();
  await tell(play, { type: 'transfer.received', id, cvu, amount, paid_at });
  await learnFound(play, 'wire_transfer', [{ amount, paidOn: model.today }]);
  const found = model.found.at(-1);
  if (found) found.transfer = id;
  play.note(`transfer ${id} of ${amount} is nobody's`);
}

/**
 * Reverses such a transfer at its bank, in suspense or after the operator has also returned it.
 * Raises an alarm.
 */
export async function reverseStray(play: Play): Promise<void> {
  const { model, random } = play;
  const known = model.found.filter(({ transfer: id, state }) => id && state !== 'assigned');
  const found = random.one(known);
  if (!found) return;
  const { id, amount, state } = found;
  await tell(play, { type: 'transfer.reversed', id: found.transfer, amount });
  if (state === 'open') found.state = 'reversed';
  const { done: alarms } = await play.desk(
    async (_desk, { sql }) =>
      await sql<{ kind: string }[]>`
        select kind from money_alarms where suspense_id = ${id} order by kind`,
  );
  const kind = state === 'returned' ? 'reversed_after_return' : 'reversed_in_suspense';
  expect(alarms, `alarms of ${id}`).toEqual([{ kind }]);
  play.note(`transfer ${found.transfer} in suspense reversed, it was ${state}`);
}
