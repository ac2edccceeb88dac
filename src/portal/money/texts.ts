import { channels } from '../../money/channels/index.ts';
import {
  type HolderFigure,
  type JournalKind,
  type LedgerAccount,
  ledgerAccounts,
  type Movement,
} from '../../money/ledger/index.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { channelNames } from '../frame/channels.ts';

interface MoneyTexts {
  readonly title: string;
  readonly lead: string;
  readonly figures: Readonly<Record<HolderFigure, string>>;
  readonly about: Readonly<Record<HolderFigure, string>>;
  readonly balance: string;
  readonly reports: string;
  readonly movements: string;
  readonly noMovements: string;
  readonly sideMovements: string;
  readonly days: (from: string, to: string) => string;
  readonly until: (day: string) => string;
  readonly journals: (count: number) => string;
  readonly when: string;
  readonly booked: string;
  readonly what: string;
  readonly of: string;
  readonly amount: string;
  readonly journal: (id: number) => string;
  readonly lines: string;
  readonly account: string;
  readonly debit: string;
  readonly credit: string;
  readonly request: (id: number) => string;
  readonly causes: Readonly<Record<string, string>>;
  readonly kinds: Readonly<Record<JournalKind, string>>;
  readonly clearing: (channel: string) => string;
  readonly accounts: Readonly<Partial<Record<keyof typeof ledgerAccounts, string>>>;
  readonly payouts: string;
  readonly allPayouts: string;
  readonly noPayouts: string;
  readonly noPayoutsWhy: string;
  readonly reference: string;
  readonly state: string;
  readonly sent: string;
  readonly returned: string;
}

export const moneyTexts: Readonly<Record<Lang, MoneyTexts>> = {
  es: {
    title: 'Dinero',
    lead: 'Tus saldos, de qué están hechos, y lo que se te transfirió.',
    figures: { available: 'Disponible', unavailable: 'A disponibilizarse' },
    about: {
      available: 'Lo que ya se te puede transferir.',
      unavailable: 'Lo cobrado que todavía no llegó a su día de disponibilidad.',
    },
    balance: 'Saldo',
    reports: 'Reportes y resumen del mes',
    movements: 'Movimientos, del más nuevo al más viejo. Todos juntos suman el saldo.',
    noMovements: 'Todavía no hay movimientos',
    sideMovements: 'Asientos, del más nuevo al más viejo. Todos juntos suman el importe.',
    days: (from, to) => `Del ${from} al ${to}`,
    until: (day) => `Al cierre del ${day}.`,
    journals: (count) => (count === 1 ? '1 asiento' : `${count} asientos`),
    when: 'Cuándo',
    booked: 'Día contable',
    what: 'Qué',
    of: 'De',
    amount: 'Importe',
    journal: (id) => `Asiento ${id}`,
    lines: 'Líneas del asiento: el debe y el haber suman lo mismo.',
    account: 'Cuenta',
    debit: 'Debe',
    credit: 'Haber',
    request: (id) => `Cobro ${id}`,
    causes: { payout: 'Transferencia', correction: 'Corrección', suspense: 'Pago sin identificar' },
    kinds: {
      collection: 'Cobro',
      release: 'Pasó a disponible',
      chargeback: 'Contracargo',
      refund: 'Devolución',
      payout: 'Transferencia a tu cuenta',
      payout_return: 'Transferencia que volvió',
      refund_hold: 'Apartado para una devolución',
      refund_undone: 'Devolución que no se hizo',
      correction: 'Corrección',
      suspense: 'Pago sin identificar',
      suspense_assigned: 'Pago identificado',
      suspense_returned: 'Pago sin identificar devuelto',
      suspense_reversed: 'Pago sin identificar revertido',
    },
    clearing: (channel) => `A cobrar de ${channel}`,
    accounts: {
      holderUnavailable: 'A disponibilizarse',
      holderAvailable: 'Disponible',
      feeIncome: 'Comisiones',
      vatPayable: 'IVA de comisiones',
      withholdingsPayable: 'Retenciones',
      suspense: 'Pagos sin identificar',
      corrections: 'Correcciones',
      refundsInProgress: 'Devoluciones en curso',
      clearingPayouts: 'Banco',
    },
    payouts: 'Transferencias a tu cuenta',
    allPayouts: 'Ver todas',
    noPayouts: 'Todavía no hubo transferencias',
    noPayoutsWhy: 'Acá vas a ver cada transferencia a tu CBU.',
    reference: 'Referencia',
    state: 'Estado',
    sent: 'Enviada',
    returned: 'Volvió',
  },
  en: {
    title: 'Money',
    lead: 'Your balances, what they are made of, and what was transferred to you.',
    figures: { available: 'Available', unavailable: 'To come' },
    about: {
      available: 'What can be transferred to you now.',
      unavailable: 'What was collected and has not reached its day of availability.',
    },
    balance: 'Balance',
    reports: 'Reports and statement',
    movements: 'Movements, the newest first. All of them together are the balance.',
    noMovements: 'There are no movements yet',
    sideMovements: 'Journals, the newest first. All of them together are the amount.',
    days: (from, to) => `From ${from} to ${to}`,
    until: (day) => `At the end of ${day}.`,
    journals: (count) => (count === 1 ? '1 journal' : `${count} journals`),
    when: 'When',
    booked: 'Day in the books',
    what: 'What',
    of: 'Of',
    amount: 'Amount',
    journal: (id) => `Journal ${id}`,
    lines: 'Lines of the journal: debits and credits come to the same.',
    account: 'Account',
    debit: 'Debit',
    credit: 'Credit',
    request: (id) => `Request ${id}`,
    causes: { payout: 'Payout', correction: 'Correction', suspense: 'Unknown payment' },
    kinds: {
      collection: 'Collection',
      release: 'Became available',
      chargeback: 'Chargeback',
      refund: 'Refund',
      payout: 'Payout',
      payout_return: 'Payout that came back',
      refund_hold: 'Put aside for a refund',
      refund_undone: 'Refund that was not done',
      correction: 'Correction',
      suspense: 'Unknown payment',
      suspense_assigned: 'Payment found',
      suspense_returned: 'Unknown payment returned',
      suspense_reversed: 'Unknown payment reversed',
    },
    clearing: (channel) => `Owed by ${channel}`,
    accounts: {
      holderUnavailable: 'To come',
      holderAvailable: 'Available',
      feeIncome: 'Fees',
      vatPayable: 'VAT of fees',
      withholdingsPayable: 'Withholdings',
      suspense: 'Unknown payments',
      corrections: 'Corrections',
      refundsInProgress: 'Refunds on their way',
      clearingPayouts: 'Bank',
    },
    payouts: 'Payouts',
    allPayouts: 'See all',
    noPayouts: 'There were no payouts yet',
    noPayoutsWhy: 'Each transfer to your CBU will stand here.',
    reference: 'Reference',
    state: 'State',
    sent: 'Sent',
    returned: 'Came back',
  },
};

/** How a ledger account is called; those of channels by what the channel owes. */
export function accountText(lang: Lang, account: LedgerAccount): string {
  const texts = moneyTexts[lang];
  const names = Object.keys(ledgerAccounts) as (keyof typeof ledgerAccounts)[];
  const name = names.find((one) => ledgerAccounts[one] === account);
  const own = name && texts.accounts[name];
  if (own !== undefined) return own;
  const codes = Object.keys(channels) as (keyof typeof channels)[];
  const channel = codes.find((code) => channels[code].clearing === account);
  return channel ? texts.clearing(channelNames[lang][channel]) : String(account);
}

/** What a journal belongs to: a request, or what its cause names. */
export function causeText(
  lang: Lang,
  { request_id: requestId, cause }: Pick<Movement, 'request_id' | 'cause'>,
): string {
  const texts = moneyTexts[lang];
  if (requestId !== null) return texts.request(requestId);
  const [noun = '', id = ''] = (cause ?? '').split(':');
  return `${texts.causes[noun] ?? noun} ${id}`.trim();
}
