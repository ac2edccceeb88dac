import type { Lang } from '../../../platform/pages/model.ts';

interface ActTexts {
  readonly withdraw: Readonly<Record<'title' | 'lead' | 'offline' | 'submit' | 'late', string>>;
  readonly resend: Readonly<Record<'title' | 'lead' | 'submit' | 'refused' | 'tooOften', string>>;
  readonly refund: Readonly<
    Record<'title' | 'lead' | 'payment' | 'amount' | 'cbu' | 'cbuHint' | 'submit', string>
  >;
  readonly left: (amount: string) => string;
  readonly payment: (channel: string, when: string) => string;
  readonly already: (amount: string) => string;
}

export const actTexts: Readonly<Record<Lang, ActTexts>> = {
  es: {
    withdraw: {
      title: '¿Retirar este cobro?',
      lead: 'Vence ahora, y nadie lo va a poder pagar en línea. No se puede deshacer.',
      offline: 'El dinero que llegue igual, de un cupón ya impreso por ejemplo, se registra.',
      submit: 'Sí, retirar el cobro',
      late: 'Este cobro ya no está pendiente, así que no se retira: mirá abajo qué pasó.',
    },
    resend: {
      title: '¿Enviar otra vez el correo?',
      lead: 'Le llega el cobro, o el recibo si ya pagó, a',
      submit: 'Sí, enviar',
      refused:
        'No se envió: no hay nada para enviar, o quien lee esa dirección pidió no recibir más correos.',
      tooOften: 'No se envió: hace muy poco se envió este correo, o ya van cinco en el día.',
    },
    refund: {
      title: 'Devolver un pago',
      lead: 'El importe sale ahora de tus saldos. La devolución está hecha cuando el medio de pago, o el banco, lo confirma.',
      payment: 'Pago',
      amount: 'Importe a devolver',
      cbu: 'CBU o CVU del pagador',
      cbuHint: 'Este medio no devuelve dinero: se le transfiere a esta cuenta.',
      submit: 'Devolver',
    },
    left: (amount) => `En blanco: todo lo que queda, ${amount}.`,
    payment: (channel, when) => `${channel}, ${when}`,
    already: (amount) =>
      `Con este formulario ya se pidió una devolución de ${amount}, y no se pidió otra. Si querés otra más, enviá el formulario de nuevo.`,
  },
  en: {
    withdraw: {
      title: 'Withdraw this request?',
      lead: 'It expires now, and nobody can pay it online. It cannot be undone.',
      offline: 'Money that comes all the same, by a coupon that was printed, is recorded.',
      submit: 'Yes, withdraw the request',
      late: 'This request is not pending any more, so it is not withdrawn: see below what happened.',
    },
    resend: {
      title: 'Send the mail again?',
      lead: 'The request, or the receipt of what was paid, goes to',
      submit: 'Yes, send it',
      refused:
        'It was not sent: there is nothing to send, or whoever reads that address asked for no more mails.',
      tooOften: 'It was not sent: it was a moment ago, or five times within a day.',
    },
    refund: {
      title: 'Refund a payment',
      lead: 'The amount leaves your balances now. The refund is done when the channel, or the bank, says so.',
      payment: 'Payment',
      amount: 'Amount to give back',
      cbu: 'CBU or CVU of the payer',
      cbuHint: 'This channel gives no money back: it is transferred to this account.',
      submit: 'Refund',
    },
    left: (amount) => `Left blank: all that is left, ${amount}.`,
    payment: (channel, when) => `${channel}, ${when}`,
    already: (amount) =>
      `With this form a refund of ${amount} was asked for already, and no other. If you want one more, send the form again.`,
  },
};
