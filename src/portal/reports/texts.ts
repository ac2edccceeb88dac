import type { Lang } from '../../platform/pages/model.ts';
import type { ReportName } from '../../reports/index.ts';

type Names = Readonly<Record<string, string>>;

interface ReportTexts {
  readonly title: string;
  readonly lead: string;
  readonly reports: Readonly<Record<ReportName, string>>;
  readonly about: Readonly<Record<ReportName, string>>;
  readonly period: string;
  readonly from: string;
  readonly to: string;
  readonly usual: Readonly<Record<'today' | 'yesterday' | 'thisMonth' | 'lastMonth', string>>;
  readonly faults: {
    readonly noDay: string;
    readonly future: string;
    readonly order: string;
    readonly long: (days: number) => string;
  };
  /** Members of rows. */
  readonly members: Names;
  /** Figures of totals. */
  readonly figures: Names;
  readonly rows: (count: number) => string;
  readonly totals: string;
  readonly details: string;
  readonly byPart: string;
  readonly chart: string;
  readonly part: string;
  readonly none: string;
  readonly noneWhy: string;
  readonly download: string;
  readonly journal: string;
}

export const reportTexts: Readonly<Record<Lang, ReportTexts>> = {
  es: {
    title: 'Reportes',
    lead: 'Lo que pasó en un día, un mes o el período que elijas, con sus totales exactos.',
    reports: {
      collection: 'Cobranzas',
      chargeback: 'Contracargos',
      refund: 'Devoluciones',
      settlement: 'Liquidaciones',
      retentions: 'Retenciones',
    },
    about: {
      collection: 'Cada pago que se cobró, con su comisión.',
      chargeback: 'Cada pago que un banco o un pagador desconoció.',
      refund: 'Cada pago que se devolvió, entero o en parte.',
      settlement: 'Lo que entró y salió de tu saldo disponible.',
      retentions: 'Lo que se retuvo de impuestos, y lo que de eso volvió.',
    },
    period: 'Período',
    from: 'Desde',
    to: 'Hasta',
    usual: {
      today: 'Hoy',
      yesterday: 'Ayer',
      thisMonth: 'Este mes',
      lastMonth: 'Mes anterior',
    },
    faults: {
      noDay: 'Escribí un día, por ejemplo 2026-11-05.',
      future: 'Los reportes llegan hasta hoy.',
      order: 'El primer día tiene que ser anterior al último.',
      long: (days) => `Un período tiene hasta ${days} días.`,
    },
    members: {
      informed_date: 'Informado',
      request_id: 'Cobro',
      external_reference: 'Referencia',
      payer_name: 'Pagador',
      description: 'Descripción',
      payment_date: 'Pagado',
      channel: 'Canal',
      amount_paid: 'Importe',
      net_fee: 'Comisión',
      iva_fee: 'IVA',
      net_amount: 'Neto',
      available_at: 'Disponible',
      reverted_amount: 'Importe',
      refunded_amount: 'Importe',
      reversed_result_id: 'Pago devuelto',
      credit: 'Crédito',
      debit: 'Débito',
      created_at: 'Fecha',
      regime: 'Régimen',
      jurisdiction: 'Jurisdicción',
      base: 'Base',
      rate: 'Alícuota',
      amount: 'Importe',
    },
    figures: {
      paid: 'Cobrado',
      fee: 'Comisiones',
      vat: 'IVA de comisiones',
      net: 'Neto de comisiones',
      amount: 'Total',
      credit: 'Créditos',
      debit: 'Débitos',
      settled: 'Diferencia',
      withheld: 'Retenido',
      returned: 'Volvió',
    },
    rows: (count) => (count === 1 ? '1 renglón' : `${count} renglones`),
    totals: 'Totales del período',
    details: 'Detalle',
    byPart: 'Por día',
    chart: 'Una barra por día, o por mes si el período es largo.',
    part: 'Días',
    none: 'No hay nada en este período',
    noneWhy: 'Probá con otro período.',
    download: 'Descargar',
    journal: 'Asiento',
  },
  en: {
    title: 'Reports',
    lead: 'What happened on a day, in a month or in the period that you choose, with exact totals.',
    reports: {
      collection: 'Collections',
      chargeback: 'Chargebacks',
      refund: 'Refunds',
      settlement: 'Settlement',
      retentions: 'Withholdings',
    },
    about: {
      collection: 'Each payment that was collected, with its fee.',
      chargeback: 'Each payment that a bank or a payer disputed.',
      refund: 'Each payment that was given back, whole or in part.',
      settlement: 'What came into and went out of your available balance.',
      retentions: 'What was withheld for taxes, and what of it came back.',
    },
    period: 'Period',
    from: 'From',
    to: 'To',
    usual: {
      today: 'Today',
      yesterday: 'Yesterday',
      thisMonth: 'This month',
      lastMonth: 'Last month',
    },
    faults: {
      noDay: 'Write a day, such as 2026-11-05.',
      future: 'Reports go up to today.',
      order: 'The first day must come before the last one.',
      long: (days) => `A period has up to ${days} days.`,
    },
    members: {
      informed_date: 'Heard of',
      request_id: 'Request',
      external_reference: 'Reference',
      payer_name: 'Payer',
      description: 'Description',
      payment_date: 'Paid',
      channel: 'Channel',
      amount_paid: 'Amount',
      net_fee: 'Fee',
      iva_fee: 'VAT',
      net_amount: 'Net',
      available_at: 'Available',
      reverted_amount: 'Amount',
      refunded_amount: 'Amount',
      reversed_result_id: 'Payment taken back',
      credit: 'Credit',
      debit: 'Debit',
      created_at: 'When',
      regime: 'Regime',
      jurisdiction: 'Jurisdiction',
      base: 'Base',
      rate: 'Rate',
      amount: 'Amount',
    },
    figures: {
      paid: 'Collected',
      fee: 'Fees',
      vat: 'VAT of fees',
      net: 'Net of fees',
      amount: 'Total',
      credit: 'Credits',
      debit: 'Debits',
      settled: 'Difference',
      withheld: 'Withheld',
      returned: 'Came back',
    },
    rows: (count) => (count === 1 ? '1 row' : `${count} rows`),
    totals: 'Totals of the period',
    details: 'Rows',
    byPart: 'By day',
    chart: 'A bar for each day, or for each month of a long period.',
    part: 'Days',
    none: 'There is nothing in this period',
    noneWhy: 'Try another period.',
    download: 'Download',
    journal: 'Journal',
  },
};
