import type { DebitRow, RunShown } from '../../debit-requests/index.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { FieldWords } from '../frame/creating.tsx';

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

type Field =
  | 'first_due_date'
  | 'first_total'
  | 'second_due_date'
  | 'second_total'
  | 'period'
  | 'amount'
  | 'description'
  | 'external_reference';

interface NewTexts {
  title: string;
  submit: string;
  earliest: (day: string) => string;
  period: (month: string) => string;
  refused: Record<'conflict' | 'unprocessable' | 'mandate', string>;
  fields: FieldWords<Field>;
}

const amountFault = 'Completá un importe, como 1430,50: hasta 8 cifras y 2 decimales.';

export const newTexts: Readonly<Record<Lang, NewTexts>> = {
  es: {
    title: 'Nuevo débito',
    submit: 'Crear el débito',
    earliest: (day) => `Desde el ${day}: los bancos necesitan saberlo antes.`,
    period: (month) => `Desde ${month}: los anteriores ya cerraron.`,
    refused: {
      conflict: 'La adhesión ya no está firmada: no se puede debitar con ella.',
      unprocessable:
        'Con este formulario ya se creó un débito con otros datos. Buscalo en la lista antes de crear otro.',
      mandate: 'Con esta adhesión no se puede debitar ahora. Avisanos si sigue así.',
    },
    fields: {
      first_due_date: {
        label: 'Vencimiento',
        fault: 'Elegí un día que los bancos alcancen a saber, como dice arriba.',
      },
      first_total: { label: 'Importe', fault: amountFault },
      second_due_date: {
        label: 'Segundo vencimiento',
        hint: 'Si en el primero falta saldo, se vuelve a intentar este día.',
        fault: 'El segundo vencimiento va después del primero, y con su importe.',
      },
      second_total: {
        label: 'Importe del segundo vencimiento',
        fault: 'Completá el importe del segundo vencimiento, igual o mayor que el primero.',
      },
      period: { label: 'Mes del débito', fault: 'Elegí un mes que no haya cerrado.' },
      amount: { label: 'Importe', fault: amountFault },
      description: {
        label: 'Concepto',
        hint: 'Vacío, el de la adhesión.',
        fault: 'El concepto puede tener hasta 255 caracteres.',
      },
      external_reference: {
        label: 'Referencia',
        hint: 'Vacía, la de la adhesión.',
        fault: 'La referencia puede tener hasta 255 caracteres, en una sola línea.',
      },
    },
  },
  en: {
    title: 'New debit',
    submit: 'Create the debit',
    earliest: (day) => `From ${day} on: banks need to know before.`,
    period: (month) => `From ${month} on: those before are closed.`,
    refused: {
      conflict: 'The mandate is signed no more: nothing can be debited by it.',
      unprocessable:
        'This form created a debit with other data before. Look for it in the list before you create another.',
      mandate: 'Nothing can be debited by this mandate now. Tell us if it stays so.',
    },
    fields: {
      first_due_date: { label: 'Due' },
      first_total: { label: 'Amount' },
      second_due_date: {
        label: 'Second due',
        hint: 'Where there is too little money on the first, it is tried again on this day.',
      },
      second_total: { label: 'Amount of the second due' },
      period: { label: 'Month of the debit' },
      amount: { label: 'Amount' },
      description: { label: 'Description', hint: 'Empty: that of the mandate.' },
      external_reference: { label: 'Reference', hint: 'Empty: that of the mandate.' },
    },
  },
};
