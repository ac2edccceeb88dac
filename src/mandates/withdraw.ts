import { itemAt } from '../kernel/lists.ts';
import type { Base, Ctx } from '../platform/base.ts';
import type { Transaction } from '../platform/postgres/connect.ts';
import type { MandateKind } from './mandate.ts';
import { endMandate } from './move.ts';
import { lockMandate } from './store.ts';

/**
 * Cancels the unsigned ones among these mandates, in the given order, and returns their ids.
 * Serialized with concurrent signatures.
 */
export const withdrawMandates =
  ({ clocks }: Base) =>
  async (
    tx: Transaction,
    { accountId, actor }: Ctx,
    kind: MandateKind,
    {
      ids,
      eventIds,
      comment,
    }: { ids: readonly number[]; eventIds: readonly number[]; comment: string },
  ): Promise<number[]> => {
    const moments = { now: clocks.business.now(), wallNow: clocks.wall.now() };
    const gone: number[] = [];
    for (const [index, id] of ids.entries()) {
      const key = { accountId, kind, id };
      const locked = await lockMandate(tx, key);
      if (locked?.state !== 'pending_to_sign') continue;
      const ending = { key, move: 'cancel', comment, actor, evidence: null } as const;
      const mandate = itemAt(eventIds, index);
      // An unsigned mandate has no debits.
      if (await endMandate(tx, ending, { mandate, debits: [] }, moments)) gone.push(id);
    }
    return gone;
  };
