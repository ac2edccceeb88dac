import type { Base } from '../../platform/base.ts';
import { type ChangeQrs, changeQrs } from './change.ts';
import { writeDeletions } from './store-changes.ts';

export type DeleteQrs = (call: ChangeQrs<string>) => Promise<void>;

/**
 * Deletes QRs: they stay readable, nobody can pay them. Only Pending ones that are not past due
 * and are not being paid: otherwise 409; 404 where there is none.
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
