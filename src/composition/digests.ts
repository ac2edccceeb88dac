import { readAccount } from '../accounts/index.ts';
import { countFeed, type EventName, lastPosition, resultsInFeed } from '../events/index.ts';
import { compareDays } from '../kernel/dates.ts';
import { chargebacksAmong, readDailyTotals, sumOfTotals } from '../money/collections/index.ts';
import { latestPayouts } from '../money/payouts/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import {
  type Beginning,
  type Choice,
  choose,
  type Mark,
  notifyAccounts,
  notifyOwnersLater,
  readWishes,
  type Since,
} from '../users/index.ts';
import { failingWebhooks } from '../webhooks/index.ts';

const rejections = ['debit_request.rejected', 'card_debit_request.rejected'] as const;
const reversals = [
  'payment_request.reverted',
  'debit_request.reverted',
  'card_debit_request.reverted',
] as const satisfies readonly EventName[];

/**
 * Maximum number of newest payouts to check. Ids are not in commit order, so the mark lists the
 * payouts already reported.
 */
const payoutsAtOnce = 200;

const newest = (sql: Queryable, accountId: string) =>
  latestPayouts(sql, accountId, { behind: null, limit: payoutsAtOnce });

/** Notifies users of events in their accounts, as they chose. */
export function createDigests(base: Base, { origin }: Pick<Links, 'origin'>) {
  const { sql, clocks } = base;
  const yesterday = () => clocks.business.today().subtract({ days: 1 });

  const begin = async (accountId: string): Promise<Beginning> => ({
    position: await lastPosition(sql, accountId),
    payouts: (await newest(sql, accountId)).map(({ id }) => id),
    webhooks: (await failingWebhooks(sql, accountId)).map(({ id }) => id),
    yesterday: yesterday(),
  });

  const summaryOf = async (tx: Queryable, accountId: string, day: Temporal.PlainDate) => {
    const totals = await readDailyTotals(tx, accountId, { from: day, to: day });
    const { count, gross } = sumOfTotals(totals).collected;
    return { day, count, amount: gross };
  };

  const since = async (tx: Queryable, mark: Mark): Promise<Since | null> => {
    const { account_id: id } = mark;
    const account = await readAccount(tx, id);
    if (account === null || account.state === 'closed') return null;
    const until = await lastPosition(tx, id);
    const types = [...rejections, ...reversals];
    const counts = await countFeed(tx, id, types, { after: mark.position, until });
    // The feed has one type for every reversal of a QR's payment, `qr.refunded`. Only the result
    // tells chargebacks apart.
    const ofQrs = await resultsInFeed(tx, id, 'qr.refunded', { after: mark.position, until });
    const sum = (names: readonly string[]): number =>
      names.reduce((total, name) => total + (counts.get(name) ?? 0), 0);
    const payouts = await newest(tx, id);
    const failing = await failingWebhooks(tx, id);
    const day = yesterday();
    const isNewDay = compareDays(day, mark.summary_day) > 0;
    return {
      name: account.name,
      happened: {
        rejectedDebits: sum(rejections),
        disputes: sum(reversals) + (await chargebacksAmong(tx, id, ofQrs)),
        payouts: payouts.filter((one) => !mark.payouts.includes(one.id)).reverse(),
        webhooks: failing.filter((one) => !mark.webhooks.includes(one.id)),
        summary: isNewDay ? await summaryOf(tx, id, day) : null,
        page: `${origin}/portal/${id}`,
      },
      next: {
        position: until,
        payouts: payouts.map((one) => one.id),
        webhooks: failing.map((one) => one.id),
        summary_day: isNewDay ? day : mark.summary_day,
      },
    };
  };

  return {
    wishes: (accountId: string, userId: number) => readWishes(sql, { accountId, userId }),
    choose: (actor: Actor, choice: Choice) =>
      choose({ ...base, actor }, choice, () => begin(choice.accountId)),
    /** Notifies the accounts that are due. Returns their number, 0 when none are left. */
    tell: (): Promise<number> => notifyAccounts(base, since),
    /**
     * Notifies owners of collected changes. Returns the number of notices, each of which may go to
     * several owners.
     */
    notifyFolded: (): Promise<number> =>
      notifyOwnersLater(base, async (id) => (await readAccount(sql, id))?.name ?? null),
  };
}
