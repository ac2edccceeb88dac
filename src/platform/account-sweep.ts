import { eachAccount } from './each-account.ts';
import type { IdBlocks } from './postgres/id-blocks.ts';
import type { Sweep } from './sweeps.ts';

/** How many rows one transaction of a sweep moves, inside one account. */
const sweptAtOnce = 2000;

/** A part of what is due in one account. */
export interface Share {
  accountId: string;
  now: Temporal.Instant;
  /** How many rows to take at most. */
  most: number;
  /** A record id for each of them. */
  ids: number[];
}

/** What falls due in many accounts, and is done in each by itself. */
export interface AccountWork extends Pick<Sweep, 'name' | 'nextDue'> {
  /** Accounts in which something is due, and how much; a part of them is enough. */
  accounts(now: Temporal.Instant): Promise<readonly { account_id: string; due: number }[]>;
  /** Does a share, in one transaction; answers how many rows moved. */
  sweep(share: Share): Promise<number>;
}

/**
 * A sweep that does what is due account by account, so much at a time: across accounts `skip locked`
 * does not work on distributed tables. Ids are taken before rows are held: whoever waits for those
 * rows may have all the connections that ids come by. An account that fails keeps no others waiting.
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
