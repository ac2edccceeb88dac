import type { Ctx } from '../platform/base.ts';
import type { EndMandate } from './end.ts';
import type { MandateKind, MandateRow } from './mandate.ts';
import { comments } from './states.ts';

export type CancelMandate = (ctx: Ctx, kind: MandateKind, id: number) => Promise<MandateRow>;

/** Cancels a mandate and its pending debits. Does nothing if it is already canceled. */
export const cancelMandate =
  (end: EndMandate): CancelMandate =>
  async (ctx, kind, id) => {
    const key = { accountId: ctx.accountId, kind, id };
    const { row } = await end({
      key,
      move: 'cancel',
      comment: comments.byCollector,
      actor: ctx.actor,
      evidence: null,
    });
    return row;
  };
