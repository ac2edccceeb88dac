import { eachAccount } from './each-account.ts';
import type { IdBlocks } from './postgres/id-blocks.ts';
import type { Sweep } from './sweeps.ts';

/** Rows per transaction of a sweep. */
const sweptAtOnce = 2000;

/** A part of one account's due work. */
export interface Share {
  accountId: string;
  now: Temporal.Instant;
  /** Maximum number of rows to take. */
  most: number;
  /** One record id per row. */
  ids: number[];
}

/** Due work in many accounts, done separately for each account. */
export interface AccountWork extends Pick<Sweep, 'name' | 'nextDue'> {
  /** Returns accounts that have due work, and how much. May omit some if there are many. */
  accounts(now: Temporal.Instant): Promise<readonly { account_id: string; due: number }[]>;
  /** Does a share in one transaction. Returns the number of rows moved. */
  sweep(share: Share): Promise<number>;
}

/**
 * Sweeps account by account, in bounded pieces, because `skip locked` does not work across accounts
 * on distributed tables. Takes ids before it locks rows, because callers that wait for those rows
 * may occupy every connection, and drawing ids needs one. A failing account does not delay the
 * others.
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
