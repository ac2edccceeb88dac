import type { ChannelCode } from '../../money/channels/index.ts';
import type { Lang } from '../../platform/pages/model.ts';

/** How channels are called where many are shown together. */
export const channelNames: Readonly<Record<Lang, Readonly<Record<ChannelCode, string>>>> = {
  es: {
    credit_card: 'Tarjeta de crédito',
    debit_card: 'Tarjeta de débito',
    banelco_pmc: 'Pago Mis Cuentas',
    link_pagos: 'Link Pagos',
    DEBIN: 'DEBIN',
    wire_transfer: 'Transferencia',
    non_banking: 'Efectivo',
    qr: 'QR',
    direct_debit: 'Débito en cuenta',
    card_debit: 'Débito en tarjeta',
  },
  en: {
    credit_card: 'Credit card',
    debit_card: 'Debit card',
    banelco_pmc: 'Pago Mis Cuentas',
    link_pagos: 'Link Pagos',
    DEBIN: 'DEBIN',
    wire_transfer: 'Transfer',
    non_banking: 'Cash',
    qr: 'QR',
    direct_debit: 'Bank debit',
    card_debit: 'Card debit',
  },
};
