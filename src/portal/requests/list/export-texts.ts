import type { Lang } from '../../../platform/pages/model.ts';

type Column =
  | 'id'
  | 'state'
  | 'created'
  | 'payer'
  | 'email'
  | 'description'
  | 'reference'
  | 'due'
  | 'total'
  | 'secondDue'
  | 'secondTotal'
  | 'paidAt'
  | 'channel'
  | 'gross'
  | 'fee'
  | 'withheld'
  | 'net'
  | 'wentBack'
  | 'available'
  | 'link';

/** What the file is called, and its columns. */
export const exportTexts: Readonly<Record<Lang, Readonly<Record<'file' | Column, string>>>> = {
  es: {
    file: 'cobros',
    id: 'Cobro',
    state: 'Estado',
    created: 'Creado',
    payer: 'Pagador',
    email: 'Correo',
    description: 'Concepto',
    reference: 'Tu referencia',
    due: 'Vencimiento',
    total: 'Importe',
    secondDue: 'Segundo vencimiento',
    secondTotal: 'Segundo importe',
    paidAt: 'Pagado',
    channel: 'Medio',
    gross: 'Cobrado',
    fee: 'Comisión con IVA',
    withheld: 'Retenciones',
    net: 'Neto',
    wentBack: 'Devuelto',
    available: 'Disponible',
    link: 'Página de pago',
  },
  en: {
    file: 'payment-requests',
    id: 'Request',
    state: 'State',
    created: 'Created',
    payer: 'Payer',
    email: 'E-mail',
    description: 'Concept',
    reference: 'Your reference',
    due: 'Due',
    total: 'Amount',
    secondDue: 'Second due',
    secondTotal: 'Second amount',
    paidAt: 'Paid',
    channel: 'Channel',
    gross: 'Collected',
    fee: 'Fee with VAT',
    withheld: 'Withheld',
    net: 'Net',
    wentBack: 'Went back',
    available: 'Available',
    link: 'Payment page',
  },
};
