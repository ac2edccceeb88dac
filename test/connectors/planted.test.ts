import { expect, test } from 'vitest';
import { faults } from './planted-faults.ts';
import { type Fault, kitWith } from './planted-rig.ts';

/** Number of concurrent runs, which mostly wait. */
const atOnce = 8;

async function isNoticed(fault: Fault): Promise<boolean> {
  return (await kitWith(fault)).broken > 0;
}

test('detects at least 95 % of planted faults, and reports none if none is planted', async () => {
  const groups = [...new Set(faults.flatMap((fault) => fault.groups))];
  const sound = await kitWith({ does: 'what it should', groups });
  expect(sound.results.filter(({ result }) => result === 'broken')).toEqual([]);
  expect(faults.length).toBeGreaterThan(85);
  const waiting = [...faults];
  const missed: string[] = [];
  const work = async (): Promise<void> => {
    for (let fault = waiting.shift(); fault; fault = waiting.shift()) {
      if (!(await isNoticed(fault))) missed.push(fault.does);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  expect(missed.length / faults.length, `missed: ${missed.join('; ')}`).toBeLessThanOrEqual(0.05);
}, 600_000);
