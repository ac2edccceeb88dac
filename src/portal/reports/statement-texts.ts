import type { StatementGroup } from '../../money/ledger/index.ts';
import type { Lang } from '../../platform/pages/model.ts';

interface StatementTexts {
  readonly title: string;
  readonly lead: string;
  readonly month: string;
  readonly name: (month: string, year: number) => string;
  readonly days: (from: string, to: string) => string;
  /** Where the month is not over. */
  readonly soFar: string;
  readonly opening: string;
  readonly moved: string;
  readonly closing: string;
  readonly split: (available: string, unavailable: string) => string;
  readonly released: string;
  readonly movements: string;
  readonly concept: string;
  readonly detail: string;
  readonly sum: string;
  readonly journals: string;
  readonly amount: string;
  readonly none: string;
  readonly groups: Readonly<Record<StatementGroup, string>>;
  readonly file: string;
  readonly previous: string;
  readonly next: string;
  readonly issued: (moment: string) => string;
  readonly evenly: string;
}

export const statementTexts: Readonly<Record<Lang, StatementTexts>> = {
  es: {
    title: 'Resumen del mes',
    lead: 'El saldo con que empezó el mes, todo lo que lo movió y el saldo con que terminó, del libro mayor.',
    month: 'Mes',
    name: (month, year) => `Resumen de ${month} de ${year}`,
    days: (from, to) => `Del ${from} al ${to}`,
    soFar: 'El mes no terminó: el resumen llega hasta hoy.',
    opening: 'Saldo inicial',
    moved: 'Movimientos',
    closing: 'Saldo final',
    split: (available, unavailable) =>
      `Disponible ${available} · a disponibilizarse ${unavailable}`,
    released: 'Pasó a disponible en el mes',
    movements: 'Movimientos del mes',
    concept: 'Concepto',
    detail: 'Detalle',
    sum: 'Suma',
    journals: 'Asientos',
    amount: 'Importe',
    none: 'No hubo movimientos en este mes',
    groups: {
      collected: 'Cobrado por canal',
      fees: 'Comisiones',
      vat: 'IVA de comisiones',
      withholdings: 'Retenciones',
      refunds: 'Devoluciones',
      chargebacks: 'Contracargos',
      refundsInProgress: 'Apartado para devoluciones en curso',
      payouts: 'Transferencias a tu cuenta',
      corrections: 'Correcciones',
      other: 'Otros',
    },
    file: 'Descargar PDF',
    previous: 'Mes anterior',
    next: 'Mes siguiente',
    issued: (moment) => `Emitido por Recaudo el ${moment}.`,
    evenly: 'Saldo inicial más movimientos es igual al saldo final.',
  },
  en: {
    title: 'Monthly statement',
    lead: 'What the month began with, all that moved it and what it ended with, from the ledger.',
    month: 'Month',
    name: (month, year) => `Statement of ${month} ${year}`,
    days: (from, to) => `From ${from} to ${to}`,
    soFar: 'The month is not over: the statement goes up to today.',
    opening: 'Opening balance',
    moved: 'Movements',
    closing: 'Closing balance',
    split: (available, unavailable) => `Available ${available} · to come ${unavailable}`,
    released: 'Became available in the month',
    movements: 'Movements of the month',
    concept: 'Concept',
    detail: 'Detail',
    sum: 'Sum',
    journals: 'Journals',
    amount: 'Amount',
    none: 'There were no movements in this month',
    groups: {
      collected: 'Collected by channel',
      fees: 'Fees',
      vat: 'VAT of fees',
      withholdings: 'Withholdings',
      refunds: 'Refunds',
      chargebacks: 'Chargebacks',
      refundsInProgress: 'Put aside for refunds on their way',
      payouts: 'Payouts',
      corrections: 'Corrections',
      other: 'Others',
    },
    file: 'Download PDF',
    previous: 'Month before',
    next: 'Next month',
    issued: (moment) => `Issued by Recaudo on ${moment}.`,
    evenly: 'Opening balance and movements come to the closing balance.',
  },
};
