import type { RefundRow } from '../../../money/refunds/index.ts';
import type { TimelineWhat } from '../../../payment-requests/index.ts';
import type { Actor } from '../../../platform/actor.ts';
import type { Lang } from '../../../platform/pages/model.ts';

interface OneTexts {
  readonly title: (id: number) => string;
  readonly list: string;
  readonly facts: Readonly<
    Record<
      | 'payer'
      | 'email'
      | 'description'
      | 'reference'
      | 'created'
      | 'firstDue'
      | 'secondDue'
      | 'excluded'
      | 'why',
      string
    >
  >;
  readonly due: (day: string, amount: string) => string;
  readonly items: string;
  readonly quantity: string;
  readonly item: string;
  readonly metadata: string;
  readonly links: Readonly<Record<'title' | 'checkout' | 'coupon' | 'barcode' | 'qr', string>>;
  readonly linksClosed: string;
  readonly results: Readonly<
    Record<
      'title' | 'none' | 'what' | 'amount' | 'fee' | 'withheld' | 'net' | 'available' | 'comes',
      string
    >
  >;
  readonly kinds: Readonly<Record<'collected' | 'rejected' | 'chargeback' | 'refund', string>>;
  readonly withholdings: Readonly<
    Record<'title' | 'regime' | 'jurisdiction' | 'base' | 'rate' | 'amount' | 'certificate', string>
  >;
  readonly refunds: Readonly<Record<'title' | 'when' | 'way' | 'state' | 'amount', string>>;
  readonly refundStates: Readonly<Record<RefundRow['state'], string>>;
  readonly refundWays: Readonly<Record<RefundRow['way'], string>>;
  readonly timeline: string;
  readonly steps: Readonly<Record<TimelineWhat, string>>;
  readonly toCome: (day: string) => string;
  readonly by: (actor: Actor) => string;
  readonly withdraw: string;
  readonly resend: string;
  readonly sent: string;
  readonly refund: string;
}

const actorsEs: Readonly<Record<Actor['kind'], string>> = {
  key: 'por la API',
  user: 'desde el portal',
  payer: 'por el pagador',
  operator: 'por el operador',
  connector: 'por el procesador',
  rail: 'por un archivo de la red',
  system: 'automático',
};

const actorsEn: Readonly<Record<Actor['kind'], string>> = {
  key: 'over the API',
  user: 'in the portal',
  payer: 'by the payer',
  operator: 'by the operator',
  connector: 'by the processor',
  rail: 'by a file of the network',
  system: 'by itself',
};

export const oneTexts: Readonly<Record<Lang, OneTexts>> = {
  es: {
    title: (id) => `Cobro ${id}`,
    list: 'Cobros',
    facts: {
      payer: 'Pagador',
      email: 'Correo',
      description: 'Concepto',
      reference: 'Tu referencia',
      created: 'Creado',
      firstDue: 'Primer vencimiento',
      secondDue: 'Segundo vencimiento',
      excluded: 'Medios excluidos',
      why: 'Motivo',
    },
    due: (day, amount) => `${day}, ${amount}`,
    items: 'Detalle',
    quantity: 'Cantidad',
    item: 'Concepto',
    metadata: 'Datos propios (metadata)',
    links: {
      title: 'Para el pagador',
      checkout: 'Página de pago',
      coupon: 'Cupón en PDF',
      barcode: 'Código de barras',
      qr: 'Imagen del QR',
    },
    linksClosed: 'La cuenta no recibe pagos ahora: estos enlaces no se muestran al pagador.',
    results: {
      title: 'Movimientos del dinero',
      none: 'Todavía no hubo pagos ni intentos.',
      what: 'Qué',
      amount: 'Importe',
      fee: 'Comisión con IVA',
      withheld: 'Retenciones',
      net: 'Neto',
      available: 'Disponible',
      comes: 'a disponibilizarse',
    },
    kinds: {
      collected: 'Cobrado',
      rejected: 'Rechazado',
      chargeback: 'Contracargo',
      refund: 'Devuelto',
    },
    withholdings: {
      title: 'Retenciones y percepciones',
      regime: 'Régimen',
      jurisdiction: 'Jurisdicción',
      base: 'Base',
      rate: 'Alícuota',
      amount: 'Importe',
      certificate: 'Certificado',
    },
    refunds: {
      title: 'Devoluciones',
      when: 'Pedida',
      way: 'Cómo',
      state: 'Estado',
      amount: 'Importe',
    },
    refundStates: { requested: 'En camino', done: 'Hecha', failed: 'No se pudo hacer' },
    refundWays: { channel: 'Por el mismo medio', transfer: 'Por transferencia' },
    timeline: 'Qué pasó',
    steps: {
      created: 'Creado',
      opened: 'El pagador abrió la página de pago',
      tried: 'Intento de pago',
      authorized: 'Tarjeta autorizada, todavía sin cobrar',
      authorization_voided: 'Tarjeta autorizada; se anuló sin cobrar',
      rejected: 'Pago rechazado',
      paid: 'Pagado',
      available: 'Pasó a disponible',
      availability_moved: 'Cambió el día de disponibilidad',
      paid_out: 'Primera transferencia a tu cuenta después de estar disponible',
      refund_requested: 'Se pidió una devolución',
      refund_failed: 'La devolución no se pudo hacer',
      disputed: 'Disputa: cambió su estado',
      refunded: 'Devuelto',
      reverted: 'Contracargo',
      expired: 'Venció',
      mail_sent: 'Correo enviado',
      mail_refused: 'El servidor rechazó el correo',
      mail_bounced: 'El correo rebotó',
      mail_resent: 'Se pidió reenviar el correo',
      unsubscribed: 'El pagador pidió no recibir más correos',
      resubscribed: 'El pagador volvió a aceptar correos',
    },
    toCome: (day) => `Disponible el ${day}`,
    by: ({ kind }) => actorsEs[kind],
    withdraw: 'Retirar…',
    resend: 'Enviar de nuevo',
    sent: 'El correo ya está en camino.',
    refund: 'Devolver…',
  },
  en: {
    title: (id) => `Request ${id}`,
    list: 'Payment requests',
    facts: {
      payer: 'Payer',
      email: 'E-mail',
      description: 'Concept',
      reference: 'Your reference',
      created: 'Created',
      firstDue: 'First due',
      secondDue: 'Second due',
      excluded: 'Excluded channels',
      why: 'Why',
    },
    due: (day, amount) => `${day}, ${amount}`,
    items: 'Detail',
    quantity: 'Quantity',
    item: 'Concept',
    metadata: 'Data of your own (metadata)',
    links: {
      title: 'For the payer',
      checkout: 'Payment page',
      coupon: 'Coupon as PDF',
      barcode: 'Barcode',
      qr: 'QR image',
    },
    linksClosed: 'The account takes no payments now: these links show nothing to the payer.',
    results: {
      title: 'What happened to the money',
      none: 'There were no payments or tries yet.',
      what: 'What',
      amount: 'Amount',
      fee: 'Fee with VAT',
      withheld: 'Withheld',
      net: 'Net',
      available: 'Available',
      comes: 'to come',
    },
    kinds: {
      collected: 'Collected',
      rejected: 'Rejected',
      chargeback: 'Chargeback',
      refund: 'Refunded',
    },
    withholdings: {
      title: 'Withholdings',
      regime: 'Regime',
      jurisdiction: 'Jurisdiction',
      base: 'Base',
      rate: 'Rate',
      amount: 'Amount',
      certificate: 'Certificate',
    },
    refunds: {
      title: 'Refunds',
      when: 'Asked for',
      way: 'How',
      state: 'State',
      amount: 'Amount',
    },
    refundStates: { requested: 'On its way', done: 'Done', failed: 'Could not be done' },
    refundWays: { channel: 'By the same channel', transfer: 'By transfer' },
    timeline: 'What happened',
    steps: {
      created: 'Created',
      opened: 'The payer opened the payment page',
      tried: 'Payment tried',
      authorized: 'Card authorised, not charged yet',
      authorization_voided: 'Card authorised; voided without a charge',
      rejected: 'Payment rejected',
      paid: 'Paid',
      available: 'Became available',
      availability_moved: 'The day of availability changed',
      paid_out: 'First payout after it became available',
      refund_requested: 'A refund was asked for',
      refund_failed: 'The refund could not be done',
      disputed: 'Dispute: its state changed',
      refunded: 'Refunded',
      reverted: 'Chargeback',
      expired: 'Expired',
      mail_sent: 'Mail sent',
      mail_refused: 'The server refused the mail',
      mail_bounced: 'The mail bounced',
      mail_resent: 'Somebody asked to send the mail again',
      unsubscribed: 'The payer asked for no more mails',
      resubscribed: 'The payer takes mails again',
    },
    toCome: (day) => `Available on ${day}`,
    by: ({ kind }) => actorsEn[kind],
    withdraw: 'Withdraw…',
    resend: 'Send again',
    sent: 'The mail is on its way.',
    refund: 'Refund…',
  },
};
