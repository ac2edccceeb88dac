import type { LineFault, SettlementKind } from '../../../money/settlements/index.ts';
import type { Lang } from '../../../platform/pages/model.ts';

const kindsEs: Record<SettlementKind, string> = {
  sale: 'Venta',
  refund: 'Devolución',
  chargeback: 'Contracargo',
  returned: 'Disputa ganada',
  other: 'Otro cargo',
};
const kindsEn: Record<SettlementKind, string> = {
  sale: 'Sale',
  refund: 'Refund',
  chargeback: 'Chargeback',
  returned: 'Dispute won',
  other: 'Other charge',
};

type Whys = Record<LineFault['code'], (listed: string, recorded: string) => string>;

const whysEs: Whys = {
  net: (listed, due) => `Paga ${listed}, y bruto menos descuentos da ${due}`,
  sign: (listed) => `${listed} no es un importe de este tipo`,
  no_charge: (listed) => `Mueve ${listed} que no son de ningún cobro`,
  unrecorded: () => 'No hay un pago registrado',
  amount: (_, recorded) => `Hay ${recorded} registrados`,
  twice: (listed, recorded) => `Se acreditaron ${listed} en total, y hay ${recorded} registrados`,
  back: (listed, recorded) => `Volvieron ${listed} en total, y hay ${recorded} registrados`,
  returned: (listed, recorded) =>
    `Se reintegraron ${listed} en total, y hay ${recorded} registrados`,
};
const whysEn: Whys = {
  net: (listed, due) => `Pays ${listed}, and gross less fees is ${due}`,
  sign: (listed) => `${listed} is no amount of this kind`,
  no_charge: (listed) => `Moves ${listed} of no charge`,
  unrecorded: () => 'No payment is recorded',
  amount: (_, recorded) => `${recorded} are recorded`,
  twice: (listed, recorded) => `${listed} were paid out in all, and ${recorded} are recorded`,
  back: (listed, recorded) => `${listed} went back in all, and ${recorded} are recorded`,
  returned: (listed, recorded) => `${listed} were returned in all, and ${recorded} are recorded`,
};

const es = {
  title: 'Liquidaciones',
  lead: 'Lo que cada adquirente acreditó, comparado con los cobros registrados. La diferencia es lo que los libros no explican.',
  empty: 'Todavía no hay liquidaciones',
  emptyWhy: 'Aparecen cuando se concilia un conector que las lista.',
  owed: 'Pendiente de acreditar',
  owedEmpty: 'Ningún conector lista liquidaciones',
  connector: 'Conector',
  day: 'Conciliado',
  charges: 'Cobros',
  amount: 'Importe',
  payout: 'Liquidación',
  paidOn: 'Acreditada',
  paid: 'Acreditado',
  lines: 'Líneas',
  gross: 'Bruto',
  fee: 'Descuentos',
  net: 'Neto de las líneas',
  recorded: 'Registrado',
  elsewhere: 'De otros sistemas',
  difference: 'Diferencia',
  faults: 'Líneas que no coinciden',
  pending: 'Sin comparar',
  line: 'Línea',
  kind: 'Qué',
  charge: 'Cobro',
  why: 'Qué no coincide',
  one: (name: string) => `Liquidación ${name}`,
  kinds: kindsEs,
  whys: whysEs,
};

export type SettlementTexts = typeof es;

const en: SettlementTexts = {
  title: 'Settlements',
  lead: 'What each acquirer paid out, compared with the payments that are recorded. The difference is what the books do not explain.',
  empty: 'There are no settlements yet',
  emptyWhy: 'They appear when a connector that lists them is reconciled.',
  owed: 'Still to be paid out',
  owedEmpty: 'No connector lists settlements',
  connector: 'Connector',
  day: 'Reconciled',
  charges: 'Charges',
  amount: 'Amount',
  payout: 'Settlement',
  paidOn: 'Paid on',
  paid: 'Paid out',
  lines: 'Lines',
  gross: 'Gross',
  fee: 'Fees',
  net: 'Net of its lines',
  recorded: 'Recorded',
  elsewhere: 'Of other systems',
  difference: 'Difference',
  faults: 'Lines that differ',
  pending: 'Not compared',
  line: 'Line',
  kind: 'What',
  charge: 'Charge',
  why: 'What differs',
  one: (name) => `Settlement ${name}`,
  kinds: kindsEn,
  whys: whysEn,
};

export const settlementTexts: Readonly<Record<Lang, SettlementTexts>> = { es, en };
