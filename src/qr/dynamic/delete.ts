import type { Base } from '../../platform/base.ts';
import { type ChangeQrs, changeQrs } from './change.ts';
import { writeDeletions } from './store-changes.ts';

export type DeleteQrs = (call: ChangeQrs<string>) => Promise<void>;

/**
 * Deletes QRs: they stay readable, but cannot be paid. 404: no such QR; 409: not Pending, past due,
 * or a payment is in progress.
 */
export const deleteQrs =
  (base: Base): DeleteQrs =>
  (call) =>
    changeQrs(base, call, {
      verb: 'deleted',
      check: () => [],
      async write({ sql, qrs, eventIds, now }) {
        const { accountId, actor } = call.ctx;
        const deleted = qrs.map(({ held: { id, total1: total } }) => ({
          key: { accountId, id },
          total,
        }));
        await writeDeletions(sql, deleted, { at: now, actor, eventIds });
      },
    });
