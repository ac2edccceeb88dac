import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { addDays, hourOn } from '../model/days.ts';
import type { Play } from '../play.ts';
import { learnRefunds } from './refunds.ts';

const minuteMs = 60_000;

/** Returns true if the target is clear of moments that are known only to the second. */
function isClear({ model }: Play, target: number): boolean {
  return model.moments().every((at) => at < target - 2 * minuteMs || at > target + 50 * minuteMs);
}

/** Returns an hour of today or a later day at which nothing is about to happen. */
function someTarget(play: Play): number {
  const { model, random } = play;
  for (let tries = 0; tries < 500; tries += 1) {
    const days = random.weighted({ '0': 3, '1': 6, '2': 2, '4': 2, '9': 1 });
    const hour = random.between(5, 20);
    const target = hourOn(addDays(model.today, Number(days)), hour) + random.below(8) * minuteMs;
    if (target > model.now() + minuteMs && isClear(play, target)) return target;
  }
  throw new Error('no clear hour');
}

/** Moves the clock in one process; the others follow. */
export async function move(play: Play): Promise<void> {
  const { model } = play;
  const target = someTarget(play);
  const advance_to = new Date(target).toISOString().replace(/\.\d+Z$/, 'Z');
  const path = '/sandbox/clock';
  const { answer, again } = await play.send('POST', path, { body: { advance_to } });
  // When repeated, the clock may already have arrived.
  if (!(again && answer.status === 400)) expect(answer.status, answer.text).toBe(200);
  for (let behind = true; behind; ) {
    const clocks = await play.deployment.each('GET', path, play.asWhom(path));
    behind = clocks.some(
      (clock) => clock === 'nobody knows' || Date.parse(clock.body.now) < target - 1_000,
    );
    if (behind) await sleep(20);
  }
  model.advance(target);
  // The next move finishes one that was cut off.
  if (again) await play.settleToday();
  for (const ask of model.asks.values()) await learnRefunds(play, ask);
  play.note(`clock at ${advance_to}`);
}
