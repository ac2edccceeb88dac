import type { Base, Ctx } from '../platform/base.ts';
import { comments, moveRequests, stepTerms, transitions } from '../requests/index.ts';
import { refusal } from './codes.ts';
import type { DebitKind } from './debit.ts';
import { type FindDebit, notThere } from './get.ts';
import type { Detailed } from './present.ts';

/**
 * Cancels a debit before its submission. Cancellation and submission are serialized. Does nothing
 * if it is already canceled. Throws 409 if it is in process or decided, 404 for an unknown debit.
 */
export const cancelDebit =
  ({ sql, clocks, recordIds }: Base, find: FindDebit) =>
  async (ctx: Ctx, kind: DebitKind, id: number): Promise<Detailed> => {
    const eventId = await recordIds.next();
    const at = clocks.business.now();
    const comment = comments.canceled;
    const terms = { kind, move: 'cancel', at, actor: ctx.actor, comment } as const;
    await sql`
      with step as (
        select ${ctx.accountId}::text as account_id, ${id}::bigint as request_id,
          ${kind}::text as kind, ${eventId}::bigint as event_id, null::text as data,
          ${stepTerms(sql, terms)}
      ),
      ${moveRequests(sql, 'step', [ctx.accountId])}
      select 1`;
    const found = await find({ accountId: ctx.accountId, id }, kind);
    if (!found) throw notThere(kind);
    if (found.row.state !== transitions[kind].cancel.to) {
      throw refusal('debit_request.not_pending', { state: found.row.state });
    }
    return { ...found, retentions: null };
  };
