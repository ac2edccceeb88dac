import type { Base } from '../../platform/base.ts';
import { type ChangeQrs, changeQrs } from './change.ts';
import { writeDeletions } from './store-changes.ts';

export type DeleteQrs = (call: ChangeQrs<string>) => Promise<void>;

/**
 * Deletes QRs, which stay readable but cannot be paid. Throws 409 if one is being paid or not
 * Pending. Throws 404 for an unknown QR, or 409 with its fault if a batch contains it.
 */
export const deleteQrs =
  (base: Base): DeleteQrs =>
  (call) =>
    changeQrs(base, call, {
      verb: 'deleted',
      check: () => [],
      async write({ sql, qrs, eventIds, now }) {
        const { accountId, actor } = call.ctx;
        const deleted = qrs.map(({ row: { id, total1: total } }) => ({
          key: { accountId, id },
          total,
        }));
        await writeDeletions(sql, deleted, { at: now, actor, eventIds });
      },
    });
