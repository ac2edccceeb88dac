import type { Attempts, InquiryResult } from '../money/charges/index.ts';
import type { FindRequest, RecordFact } from '../money/collections/index.ts';
import type { Base, Ctx } from '../platform/base.ts';
import { cachedByKey } from '../platform/cached.ts';
import type { Links } from '../platform/links.ts';
import type { PaymentRequestAnswer } from './answers.ts';
import {
  type BarcodeTerms,
  batchedCreate,
  createPaymentRequests,
  draftPaymentRequest,
} from './create.ts';
import { findPaymentRequests, getPaymentRequest } from './get.ts';
import { listPaymentRequests } from './list.ts';
import { payPaymentRequests } from './pay.ts';
import { presentPaymentRequest } from './present.ts';
import { findOrders } from './qr-order.ts';
import {
  payablePaymentRequests,
  searchPaymentRequests,
  totalPaymentRequests,
} from './search/search.ts';
import { noteOpened } from './timeline/opened.ts';
import { readTimeline } from './timeline/timeline.ts';
import { withdrawPaymentRequest, withdrawPaymentRequests } from './withdraw.ts';

export { type CardPlans, refuseWithoutPlans, takesCardsOnly } from './card-only.ts';
export { transferAccountEvidence } from './cvu/evidence.ts';
export { createTransferAccounts, type TransferAccounts } from './cvu/open.ts';
export { findByCvu, openerOf } from './cvu/store.ts';
export type { PaymentRequestRow } from './details.ts';
export { allows } from './details.ts';
export type { FindPaymentRequest, RequestWithResults as FoundPaymentRequest } from './get.ts';
export { listedStates } from './list.ts';
export { createPayerMails, type PayerMails } from './mails/index.ts';
export { mailSetting } from './mails/operations.ts';
export {
  eraseMailStops,
  erasePayerMails,
  exportMailStops,
  exportPayerMails,
  mailsOfRequests,
} from './mails/personal.ts';
export {
  mailSettingsFormValues,
  mailTextFormValues,
  type PayerMailSettings,
} from './mails/settings.ts';
export type { StopCounts } from './mails/stops.ts';
export { keepMailOutcomes } from './mails/store.ts';
export {
  namesFor as mailNamesFor,
  textFaults as mailTextFaults,
} from './mails/texts/fill.ts';
export {
  type MailLanguages,
  type MailText,
  mailLanguages,
  type PayerMailKind,
  payerMailKinds,
} from './mails/texts/kinds.ts';
export type { MailPreview } from './mails/texts/preview.ts';
export { allowsBrand, allowsInstallments, type PayPaymentRequest } from './pay.ts';
export { type PayableRow, payableOn } from './payable.ts';
export { bankPaymentCode, qrPayload, transferCvu } from './payment-codes.ts';
export { checkoutUrl, documentPaths } from './present.ts';
export { type PaymentRequestInput, paymentRequestForm } from './schema.ts';
export {
  listOrders,
  type PaymentRequestSearch,
  type SearchName,
  searchForm,
} from './search/query.ts';
export type { TimelineStep, TimelineWhat } from './timeline/step.ts';
export { type ReadTimeline, timelineOf } from './timeline/timeline.ts';
export { createPaymentRequests };

export interface PaymentRequestParts {
  find: FindRequest;
  links: Links;
  barcode: BarcodeTerms;
  attempts: Attempts;
  record: RecordFact;
}

/** Minimum interval between queries about one attempt, because payers' pages reload themselves. */
const returnPauseMs = 2_000;

export function createPaymentRequestVerbs(
  base: Base,
  { find: findRequest, links, barcode, attempts, record }: PaymentRequestParts,
) {
  const find = findPaymentRequests(findRequest);
  const get = getPaymentRequest(base, find);
  const createMany = createPaymentRequests(base, links, barcode);
  const withdrawOne = withdrawPaymentRequest(base, find);
  /** Returns the response of GET. */
  const show = async (ctx: Ctx, id: number): Promise<PaymentRequestAnswer> => {
    const { row, ...rest } = await get(ctx, { id, detailRetentions: false });
    return presentPaymentRequest(row, links, base.clocks.business.today(), rest);
  };
  const recent = cachedByKey<InquiryResult | null>(base.clocks.wall, returnPauseMs);
  return {
    create: batchedCreate(base, createMany),
    createMany,
    draft: draftPaymentRequest(base, barcode),
    withdraw: withdrawPaymentRequests(base),
    withdrawOne,
    barcodeFormat: barcode.format,
    find,
    findOrder: findOrders(base.clocks, find),
    get,
    list: listPaymentRequests(base),
    search: searchPaymentRequests(base),
    total: totalPaymentRequests(base),
    payable: payablePaymentRequests(base),
    timeline: readTimeline(base, find),
    noteOpened: noteOpened(base),
    pay: payPaymentRequests(base, find, attempts, record),
    openAttempt: attempts.openOf,
    /** Returns the answer of less than `returnPauseMs` ago, if there is one. */
    askAttempt: ({ accountId, attemptId }: { accountId: string; attemptId: number }) =>
      recent(`${accountId}-${attemptId}`, () => attempts.ask({ accountId, attemptId })),
    callOffAttempt: attempts.callOff,
    show,
    /** Withdraws a request for its collector. Returns the response of GET. */
    async cancel(ctx: Ctx, id: number): Promise<PaymentRequestAnswer> {
      await withdrawOne(ctx, id, 'Canceled by the collector.');
      return await show(ctx, id);
    },
  };
}

export type PaymentRequests = ReturnType<typeof createPaymentRequestVerbs>;
