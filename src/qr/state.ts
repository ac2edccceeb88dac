import type { Refusal } from '../platform/errors.ts';
import { refusal } from './codes.ts';
import type { QrState } from './row.ts';

export const statusNames = {
  pending: 'Pending',
  paid: 'Paid',
  expired: 'Expired',
  deleted: 'Deleted',
  refunded: 'Refunded',
} as const satisfies Record<QrState, string>;

export type Final = Exclude<QrState, 'pending'>;

const codes = {
  paid: 'qr.paid',
  deleted: 'qr.deleted',
  expired: 'qr.expired',
  refunded: 'qr.refunded',
} as const satisfies Record<Final, string>;

/** Returns the refusal of a QR whose final state forbids the change or payment. */
export const stateRefusal = (state: Final, attempted: 'edited' | 'deleted' | 'paid'): Refusal =>
  refusal(codes[state], { wanted: attempted });

export const paymentOpen = (): Refusal => refusal('qr.being_paid', {});
