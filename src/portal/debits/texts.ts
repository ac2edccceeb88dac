import type { DebitRow, RunShown } from '../../debit-requests/index.ts';
import type { Lang } from '../../platform/pages/model.ts';

interface DebitTexts {
  title: string;
  lead: string;
  kinds: Record<DebitRow['kind'], string>;
  filters: Record<'text' | 'hint' | 'kind' | 'state' | 'day' | 'all', string>;
  list: Record<'payer' | 'amount' | 'day' | 'state' | 'why' | 'caption' | 'reference', string>;
  none: string;
  noneWhy: string;
  notFound: string;
  days: {
    link: string;
    title: string;
    lead: string;
    caption: string;
    none: string;
    more: (count: number) => string;
    uncounted: (count: number) => string;
  } & Record<'day' | 'runs' | 'amount' | 'waiting' | 'submitted' | 'done', string>;
  ofDay: (day: string) => string;
  counted: (debits: number) => string;
  facts: Record<
    | 'amount'
    | 'mandate'
    | 'first'
    | 'second'
    | 'period'
    | 'description'
    | 'reference'
    | 'created'
    | 'paid'
    | 'available',
    string
  >;
  runs: {
    title: string;
    caption: string;
    outcomes: Record<RunShown['state'] | 'collected' | 'rejected', string>;
  } & Record<'no' | 'submit' | 'run' | 'amount' | 'outcome', string>;
  refused: (reason: string) => string;
  goesOn: (reason: string) => string;
  again: (day: string) => string;
  code: string;
  reversed: string;
  canceledBy: string;
  cancel: { ask: string; title: string; lead: string; submit: string; refused: string };
  onMandate: { title: string; all: string; none: string };
}

export const debitTexts: Readonly<Record<Lang, DebitTexts>> = {
  es: {
    title: 'Débitos',
    lead: 'Lo que se debita de las cuentas y tarjetas adheridas, y qué respondió cada banco.',
    kinds: { debit_request: 'Cuenta bancaria', card_debit_request: 'Tarjeta' },
    filters: {
      text: 'Buscar',
      hint: 'Nombre, referencia o número',
      kind: 'Medio',
      state: 'Estado',
      day: 'Día del débito',
      all: 'Todos',
    },
    list: {
      payer: 'Titular',
      amount: 'Importe',
      day: 'Se debita',
      state: 'Estado',
      why: 'Qué dijo el banco',
      reference: 'Referencia',
      caption: 'Débitos, del más nuevo al más viejo',
    },
    none: 'Todavía no hay débitos',
    noneWhy: 'Se crean desde una adhesión firmada, con Emisión masiva o por la API.',
    notFound: 'Ningún débito coincide con lo que buscás',
    days: {
      link: 'Por día',
      title: 'Débitos por día',
      lead: 'Qué se presenta cada día a los bancos y a las tarjetas.',
      caption: 'Días con débitos, del último al primero',
      none: 'Todavía no hay débitos',
      day: 'Día',
      runs: 'Débitos',
      amount: 'Importe',
      waiting: 'Por presentar',
      submitted: 'En el banco',
      done: 'Decididos',
      more: (count) => `más de ${count}`,
      uncounted: (count) =>
        `Son más de ${count} débitos: acá no se suman. Descargá la lista para tenerlos todos.`,
    },
    ofDay: (day) => `Débitos del ${day}`,
    counted: (debits) => (debits === 1 ? '1 débito' : `${debits} débitos`),
    facts: {
      amount: 'Importe',
      mandate: 'Adhesión',
      first: 'Primer vencimiento',
      second: 'Segundo vencimiento',
      period: 'Período',
      description: 'Concepto',
      reference: 'Referencia',
      created: 'Creado',
      paid: 'Pagado',
      available: 'Disponible desde',
    },
    runs: {
      title: 'Presentaciones',
      caption: 'Cada vez que se presenta al banco o a la tarjeta',
      no: 'N.º',
      submit: 'Se manda',
      run: 'Se debita',
      amount: 'Importe',
      outcome: 'Qué pasó',
      outcomes: {
        waiting: 'Por mandar',
        submitted: 'En el banco',
        done: 'Terminada',
        collected: 'Cobrada',
        rejected: 'Rechazada',
      },
    },
    refused: (reason) => `El banco lo rechazó: ${reason}`,
    goesOn: (reason) => `El banco avisó: ${reason}`,
    again: (day) => `Se vuelve a debitar solo el ${day}: no crees otro débito.`,
    code: 'Código',
    reversed: 'El titular pidió la reversión y el banco devolvió el dinero.',
    canceledBy: 'El débito se canceló antes de presentarse.',
    cancel: {
      ask: 'Cancelar el débito',
      title: '¿Cancelar este débito?',
      lead: 'No se presenta al banco. La adhesión sigue firmada.',
      submit: 'Cancelar el débito',
      refused: 'Este débito ya se presentó o se decidió: no se puede cancelar.',
    },
    onMandate: {
      title: 'Débitos',
      all: 'Nuevo débito',
      none: 'Todavía no se debitó nada con esta adhesión.',
    },
  },
  en: {
    title: 'Debits',
    lead: 'What is debited from accounts and cards by mandates, and what each bank answered.',
    kinds: { debit_request: 'Bank account', card_debit_request: 'Card' },
    filters: {
      text: 'Search',
      hint: 'Name, reference or number',
      kind: 'Kind',
      state: 'State',
      day: 'Day of the debit',
      all: 'All',
    },
    list: {
      payer: 'Holder',
      amount: 'Amount',
      day: 'Debited on',
      state: 'State',
      why: 'What the bank said',
      reference: 'Reference',
      caption: 'Debits, the newest first',
    },
    none: 'There are no debits yet',
    noneWhy: 'They are made from a signed mandate, by an import or over the API.',
    notFound: 'No debit is what you look for',
    days: {
      link: 'By day',
      title: 'Debits by day',
      lead: 'What is put to banks and cards on each day.',
      caption: 'Days with debits, the last first',
      none: 'There are no debits yet',
      day: 'Day',
      runs: 'Debits',
      amount: 'Amount',
      waiting: 'To be put',
      submitted: 'At the bank',
      done: 'Decided',
      more: (count) => `more than ${count}`,
      uncounted: (count) =>
        `These are more than ${count} debits, which are not added up here. Download the list to have them all.`,
    },
    ofDay: (day) => `Debits of ${day}`,
    counted: (debits) => (debits === 1 ? '1 debit' : `${debits} debits`),
    facts: {
      amount: 'Amount',
      mandate: 'Mandate',
      first: 'First due',
      second: 'Second due',
      period: 'Period',
      description: 'Description',
      reference: 'Reference',
      created: 'Created',
      paid: 'Paid',
      available: 'Available from',
    },
    runs: {
      title: 'Runs',
      caption: 'Each time that it is put to the bank or card',
      no: 'No.',
      submit: 'Sent on',
      run: 'Debited on',
      amount: 'Amount',
      outcome: 'What happened',
      outcomes: {
        waiting: 'To be sent',
        submitted: 'At the bank',
        done: 'Ended',
        collected: 'Collected',
        rejected: 'Rejected',
      },
    },
    refused: (reason) => `The bank rejected it: ${reason}`,
    goesOn: (reason) => `The bank told: ${reason}`,
    again: (day) => `It is debited again by itself on ${day}: do not create another debit.`,
    code: 'Code',
    reversed: 'Its holder asked for the reversal and the bank gave the money back.',
    canceledBy: 'The debit was canceled before it was put to the bank.',
    cancel: {
      ask: 'Cancel the debit',
      title: 'Cancel this debit?',
      lead: 'It is not put to the bank. The mandate stays signed.',
      submit: 'Cancel the debit',
      refused: 'This debit was put to the bank or decided: it cannot be canceled.',
    },
    onMandate: {
      title: 'Debits',
      all: 'New debit',
      none: 'Nothing was debited by this mandate yet.',
    },
  },
};
