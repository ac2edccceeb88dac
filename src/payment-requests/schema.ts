import { type BarcodeFormat, barcodeBounds } from '../kernel/barcode.ts';
import type { Centavos } from '../kernel/money.ts';
import { channelCodes, type PayerChannel } from '../money/channels/index.ts';
import {
  amount,
  day,
  email,
  httpUrl,
  integer,
  metadata,
  oneOf,
  prose,
  reference,
  text,
} from '../platform/http/fields.ts';
import {
  asSent,
  type Field,
  type Filled,
  form,
  list,
  optional,
  refuseField,
  required,
} from '../platform/http/form.ts';
import { checkDues } from '../requests/index.ts';
import { fault } from './codes.ts';

/** A card code of GET /helper/channel-installments. Accepts integers. */
const codeText = text({ max: 20 });
const cardCode: Field<string> = {
  ...codeText,
  schema: { anyOf: [{ type: 'string', maxLength: 20 }, { type: 'integer' }] },
  parse: (value) =>
    codeText.parse(typeof value === 'number' && Number.isInteger(value) ? String(value) : value),
};

const item = form({
  quantity: optional(integer({ min: 1, max: 999_999_999 })),
  description: required(prose({ max: 255, lineBreaks: true })),
  amount: required(asSent(amount({ min: 0 }))),
});

/**
 * Values of excluded_channels: our channels, and one that other providers of this interface offer
 * but we do not.
 */
const excludable = list(oneOf([...channelCodes, 'credit_card_agro']), { max: 100 });

/** Rejects requests that could not be paid through any channel. */
function refuseUnpayable(excluded: readonly string[], offered: readonly string[]) {
  if (offered.some((code) => !excluded.includes(code))) return {};
  const excluded_channels =
    offered.length === 0
      ? fault('payment_request.no_channel', {})
      : fault('payment_request.every_channel_excluded', { channels: offered.join(', ') });
  return { excluded_channels };
}

export interface PaymentRequestContext {
  today: Temporal.PlainDate;
  offered: readonly PayerChannel[];
  /** Barcode format of every request. */
  barcode: BarcodeFormat;
}

/** Returns faults of totals too large for the barcode format. */
function barcodeFaults(
  format: BarcodeFormat,
  first: Centavos | undefined,
  second: Centavos | null | undefined,
) {
  const { firstTotal, secondTotal } = barcodeBounds(format);
  const over = (most: Centavos) => fault('payment_request.total_over_barcode', { format, most });
  if (!first) return {};
  if (first > firstTotal) return { first_total: over(firstTotal) };
  const bound = secondTotal(first);
  return second && second > bound ? { second_total: over(bound) } : {};
}

const members = {
  description: required(prose({ max: 500, lineBreaks: true })),
  first_due_date: required(day()),
  first_total: required(amount()),
  payer_name: required(prose({ max: 255 })),
  external_reference: optional(reference()),
  second_due_date: optional(day()),
  second_total: optional(amount()),
  payer_email: optional(email()),
  back_url_success: optional(httpUrl()),
  back_url_pending: optional(httpUrl()),
  back_url_rejected: optional(httpUrl()),
  excluded_channels: optional(asSent(excludable)),
  excluded_card_brands: optional(asSent(list(cardCode, { max: 100 }))),
  excluded_installments: optional(list(integer({ min: 1, max: 999 }), { max: 100 })),
  metadata: optional(metadata()),
  items: optional(list(item, { max: 100 })),
};

/** The body of POST /payment-request (interface 2.1). */
export const paymentRequestForm = form<typeof members, PaymentRequestContext>(
  members,
  (valid, { today, offered, barcode }) => ({
    ...refuseUnpayable(valid.excluded_channels?.value ?? [], offered),
    ...checkDues(
      {
        firstDue: valid.first_due_date ?? null,
        firstTotal: valid.first_total ?? null,
        secondDue: valid.second_due_date,
        secondTotal: valid.second_total,
      },
      today,
    ),
    ...barcodeFaults(barcode, valid.first_total, valid.second_total),
  }),
);

export const refusePaymentRequestField = refuseField(members);

export type PaymentRequestInput = Filled<typeof members>;

export type ItemInput = {
  quantity: number | null;
  description: string;
  amount: { sent: unknown; value: Centavos };
};
