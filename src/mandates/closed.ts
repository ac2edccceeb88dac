import { closedAccounts } from '../accounts/index.ts';
import { type Actor, system } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { eachOfPages } from '../platform/each-account.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { Sweep } from '../platform/sweeps.ts';
import type { EndMandate } from './end.ts';
import type { MandateKind } from './mandate.ts';
import { comments, mandateTransitions } from './states.ts';

const atOnce = 500;
const kinds: MandateKind[] = ['adhesion', 'card_adhesion'];

interface Left {
  account_id: string;
  kind: MandateKind;
  id: number;
}

/** Reads mandates of closed accounts that can still be signed or debited. `part` ends the query. */
const readLeft = async (
  sql: Queryable,
  accountId: string | null,
  part: ReturnType<Queryable>,
): Promise<Left[]> => {
  const closed = await sql<{ account_id: string }[]>`
    select a.account_id from ${closedAccounts(sql)}
    where ${accountId}::text is null or a.account_id = ${accountId}`;
  if (closed.length === 0) return [];
  // Passes ids as values, because with a subquery the planner scans the whole table.
  return await sql<Left[]>`
    select account_id, kind, id from mandates
    where account_id = any(${closed.map((one) => one.account_id)}::text[])
      and kind = any(${kinds}::text[])
      and state = any(${[...mandateTransitions.cancel.from]}::text[])
      ${part}`;
};

export type EndMandatesOfClosed = (of: {
  /** Null selects all closed accounts. */
  accountId: string | null;
  actor: Actor;
}) => Promise<number>;

/**
 * Cancels the remaining mandates of closed accounts, with their pending debits. Returns the number
 * of canceled mandates.
 */
export const endMandatesOfClosed =
  ({ sql }: Base, end: EndMandate): EndMandatesOfClosed =>
  async ({ accountId, actor }) => {
    let count = 0;
    await eachOfPages<Left>(
      { most: atOnce, failed: 'mandates of closed accounts could not be canceled' },
      (after) =>
        readLeft(
          sql,
          accountId,
          sql`and (account_id, kind, id)
              > (${after?.account_id ?? ''}, ${after?.kind ?? ''}, ${after?.id ?? 0}::bigint)
            order by account_id, kind, id limit ${atOnce}`,
        ),
      async ({ account_id, kind, id }) => {
        const key = { accountId: account_id, kind, id };
        const ending = { key, comment: comments.accountClosed, actor, evidence: null };
        const { ended } = await end({ ...ending, move: 'cancel' });
        count += ended ? 1 : 0;
      },
    );
    return count;
  };

/** Cancels mandates that a crash or a concurrent call left open when their account was closed. */
export const closedSweep = (base: Base, end: EndMandate): Sweep => {
  const endLeft = endMandatesOfClosed(base, end);
  return {
    name: 'mandates of closed accounts canceled',
    async nextDue() {
      const left = await readLeft(base.sql, null, base.sql`limit 1`);
      return left.length > 0 ? base.clocks.business.now() : null;
    },
    run: () => endLeft({ accountId: null, actor: system }),
  };
};
