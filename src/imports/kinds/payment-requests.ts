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
import { type FieldFaults, type FoundFault, Refusal, walkFaults } from '../../platform/errors.ts';
import type { Links } from '../../platform/links.ts';
import { findReferences } from '../../requests/index.ts';
import type { CheckedRow, ImportField, ImportKind, ImportMaker } from './kind.ts';
import { importField } from './readers.ts';

const fields: readonly ImportField[] = [
  importField(
    'payer_name',
    'Nombre del pagador',
    'Payer name',
    [
      ...['pagador', 'nombre', 'nombre y apellido', 'apellido y nombre', 'apellido nombre'],
      ...['socio', 'socia', 'cliente', 'alumno', 'alumna', 'titular', 'razon social', 'usuario'],
      ...['payer', 'name', 'full name', 'customer', 'customer name', 'member', 'student'],
    ],
    { required: true },
  ),
  importField(
    'description',
    'Concepto',
    'Description',
    ['concepto', 'detalle', 'descripcion', 'servicio', 'motivo', 'concept', 'detail', 'details'],
    { required: true },
  ),
  importField(
    'first_due_date',
    'Vencimiento',
    'First due date',
    [
      ...['vencimiento', 'fecha vencimiento', 'vto', 'fecha vto', 'vence', 'vence el'],
      ...['primer vencimiento', '1er vencimiento', '1 vencimiento', 'fecha 1er vencimiento'],
      ...['fecha primer vencimiento', '1er vto', 'primer vto', 'vencimiento 1', 'vto 1'],
      ...['due date', 'due', 'first due date', 'first due'],
    ],
    { required: true, reader: 'day' },
  ),
  importField(
    'first_total',
    'Importe',
    'First total',
    [
      ...['importe', 'monto', 'total', 'valor', 'importe total', 'importe a pagar', 'cuota'],
      ...['importe 1er vencimiento', 'importe primer vencimiento', 'importe 1', 'primer importe'],
      ...['importe 1er vto', 'monto 1er vencimiento', 'amount', 'first total', 'first amount'],
    ],
    { required: true, reader: 'amount' },
  ),
  importField('external_reference', 'Tu referencia', 'External reference', [
    ...['referencia', 'referencia externa', 'codigo', 'nro socio'],
    ...['socio nro', 'legajo', 'nro cliente', 'matricula'],
    ...['comprobante', 'factura', 'nro factura', 'nro comprobante', 'id'],
    ...['reference', 'external reference', 'customer number', 'invoice', 'invoice number'],
  ]),
  importField('payer_email', 'Correo del pagador', 'Payer e-mail', [
    'email',
    'e mail',
    'mail',
    'correo',
    'correo electronico',
    'payer email',
    'email address',
  ]),
  importField(
    'second_due_date',
    'Segundo vencimiento',
    'Second due date',
    [
      ...['segundo vencimiento', '2do vencimiento', '2 vencimiento', 'fecha 2do vencimiento'],
      ...['fecha segundo vencimiento', '2do vto', 'segundo vto', 'vencimiento 2', 'vto 2'],
      ...['second due date', 'second due'],
    ],
    { reader: 'day' },
  ),
  importField(
    'second_total',
    'Importe al segundo vencimiento',
    'Second total',
    [
      ...['importe 2do vencimiento', 'importe segundo vencimiento', 'importe 2', 'recargo total'],
      ...['segundo importe', 'importe 2do vto', 'monto 2do vencimiento', 'second total'],
      ...['second amount', 'importe al segundo vencimiento'],
    ],
    { reader: 'amount' },
  ),
  importField(
    'excluded_channels',
    'Medios excluidos',
    'Excluded channels',
    ['medios excluidos', 'canales excluidos', 'excluded channels'],
    { reader: 'list' },
  ),
  importField(
    'excluded_card_brands',
    'Tarjetas excluidas',
    'Excluded card brands',
    ['tarjetas excluidas', 'marcas excluidas', 'excluded card brands'],
    { reader: 'list' },
  ),
  importField(
    'excluded_installments',
    'Cuotas excluidas',
    'Excluded installments',
    ['cuotas excluidas', 'excluded installments'],
    { reader: 'numbers' },
  ),
  importField('back_url_success', 'Dirección al pagar', 'Back URL, success', ['back url success']),
  importField('back_url_pending', 'Dirección si queda pendiente', 'Back URL, pending', [
    'back url pending',
  ]),
  importField('back_url_rejected', 'Dirección si se rechaza', 'Back URL, rejected', [
    'back url rejected',
  ]),
];

export interface PaymentRequestTerms {
  barcode: BarcodeFormat;
  clocks: Clocks;
  links: Links;
  cards: CardPlans;
}

const known = ({ children }: FieldFaults): FoundFault[] => walkFaults(children ?? {});

/** The check that needs the account's plans, which most rows do not. */
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

/** Rows as payment requests. */
export const paymentRequestKind = ({
  barcode,
  clocks,
  links,
  cards,
}: PaymentRequestTerms): ImportKind<PaymentRequestInput> => ({
  name: 'payment_request',
  fields,
  async checker(accountId) {
    const context = { today: clocks.business.today(), offered: cards.offered, barcode };
    return (body) => {
      const read = paymentRequestForm.read(body, context);
      if (!read.ok) return { ok: false, faults: known(read) };
      return takesCardsOnly(read.value, cards.offered)
        ? checkCards(accountId, read.value, cards)
        : { ok: true, input: read.value };
    };
  },
  referenceOf: (input) => input.external_reference,
  async existing(sql, accountId, references) {
    const found = await findReferences(sql, { accountId, kind: 'payment_request' }, references);
    return new Map(found.map(({ reference, id }) => [reference, id]));
  },
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
  async create(tx, ctx, inputs) {
    const outcomes = await createMany(
      inputs.map((input) => ({ ctx, input, claim: null })),
      tx,
    );
    return outcomes.map((outcome) =>
      outcome instanceof Error ? outcome : { id: JSON.parse(outcome.answer.body).id as number },
    );
  },
  withdraw,
});
