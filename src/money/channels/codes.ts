import { type LedgerAccount, ledgerAccounts } from '../ledger/chart.ts';

/** The payment channels of the interface (2.1, excluded_channels), and `qr`. */
export const channelCodes = [
  'credit_card',
  'debit_card',
  'banelco_pmc',
  'link_pagos',
  'DEBIN',
  'wire_transfer',
  'non_banking',
  'qr',
] as const;

/** Channels on which the account holder debits under a mandate. */
const debitChannelCodes = ['direct_debit', 'card_debit'] as const;

/** All channels through which money arrives. */
export const allChannelCodes = [...channelCodes, ...debitChannelCodes] as const;

export type PayerChannel = (typeof channelCodes)[number];

export type ChannelCode = PayerChannel | (typeof debitChannelCodes)[number];

interface ChannelFacts {
  /** Display name unless a card's brand or a network's name is known. */
  label: string;
  /** True if the channel asks before it takes a payment, so that the service can refuse it. */
  online: boolean;
  clearing: LedgerAccount;
}

export const channels: Record<ChannelCode, ChannelFacts> = {
  credit_card: {
    label: 'Tarjeta de crédito',
    online: true,
    clearing: ledgerAccounts.clearingCreditCard,
  },
  debit_card: {
    label: 'Tarjeta de débito',
    online: true,
    clearing: ledgerAccounts.clearingDebitCard,
  },
  banelco_pmc: {
    label: 'Pago Mis Cuentas',
    online: false,
    clearing: ledgerAccounts.clearingBanelcoPmc,
  },
  link_pagos: { label: 'Link Pagos', online: false, clearing: ledgerAccounts.clearingLinkPagos },
  DEBIN: { label: 'DEBIN', online: true, clearing: ledgerAccounts.clearingDebin },
  wire_transfer: {
    label: 'Transferencia',
    online: false,
    clearing: ledgerAccounts.clearingWireTransfer,
  },
  non_banking: { label: 'Pago Fácil', online: false, clearing: ledgerAccounts.clearingNonBanking },
  qr: { label: 'QR', online: true, clearing: ledgerAccounts.clearingQr },
  direct_debit: {
    label: 'Débito directo',
    online: false,
    clearing: ledgerAccounts.clearingDirectDebit,
  },
  card_debit: {
    label: 'Débito en tarjeta',
    online: false,
    clearing: ledgerAccounts.clearingCardDebit,
  },
};
