import { eachAccount } from './each-account.ts';
import type { IdBlocks } from './postgres/id-blocks.ts';
import type { Sweep } from './sweeps.ts';

/** Rows that one transaction of a sweep moves within one account. */
const sweptAtOnce = 2000;

/** A part of one account's due work. */
export interface Share {
  accountId: string;
  now: Temporal.Instant;
  /** Upper bound on the rows to take. */
  most: number;
  /** One record id for each. */
  ids: number[];
}

/** Work that falls due in many accounts and is done in each separately. */
export interface AccountWork extends Pick<Sweep, 'name' | 'nextDue'> {
  /** Accounts with due work, and its amount; some of them are enough. */
  accounts(now: Temporal.Instant): Promise<readonly { account_id: string; due: number }[]>;
  /** Does a share, in one transaction; answers how many rows moved. */
  sweep(share: Share): Promise<number>;
}

/**
 * A sweep that works account by account, in bounded pieces: across accounts `skip locked` does not
 * work on distributed tables. It takes ids before it locks rows, because waiters for those rows may
 * hold every connection that ids need. A failing account does not delay the others.
 */
export const accountSweep = (
  recordIds: IdBlocks,
  { name, nextDue, accounts, sweep }: AccountWork,
): Sweep => ({
  name,
  nextDue,
  async run(now) {
    let moved = 0;
    const how = { atOnce: 1, failed: `Not done in some accounts: ${name}.` };
    await eachAccount(await accounts(now), how, async ({ account_id: accountId, due }) => {
      for (let left = due; left > 0; left -= sweptAtOnce) {
        const most = Math.min(left, sweptAtOnce);
        moved += await sweep({ accountId, now, most, ids: await recordIds.take(most) });
      }
    });
    return moved;
  },
});
