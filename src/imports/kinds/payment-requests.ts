import type { BarcodeFormat } from '../../kernel/barcode.ts';
import {
  type CardPlans,
  checkoutUrl,
  documentPaths,
  type PaymentRequestInput,
  type PaymentRequests,
  paymentRequestForm,
  refuseWithoutPlans,
  takesCardsOnly,
} from '../../payment-requests/index.ts';
import type { Clocks } from '../../platform/clocks.ts';
import { Refusal, walkFaults } from '../../platform/errors.ts';
import type { Links } from '../../platform/links.ts';
import { type SheetField, sheetField } from '../../platform/spreadsheets/fields.ts';
import { sheetFields } from '../../requests/index.ts';
import { type CheckedRow, checkedBy, type ImportKind, type ImportMaker } from './kind.ts';
import { createAsRequests, ownReferences } from './requests.ts';

const fields: readonly SheetField[] = [
  sheetFields.payer,
  sheetFields.description,
  sheetFields.firstDue,
  sheetFields.firstTotal,
  sheetFields.reference,
  sheetFields.payerEmail,
  sheetFields.secondDue,
  sheetFields.secondTotal,
  sheetField(
    'excluded_channels',
    'Medios excluidos',
    'Excluded channels',
    ['medios excluidos', 'canales excluidos', 'excluded channels'],
    { reader: 'list' },
  ),
  sheetField(
    'excluded_card_brands',
    'Tarjetas excluidas',
    'Excluded card brands',
    ['tarjetas excluidas', 'marcas excluidas', 'excluded card brands'],
    { reader: 'list' },
  ),
  sheetField(
    'excluded_installments',
    'Cuotas excluidas',
    'Excluded installments',
    ['cuotas excluidas', 'excluded installments'],
    { reader: 'numbers' },
  ),
  sheetField('back_url_success', 'Dirección al pagar', 'Back URL, success', ['back url success']),
  sheetField('back_url_pending', 'Dirección si queda pendiente', 'Back URL, pending', [
    'back url pending',
  ]),
  sheetField('back_url_rejected', 'Dirección si se rechaza', 'Back URL, rejected', [
    'back url rejected',
  ]),
];

export interface PaymentRequestTerms {
  barcode: BarcodeFormat;
  clocks: Clocks;
  links: Links;
  cards: CardPlans;
}

/** Checks a row payable only by card against the account's plans. */
async function checkCards(
  accountId: string,
  input: PaymentRequestInput,
  cards: CardPlans,
): Promise<CheckedRow<PaymentRequestInput>> {
  try {
    await refuseWithoutPlans(accountId, input, cards);
    return { ok: true, input };
  } catch (error) {
    if (!(error instanceof Refusal && error.children)) throw error;
    return { ok: false, faults: walkFaults(error.children) };
  }
}

export const paymentRequestKind = ({
  barcode,
  clocks,
  links,
  cards,
}: PaymentRequestTerms): ImportKind<PaymentRequestInput> => ({
  name: 'payment_request',
  fields,
  amount: sheetFields.firstTotal.name,
  async checker(accountId) {
    const context = { today: clocks.business.today(), offered: cards.offered, barcode };
    return (body) => {
      const checked = checkedBy(paymentRequestForm.read(body, context));
      return checked.ok && takesCardsOnly(checked.input, cards.offered)
        ? checkCards(accountId, checked.input, cards)
        : checked;
    };
  },
  ...ownReferences('payment_request'),
  links(accountId, id) {
    const token = links.tokenOf({ accountId, id });
    return {
      checkout_url: checkoutUrl(links, token),
      pdf_url: links.origin + documentPaths(token).pdfUrl,
    };
  },
});

export const paymentRequestMaker = ({
  createMany,
  withdraw,
}: Pick<PaymentRequests, 'createMany' | 'withdraw'>): ImportMaker<PaymentRequestInput> => ({
  create: createAsRequests(createMany),
  withdraw,
});
