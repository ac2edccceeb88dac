import { type BarcodeFormat, barcodeBounds, encodeBarcode } from '../kernel/barcode.ts';
import { itemAt } from '../kernel/lists.ts';
import { paymentCode } from '../kernel/payment-code.ts';
import type { Base, Ctx } from '../platform/base.ts';
import { batcher, byAccount, orThrow } from '../platform/batcher.ts';
import type { CreationOutcome, IdempotencyClaim } from '../platform/idempotency.ts';
import type { Links } from '../platform/links.ts';
import type { Transaction } from '../platform/postgres/connect.ts';
import { type Creation, createRequests, lastDueOf } from '../requests/index.ts';
import { refusal } from './codes.ts';
import type { Item, PaymentRequestDetails, PaymentRequestRow } from './details.ts';
import { presentCreated } from './present.ts';
import type { ItemInput, PaymentRequestInput } from './schema.ts';

export interface BarcodeTerms {
  format: BarcodeFormat;
  /** The collector's code at cash networks: ten digits, or four in Pago Fácil's format. */
  collector: string;
}

/** A payment request to create, and the key of its stored response. */
export interface NewPaymentRequest {
  ctx: Ctx;
  input: PaymentRequestInput;
  claim: IdempotencyClaim | null;
}

const itemOf = ({ quantity, description, amount }: ItemInput): Item => ({
  ...(quantity !== null && { quantity }),
  description,
  amount: amount.sent as number | string,
});

/** Returns the members that were sent. Omits absent ones, to keep rows small. */
function detailsOf(
  input: PaymentRequestInput,
  codes: Pick<PaymentRequestDetails, 'barcode' | 'payment_code'>,
): PaymentRequestDetails {
  const details: PaymentRequestDetails = {
    ...codes,
    payer_email: input.payer_email,
    back_url_success: input.back_url_success,
    back_url_pending: input.back_url_pending,
    back_url_rejected: input.back_url_rejected,
    excluded_channels: (input.excluded_channels?.sent ?? null) as string[] | null,
    excluded_card_brands: (input.excluded_card_brands?.sent ?? null) as string[] | null,
    excluded_installments: input.excluded_installments,
    metadata: input.metadata,
    items: input.items?.map(itemOf) ?? null,
  };
  return Object.fromEntries(
    Object.entries(details).filter(([, value]) => value !== null),
  ) as unknown as PaymentRequestDetails;
}

function rowOf(
  { ctx, input }: NewPaymentRequest,
  id: number,
  now: Temporal.Instant,
  { format, collector }: BarcodeTerms,
): PaymentRequestRow {
  const barcode = encodeBarcode({
    format,
    client: id,
    firstDue: input.first_due_date,
    firstTotal: input.first_total,
    secondDue: input.second_due_date,
    secondTotal: input.second_total,
    collector,
  });
  return {
    account_id: ctx.accountId,
    id,
    kind: 'payment_request',
    state: 'pending',
    version: 1,
    created_at: now,
    reference: input.external_reference,
    payer: input.payer_name,
    description: input.description,
    due1: input.first_due_date,
    total1: input.first_total,
    due2: input.second_due_date,
    total2: input.second_total,
    last_due: lastDueOf(input.first_due_date, input.second_due_date),
    code: null,
    mandate_id: null,
    details: detailsOf(input, { barcode, payment_code: paymentCode(id) }),
  };
}

const zeros = (digits: string): string => digits.replace(/\d/g, '0');

/**
 * Drafts a request for a preview, without storing it. It has no number, and its all-zero codes
 * cannot be paid.
 */
export const draftPaymentRequest =
  ({ clocks }: Base, terms: BarcodeTerms) =>
  (ctx: Ctx, input: PaymentRequestInput): PaymentRequestRow => {
    const row = rowOf({ ctx, input, claim: null }, 1, clocks.business.now(), terms);
    const { barcode, payment_code: code = '' } = row.details;
    const codes = { barcode: zeros(barcode), payment_code: zeros(code) };
    return { ...row, id: 0, details: { ...row.details, ...codes } };
  };

/**
 * Throws 400 if an id exceeds the barcode format. Ids only grow, so all later ones would exceed it
 * too.
 */
function refuseIds(ids: readonly number[], format: BarcodeFormat): void {
  const { client } = barcodeBounds(format);
  if (ids.every((id) => id <= client)) return;
  throw refusal('payment_request.barcode_ids_used_up', { format, most: client });
}

export type CreatePaymentRequests = (
  news: NewPaymentRequest[],
  tx?: Transaction,
) => Promise<(CreationOutcome | Error)[]>;

/**
 * Creates payment requests, many in one statement and one commit. Determines ids, barcodes and
 * responses before the write, so that rows, events and stored responses are written together.
 */
export const createPaymentRequests =
  (
    { sql, clocks, requestIds, recordIds }: Base,
    links: Links,
    terms: BarcodeTerms,
  ): CreatePaymentRequests =>
  async (news, tx) => {
    const [ids, eventIds] = await Promise.all([
      requestIds.take(news.length),
      recordIds.take(news.length),
    ]);
    refuseIds(ids, terms.format);
    const now = clocks.business.now();
    const today = clocks.business.today();
    const creations = news.map((one, index): Creation => {
      const row = rowOf(one, itemAt(ids, index), now, terms);
      return {
        rows: [row],
        eventId: itemAt(eventIds, index),
        actor: one.ctx.actor,
        claim: one.claim,
        answer: { status: 201, body: JSON.stringify(presentCreated(row, links, today)) },
      };
    });
    return await createRequests(tx ?? sql, creations, clocks.wall.now());
  };

/** Creates single requests. Concurrent calls share a statement. */
export function batchedCreate({ sql }: Base, create: CreatePaymentRequests) {
  return orThrow(
    batcher(
      (news: NewPaymentRequest[]) => create(news),
      { maxBatch: 200, maxQueue: 5_000, parallel: 1 },
      byAccount(sql, ({ ctx }) => ctx.accountId),
    ),
  );
}
