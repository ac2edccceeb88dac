import type {
  ChannelModel,
  PayModel,
  ReceiptModel,
  RequestModel,
} from '../../../src/checkout/views/model.ts';
import { centavos } from '../../../src/kernel/money.ts';
import { qrShape } from '../../../src/platform/qr-shape.ts';

const visa = { code: '39', name: 'Visa', family: 'visa' } as const;
const mastercard = { code: '41', name: 'Mastercard', family: 'mastercard' } as const;

const simulator = {
  connector: 'simulator',
  way: {
    kind: 'frame',
    url: '/simulator/frame',
    origin: 'http://127.0.0.1',
    asksPlan: false,
    plain: true,
    asks: [],
  },
  brands: [visa, mastercard],
} as const;

export const channels: readonly ChannelModel[] = [
  {
    code: 'credit_card',
    takers: [
      {
        ...simulator,
        scope: 'credit_card',
        plans: [visa, mastercard].map((brand) => ({
          brand,
          options: [
            { count: 1, amount: centavos(19_250_050), total: centavos(19_250_050) },
            { count: 3, amount: centavos(7_058_352), total: centavos(21_175_055) },
            { count: 6, amount: centavos(3_850_010), total: centavos(23_100_060) },
          ],
        })),
      },
    ],
  },
  { code: 'debit_card', takers: [{ ...simulator, scope: 'debit_card', plans: [] }] },
  { code: 'DEBIN', way: { kind: 'typed', asks: [] } },
  {
    code: 'qr',
    drawing: qrShape('00020101021243530016com.example.pagos98113071234567199010452048299530303'),
    payload: '00020101021243530016com.example.pagos98113071234567199010452048299530303',
    imageUrl: '/pay/token/qr.png',
  },
  {
    code: 'wire_transfer',
    cvu: '0000003100062244154712',
    alias: 'cobro.48210337',
    holder: 'Instituto San Martín de Porres S.R.L.',
    holderCuit: '30712345671',
  },
  { code: 'banelco_pmc', company: 'Recaudo', paymentCode: '0000000000048210337' },
  { code: 'link_pagos', company: 'Recaudo', paymentCode: '0000048210337515000' },
  {
    code: 'non_banking',
    barcode: '04480000000000123452601150000149080100000155000515000000078',
    barcodeUrl: '/barcode.svg',
    pdfUrl: '/coupon.pdf',
    networks: ['Pago Fácil', 'Rapipago', 'Provincia NET'],
  },
];

export const request: RequestModel = {
  lang: 'es',
  assets: { css: '/checkout.css', js: '/checkout.js' },
  pageUrl: '/pay/token',
  issuer: { name: 'Instituto San Martín de Porres S.R.L.', cuit: '30712345671' },
  id: 48_210_337,
  sandbox: false,
};

export const payModel: PayModel = {
  ...request,
  payerName: 'María Belén Gutiérrez',
  reference: 'FAC-2026-001893',
  description: 'Cuota noviembre 2026, nivel secundario.\nIncluye comedor y transporte escolar.',
  items: [
    { quantity: 1, description: 'Arancel mensual', amount: centavos(12_300_000) },
    { quantity: 20, description: 'Comedor (almuerzo)', amount: centavos(4_800_000) },
    { description: 'Transporte escolar, recorrido norte', amount: centavos(2_150_050) },
  ],
  due: { day: Temporal.PlainDate.from('2026-12-05'), amount: centavos(19_250_050) },
  later: { day: Temporal.PlainDate.from('2026-12-15'), amount: centavos(20_212_553) },
  channels,
  actions: {
    pay: '/pay/token',
    check: '/pay/token/check',
    language: '/pay/token/language',
    simulate: '/pay/token/simulate',
  },
};

export const sandboxModel: PayModel = {
  ...payModel,
  sandbox: true,
  testCards: [
    { number: '4507990000004905', brand: 'Visa', outcome: 'approved' },
    { number: '4258210000474094', brand: 'Visa', outcome: 'insufficient_funds' },
    { number: '5455330200000016', brand: 'Mastercard', outcome: 'rejected' },
  ],
};

export const faultyModel: PayModel = {
  ...payModel,
  form: {
    channel: 'credit_card',
    faults: { card_number: 'card_not_accepted', holder_email: 'email' },
    values: { holder_email: 'maria@', installments: '39:3' },
  },
};

export const receiptModel: ReceiptModel = {
  ...request,
  payerName: payModel.payerName,
  description: payModel.description,
  amount: centavos(19_250_050),
  paidAt: Temporal.Instant.from('2026-11-21T12:49:28Z'),
  channel: 'Visa',
  cardLastFour: '4905',
  installments: { count: 3, amount: centavos(7_058_352), total: centavos(21_175_055) },
  authorizationCode: '482913',
  pdfUrl: '/pay/token/receipt.pdf',
  backUrl: 'https://instituto.example.com/gracias',
};
