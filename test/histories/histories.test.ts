import { expect, test } from 'vitest';
import { twoServices } from './deployment.ts';
import { history } from './history.ts';
import { randomOf } from './random.ts';

/**
 * Plays random histories of one account: the acts of its holder, payers, networks, banks and the
 * operator, several at once, some repeated, on two services, over many days. A model that knows
 * only the responses predicts states, results, books, balances and reports.
 *
 * `HISTORY_SEED=7` replays one history. `HISTORY_OPERATIONS` sets the length of each.
 */
const { HISTORY_SEED, HISTORY_OPERATIONS = '200' } = process.env;
const seeds = HISTORY_SEED === undefined ? [1, 2, 3] : [Number(HISTORY_SEED)];

test.each(seeds)(
  'agrees with an independent model in history %i',
  async (seed) => {
    const random = randomOf(seed);
    const deployment = await twoServices((n) => random.below(n));
    try {
      const options = { seed, operations: Number(HISTORY_OPERATIONS) };
      const figures = await history(deployment, random, options);
      expect(figures.payments).toBeGreaterThan(20);
      if (process.env.HISTORY_SEED) console.info(figures);
    } finally {
      await deployment.stop();
    }
  },
  170_000,
);
