import type { Base } from '../../platform/base.ts';
import { type ChangeQrs, changeQrs } from './change.ts';
import { writeDeletions } from './store-changes.ts';

export type DeleteQrs = (call: ChangeQrs<string>) => Promise<void>;

/**
 * Deletes QRs: they stay readable, but cannot be paid. Only Pending ones that are not past due and
 * have no payment in progress: otherwise 409; 404 if missing.
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
