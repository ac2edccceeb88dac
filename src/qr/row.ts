import { lastDueOf, type RequestOf, type RequestRow, type StateOf } from '../requests/index.ts';
import type { QrEdit, QrItem } from './item.ts';

/** Details of a QR, beyond the columns that all requests have. */
export type QrDetails = {
  city: string;
  multiple_payment: boolean;
  qr_type?: string | null;
  qr_name?: string | null;
  postal_code?: string | null;
  payer_email?: string | null;
  /** ISO 8601. */
  edited_at?: string;
  deleted_at?: string;
  /** The static QR of a transaction. */
  static_id?: string;
};

/** State of a QR. It becomes `refunded` whether its payments are refunded or charged back. */
export type QrState = StateOf<'qr'>;

/** A request of kind `qr`. `code` is the id that the creator chose, with the prefix. */
export type QrRow = RequestOf<'qr', QrDetails> & { code: string };

const isQr = (row: RequestRow): row is QrRow => row.kind === 'qr';

/**
 * Returns the row if it is a dynamic QR. Returns null for any other request, such as a static QR's
 * transaction.
 */
export const asDynamic = (row: RequestRow): QrRow | null =>
  isQr(row) && row.details.static_id === undefined ? row : null;

/** Returns the members that were sent. Omits absent ones, to keep rows small. */
const sentDetails = (item: QrItem | QrEdit): Partial<QrDetails> => ({
  ...(item.city !== null && { city: item.city }),
  ...(item.multiple_payment !== null && { multiple_payment: item.multiple_payment }),
  ...(item.qr_type !== null && { qr_type: item.qr_type }),
  ...(item.qr_name !== null && { qr_name: item.qr_name }),
  ...(item.postal_code !== null && { postal_code: item.postal_code }),
  ...(item.payer_email !== null && { payer_email: item.payer_email }),
});

export const newQr = (
  item: QrItem,
  { accountId, id, now }: { accountId: string; id: number; now: Temporal.Instant },
): QrRow => ({
  account_id: accountId,
  id,
  kind: 'qr',
  state: 'pending',
  version: 1,
  created_at: now,
  reference: item.external_reference,
  payer: item.payer_name,
  description: item.description,
  due1: item.first_due_date,
  total1: item.first_total,
  due2: item.second_due_date,
  total2: item.second_total,
  last_due: lastDueOf(item.first_due_date, item.second_due_date),
  code: item.id,
  mandate_id: null,
  details: {
    ...sentDetails(item),
    city: item.city,
    multiple_payment: item.multiple_payment,
  },
});

/** Applies an edit to a QR's row. Absent fields stay unchanged. */
export function editedQr(row: QrRow, edit: QrEdit, now: Temporal.Instant): QrRow {
  const due1 = edit.first_due_date ?? row.due1;
  const due2 = edit.second_due_date ?? row.due2;
  return {
    ...row,
    reference: edit.external_reference ?? row.reference,
    payer: edit.payer_name ?? row.payer,
    description: edit.description ?? row.description,
    due1,
    total1: edit.first_total ?? row.total1,
    due2,
    total2: edit.second_total ?? row.total2,
    last_due: lastDueOf(due1, due2),
    details: { ...row.details, ...sentDetails(edit), edited_at: now.toString() },
  };
}
