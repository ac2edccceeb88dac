import { expect, test } from 'vitest';
import { history } from './history.ts';
import { type Kills, killedDeployment } from './killed-deployment.ts';
import { randomOf } from './random.ts';

/**
 * The same histories while processes and the database are killed, with -9, at any moment: what was
 * answered is there, what was not is there once or not at all, and repeating a call settles it.
 *
 * By hand: `HISTORY_OPERATIONS=10000 npx vitest run test/histories/killed.test.ts`, which plays
 * histories of 250 operations, each in a deployment of its own; `HISTORY_SEED` is the first.
 */
const { HISTORY_SEED = '1', HISTORY_OPERATIONS = '40' } = process.env;
const wanted = Number(HISTORY_OPERATIONS);
const most = 250;
/** A process starts in seconds, and on a busy machine in many. */
const operationsTakeMs = (operations: number): number => 120_000 + operations * 10_000;
const lengths = Array.from({ length: Math.ceil(wanted / most) }, (_none, at) =>
  Math.min(most, wanted - at * most),
);

test.each(lengths.map((operations, at) => ({ seed: Number(HISTORY_SEED) + at, operations })))(
  'history $seed of $operations operations, under kills: nothing is lost, nothing counts twice',
  async ({ seed, operations }) => {
    const random = randomOf(seed);
    const kills: Kills = { service: 0, database: 0 };
    const deployment = await killedDeployment(random, kills);
    try {
      const figures = await history(deployment, random, { seed, operations });
      if (operations > 40) console.info(JSON.stringify({ ...figures, kills }));
      expect(figures.operations).toBeGreaterThanOrEqual(operations);
    } finally {
      await deployment.stop();
    }
  },
  operationsTakeMs(Math.min(most, wanted)),
);
