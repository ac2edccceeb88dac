import type { ResultType } from '../../../money/collections/index.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import type { RequestKind } from '../../../requests/index.ts';

/** How far the clock goes, by what the form says. */
export const steps = {
  hour: { hours: 1 },
  day: { hours: 24 },
  week: { hours: 7 * 24 },
  month: { hours: 30 * 24 },
} as const;
export type Step = keyof typeof steps;

interface SandboxTexts {
  readonly title: string;
  readonly lead: string;
  readonly clock: string;
  readonly now: string;
  readonly move: string;
  readonly step: string;
  readonly steps: Readonly<Record<Step, string>>;
  readonly until: string;
  readonly untilHint: string;
  readonly stepFault: string;
  readonly untilFault: string;
  readonly moved: (to: string) => string;
  readonly movedBefore: string;
  readonly heldUp: string;
  readonly happened: string;
  readonly nothing: string;
  readonly what: string;
  readonly count: string;
  readonly play: string;
  readonly playLead: string;
  readonly number: string;
  readonly find: string;
  readonly unknown: string;
  readonly kinds: Readonly<Record<RequestKind, string>>;
  readonly account: string;
  readonly payer: string;
  readonly state: string;
  readonly due: string;
  readonly pay: string;
  readonly channel: string;
  readonly channelHint: string;
  readonly cash: string;
  readonly amount: string;
  readonly amountHint: string;
  readonly amountFault: string;
  readonly card: string;
  readonly cardHint: string;
  readonly refused: string;
  readonly done: string;
  readonly results: string;
  readonly noResults: string;
  readonly when: string;
  readonly resultTypes: Readonly<Record<ResultType, string>>;
  readonly chargeback: string;
}

export const sandboxTexts: Readonly<Record<Lang, SandboxTexts>> = {
  es: {
    title: 'Ambiente de prueba',
    lead: 'Acá se juega a que pasa el tiempo y a que alguien paga. Vale para todas las cuentas.',
    clock: 'Reloj',
    now: 'Ahora es',
    move: 'Adelantar el reloj',
    step: 'Cuánto',
    steps: { hour: '1 hora', day: '1 día', week: '7 días', month: '30 días' },
    until: 'O hasta el día',
    untilHint: 'A la hora que es ahora. El reloj no vuelve atrás.',
    stepFault: 'Elegí cuánto, o un día.',
    untilFault: 'Tiene que ser un día después de hoy, dentro de cinco años.',
    moved: (to) => `El reloj marca ${to}.`,
    movedBefore: 'El reloj ya había pasado de ahí: no se movió.',
    heldUp: 'El reloj se detuvo porque algo en el camino no terminó. Probá de nuevo.',
    happened: 'Lo que pasó en el camino',
    nothing: 'No venció nada en el camino.',
    what: 'Qué',
    count: 'Cuántos',
    play: 'Pagar o contracargar',
    playLead: 'Un cobro, débito o QR de cualquier cuenta, por su número.',
    number: 'Número',
    find: 'Buscar',
    unknown: 'No hay nada con ese número.',
    kinds: {
      payment_request: 'Cobro',
      debit_request: 'Débito en cuenta',
      card_debit_request: 'Débito en tarjeta',
      qr: 'QR',
    },
    account: 'Cuenta',
    payer: 'Pagador',
    state: 'Estado',
    due: 'Para pagar hoy',
    pay: 'Pagar',
    channel: 'Medio',
    channelHint: 'Los débitos y los QR se pagan siempre por su propio medio.',
    cash: 'Efectivo',
    amount: 'Importe',
    amountHint: 'Vacío: lo que hay para pagar hoy.',
    amountFault: 'Tiene que ser un importe, como 1500,50.',
    card: 'Número de tarjeta de prueba',
    cardHint: 'Vacío: una que se aprueba.',
    refused: 'No se hizo:',
    done: 'Hecho.',
    results: 'Pagos y devoluciones',
    noResults: 'Todavía no hay pagos',
    when: 'Cuándo',
    resultTypes: {
      collected: 'Pagado',
      rejected: 'Rechazado',
      chargeback: 'Contracargo',
      refund: 'Devolución',
    },
    chargeback: 'Contracargar',
  },
  en: {
    title: 'Test environment',
    lead: 'Here time passes and somebody pays, as in a game. It goes for all accounts.',
    clock: 'Clock',
    now: 'It is',
    move: 'Move the clock forward',
    step: 'How far',
    steps: { hour: '1 hour', day: '1 day', week: '7 days', month: '30 days' },
    until: 'Or to the day',
    untilHint: 'At the time that it is now. The clock never goes back.',
    stepFault: 'Choose how far, or a day.',
    untilFault: 'It must be a day after today, within five years.',
    moved: (to) => `The clock shows ${to}.`,
    movedBefore: 'The clock was past that already: it did not move.',
    heldUp: 'The clock stopped, because something on the way did not end. Try again.',
    happened: 'What happened on the way',
    nothing: 'Nothing fell due on the way.',
    what: 'What',
    count: 'How many',
    play: 'Pay or charge back',
    playLead: 'A payment request, debit or QR of any account, by its number.',
    number: 'Number',
    find: 'Find',
    unknown: 'There is nothing with this number.',
    kinds: {
      payment_request: 'Payment request',
      debit_request: 'CBU debit',
      card_debit_request: 'Card debit',
      qr: 'QR',
    },
    account: 'Account',
    payer: 'Payer',
    state: 'State',
    due: 'To be paid today',
    pay: 'Pay',
    channel: 'Channel',
    channelHint: 'Debits and QRs are always paid by their own.',
    cash: 'Cash',
    amount: 'Amount',
    amountHint: 'Empty: what is to be paid today.',
    amountFault: 'It must be an amount, such as 1500,50.',
    card: 'Number of a test card',
    cardHint: 'Empty: one that is approved.',
    refused: 'It was not done:',
    done: 'Done.',
    results: 'Payments and reversals',
    noResults: 'There are no payments yet',
    when: 'When',
    resultTypes: {
      collected: 'Paid',
      rejected: 'Refused',
      chargeback: 'Chargeback',
      refund: 'Refund',
    },
    chargeback: 'Charge back',
  },
};
