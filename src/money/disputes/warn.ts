import { readAccount } from '../../accounts/index.ts';
import type { Base } from '../../platform/base.ts';
import { eachAccount } from '../../platform/each-account.ts';
import type { Links } from '../../platform/links.ts';
import type { Sweep } from '../../platform/sweeps.ts';
import { mostDeadlineRecipients, notifyDeadlines } from '../../users/index.ts';
import { accountsToWarn, nextToWarn, noteWarned } from './store-deadlines.ts';

/**
 * Warns an account's users three days before evidence of a dispute is due, and on the last day.
 * Warns at once if the deadline is set late or brought forward, and again if it is postponed.
 */
export function deadlineSweep(
  { sql, clocks, recordIds }: Pick<Base, 'sql' | 'clocks' | 'recordIds'>,
  { origin }: Pick<Links, 'origin'>,
  accountsAtOnce = 100,
): Sweep {
  const warn = async (accountId: string, now: Temporal.Instant): Promise<number> => {
    const mailIds = await recordIds.take(mostDeadlineRecipients);
    return await sql.begin(async (tx) => {
      const noted = await noteWarned(tx, accountId, now);
      const deadlines = noted
        .map((row) => ({
          requestId: row.request_id,
          amount: row.amount,
          dueAt: row.evidence_due_at,
        }))
        .filter(({ dueAt }) => Temporal.Instant.compare(dueAt, now) > 0);
      const account = await readAccount(tx, accountId);
      if (account !== null && deadlines.length > 0) {
        const page = `${origin}/portal/${accountId}/disputes`;
        const letters = { mailIds, now: clocks.wall.now() };
        await notifyDeadlines(tx, { account, deadlines, page }, letters);
      }
      return noted.length;
    });
  };
  return {
    name: 'disputes whose evidence is due',
    nextDue: () => nextToWarn(sql),
    async run(now) {
      const how = { atOnce: 1, failed: 'People of some accounts were not told of disputes.' };
      const failures: unknown[] = [];
      let count = 0;
      // Visits every account, however many fail. The next run starts over.
      for (let after: string | undefined = ''; after !== undefined; ) {
        const due = await accountsToWarn(sql, now, { after, limit: accountsAtOnce });
        const telling = eachAccount(due, how, async ({ account_id: accountId }) => {
          count += await warn(accountId, now);
        });
        await telling.catch((error: unknown) => failures.push(error));
        after = due.at(-1)?.account_id;
      }
      if (failures.length > 1) throw new AggregateError(failures, how.failed);
      if (failures.length === 1) throw failures[0];
      return count;
    },
  };
}
