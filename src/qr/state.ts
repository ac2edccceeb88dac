import type { QrErrorName } from './errors/codes.ts';
import { QrRefusal } from './errors/refusal.ts';
import type { QrState } from './row.ts';

/** States as the QR service writes them. */
export const statusNames = {
  pending: 'Pending',
  paid: 'Paid',
  expired: 'Expired',
  deleted: 'Deleted',
  refunded: 'Refunded',
} as const satisfies Record<QrState, string>;

type Final = Exclude<QrState, 'pending'>;

const names: Record<Final, QrErrorName> = {
  paid: 'qrPaid',
  deleted: 'qrDeleted',
  expired: 'qrExpired',
  refunded: 'qrRefunded',
};

/** Why a QR in such a state cannot be changed or paid. */
export const stateRefusal = (state: Final, wanted: 'edited' | 'deleted' | 'paid'): QrRefusal =>
  new QrRefusal(
    names[state],
    `The QR is ${statusNames[state]}: only a Pending one can be ${wanted}.`,
  );

export const paymentOpen = (): QrRefusal =>
  new QrRefusal(
    'paymentOpen',
    'A payment of this QR is being processed. Repeat the call when its outcome is known.',
  );
