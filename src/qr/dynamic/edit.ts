import type { Base } from '../../platform/base.ts';
import type { QrItem } from '../item.ts';
import { newQr } from '../row.ts';
import { type ChangeQrs, changeQrs } from './change.ts';
import { writeEdits } from './store-changes.ts';

export type EditQrs = (call: ChangeQrs<QrItem>) => Promise<void>;

/**
 * Replaces what QRs say, as a whole: what an item leaves out is gone. Only Pending ones that are
 * not past due and are not being paid: otherwise 409; 404 where there is none.
 */
export const editQrs =
  (base: Base): EditQrs =>
  (call) =>
    changeQrs(base, call, 'edited', async ({ sql, qrs, eventIds, now }) => {
      const { accountId, actor } = call.ctx;
      const rows = qrs.map(({ held, value }) => {
        const row = newQr(value, { accountId, id: held.id, now });
        return { ...row, details: { ...row.details, edited_at: now.toString() } };
      });
      await writeEdits(sql, rows, { at: now, actor, eventIds });
    });
