import { compareDays } from '../../kernel/dates.ts';
import type { Base } from '../../platform/base.ts';
import { checkDues } from '../../requests/index.ts';
import { fault } from '../codes.ts';
import { type Fault, faultOf } from '../errors/batch-refusal.ts';
import type { QrEdit } from '../item.ts';
import { editedQr, type QrRow } from '../row.ts';
import { type ChangeQrs, changeQrs } from './change.ts';
import { writeEdits } from './store-changes.ts';

export type EditQrs = (call: ChangeQrs<QrEdit>) => Promise<void>;

/**
 * Returns the faults of a QR's due dates and totals after an edit. An unchanged first due date may
 * be past, because the QR stays payable until the second.
 */
function duesFaults(row: QrRow, edit: QrEdit, today: Temporal.PlainDate): Fault[] {
  const found = checkDues(
    {
      firstDue: edit.first_due_date ?? row.due1,
      firstTotal: edit.first_total ?? row.total1,
      secondDue: edit.second_due_date ?? row.due2,
      secondTotal: edit.second_total ?? row.total2,
    },
    today,
  );
  const stays = compareDays(edit.first_due_date ?? row.due1, row.due1) === 0;
  return Object.entries(found).flatMap(([field, message]) =>
    message === undefined || (field === 'first_due_date' && stays) ? [] : [faultOf(message, field)],
  );
}

/** Returns a fault if the QR would become single-payment after a payment. */
const paymentsFaults = ({ details }: QrRow, edit: QrEdit, wasPaid: boolean): Fault[] =>
  wasPaid && details.multiple_payment && edit.multiple_payment === false
    ? [faultOf(fault('qr.multiple_payment_stays', {}), 'multiple_payment')]
    : [];

/**
 * Edits QRs. Absent fields stay unchanged. Throws 400 for invalid items, 409 if one is being paid
 * or not Pending. Throws 404 for an unknown QR, or 409 with its fault if a batch contains it.
 */
export const editQrs =
  (base: Base): EditQrs =>
  (call) =>
    changeQrs(base, call, {
      verb: 'edited',
      check: (row, value, wasPaid) => [
        ...paymentsFaults(row, value, wasPaid),
        ...duesFaults(row, value, base.clocks.business.today()),
      ],
      async write({ sql, qrs, eventIds, now }) {
        const rows = qrs.map(({ row, value }) => editedQr(row, value, now));
        await writeEdits(sql, rows, { at: now, actor: call.ctx.actor, eventIds });
      },
    });
