import { isolated } from '../kernel/text.ts';
import type { Lang } from '../platform/pages/model.ts';

/** What a mandate is about, in words that both the page and the evidence use. */
export interface Subject {
  issuer: string;
  issuerCuit: string;
  /** `Nación, CBU 0110 •••• •••• •••• ••67 84`, `Visa •••• 4905`. */
  instrument: string;
  payer: string;
  description: string;
  reference: string | null;
}

type Line = (value: string) => string;

interface Words {
  title: string;
  body: Line;
}

interface Copy {
  subject: Line;
  /** Greets nobody by name: the address may be anybody's. */
  body(told: { issuer: string; number: string; moment: string; text: string; url: string }): string;
}

interface SigningTexts {
  title: Line;
  mandate: string;
  /** What the holder agrees to, paragraph by paragraph. */
  statement(subject: Subject): readonly string[];
  rows: {
    collector: string;
    instrument: string;
    payer: string;
    concept: string;
    reference: string;
    until: string;
    signedAt: string;
    endedAt: string;
    signedText: string;
  };
  wholeDay: Line;
  card: Record<
    'title' | 'note' | 'busy' | 'refused' | 'needsScripts' | 'late' | 'unavailable' | 'unnamed',
    string
  >;
  accept: string;
  decline: string;
  revoke: string;
  back: string;
  confirmDecline: Words & { yes: string };
  confirmRevoke: Words & { yes: string };
  waiting: Words;
  signed: Words;
  declined: Words;
  revoked: Words;
  canceled: Words;
  expired: Words;
  replaced: Words;
  notFound: Words;
  unavailable: Words;
  failed: Words;
  copies: { signed: Copy; revoked: Copy };
}

const spanish: SigningTexts = {
  title: (issuer) => `Autorizar el débito automático de ${issuer}`,
  mandate: 'Adhesión N.º',
  statement: ({ issuer, issuerCuit, instrument, payer, description, reference }) => [
    `Autorizo a ${isolated(issuer)} (CUIT ${issuerCuit}) a debitar automáticamente de ${instrument}, a nombre de ${isolated(payer)}, los importes que correspondan a: ${isolated(description)}${reference === null ? '' : ` (referencia ${isolated(reference)})`}.`,
    'Puedo cancelar esta autorización cuando quiera: en el enlace con el que la firmé, en mi banco, en la emisora de mi tarjeta o avisando al cobrador. Puedo pedir que no se pague un débito hasta 24 horas hábiles antes de su vencimiento, y revertir uno hecho dentro de los 30 días corridos.',
  ],
  rows: {
    collector: 'Quién cobra',
    instrument: 'De dónde se debita',
    payer: 'A nombre de',
    concept: 'Concepto',
    reference: 'Referencia',
    until: 'Podés responder hasta el',
    signedAt: 'Firmada el',
    endedAt: 'Terminó el',
    signedText: 'Lo que firmaste',
  },
  wholeDay: (day) => `${day}, todo el día`,
  card: {
    title: 'Tu tarjeta',
    note: 'Los datos van directo a la procesadora de la tarjeta, que la guarda para los próximos débitos.',
    busy: 'Guardando la tarjeta…',
    refused: 'La tarjeta no se pudo guardar. Revisá los datos o probá con otra.',
    needsScripts: 'Para elegir la tarjeta, el navegador tiene que permitir JavaScript.',
    late: 'El formulario de la tarjeta no responde. Recargá la página. No se guardó nada.',
    unavailable: 'Ahora no se puede elegir la tarjeta. Probá de nuevo más tarde.',
    unnamed: 'la tarjeta que elijas al firmar',
  },
  accept: 'Aceptar y autorizar',
  decline: 'Rechazar',
  revoke: 'Cancelar esta autorización',
  back: 'Volver',
  confirmDecline: {
    title: '¿Querés rechazar la autorización?',
    body: (issuer) =>
      `Si la rechazás, el enlace deja de servir: para autorizar después, ${issuer} te tiene que mandar otra.`,
    yes: 'Sí, rechazar',
  },
  confirmRevoke: {
    title: '¿Querés cancelar la autorización?',
    body: (issuer) =>
      `${issuer} no va a poder debitar nada más, y se cancelan los débitos que todavía no se mandaron al banco. Los que ya se mandaron los podés frenar o revertir en tu banco o en la emisora de tu tarjeta.`,
    yes: 'Sí, cancelar la autorización',
  },
  waiting: {
    title: 'Estamos guardando tu tarjeta',
    body: () =>
      'Tarda un momento. Esta página se actualiza sola; te va a llegar una copia por correo.',
  },
  signed: {
    title: 'Autorización firmada',
    body: (issuer) =>
      `${issuer} ya puede debitar según lo que autorizaste. Te mandamos una copia por correo.`,
  },
  declined: { title: 'Autorización rechazada', body: () => 'No se va a debitar nada.' },
  revoked: {
    title: 'Autorización cancelada',
    body: (issuer) =>
      `La cancelaste vos. ${issuer} ya no puede debitar. Te mandamos una copia por correo.`,
  },
  canceled: { title: 'Autorización cancelada', body: () => 'Esta adhesión ya no está vigente.' },
  expired: {
    title: 'El enlace venció',
    body: (issuer) => `Pasaron 7 días sin respuesta. Pedile a ${issuer} que te la mande de nuevo.`,
  },
  replaced: {
    title: 'Hay un enlace más nuevo',
    body: () => 'Este enlace se reemplazó por otro. Buscá el último correo que te llegó.',
  },
  notFound: {
    title: 'No encontramos esta página',
    body: () => 'Revisá que el enlace esté completo, tal como llegó en el correo.',
  },
  unavailable: {
    title: 'Por ahora no se puede firmar',
    body: () => 'Quien te mandó este enlace no recibe adhesiones por el momento. Consultale.',
  },
  failed: {
    title: 'No pudimos atender tu pedido',
    body: () => 'Probá de nuevo en unos minutos. Tu respuesta anterior, si la hubo, sigue en pie.',
  },
  copies: {
    signed: {
      subject: (issuer) => `Copia: autorizaste el débito automático de ${issuer}`,
      body: ({ issuer, number, moment, text, url }) =>
        `Esta es la copia de lo que se firmó para ${issuer}, adhesión N.º ${number}, el ${moment}:

${text}

Para verla o cancelarla cuando quieras:
${url}

Si no la firmaste vos, cancelala en ese enlace y avisá a tu banco.
`,
    },
    revoked: {
      subject: (issuer) => `Copia: cancelaste el débito automático de ${issuer}`,
      body: ({ issuer, number, moment, url }) =>
        `La adhesión N.º ${number} de ${issuer} se canceló el ${moment}, desde el enlace con el que se firmó. No se va a debitar nada más por ella.

${url}
`,
    },
  },
};

const english: SigningTexts = {
  title: (issuer) => `Authorize automatic debits by ${issuer}`,
  mandate: 'Mandate no.',
  statement: ({ issuer, issuerCuit, instrument, payer, description, reference }) => [
    `I authorize ${isolated(issuer)} (tax ID ${issuerCuit}) to debit automatically from ${instrument}, in the name of ${isolated(payer)}, the amounts due for: ${isolated(description)}${reference === null ? '' : ` (reference ${isolated(reference)})`}.`,
    'I can cancel this authorization at any time: at the link where I signed it, at my bank, at the issuer of my card or by telling the collector. I can order that a debit not be paid until 24 business hours before it is due, and take one back within 30 calendar days.',
  ],
  rows: {
    collector: 'Who collects',
    instrument: 'Debited from',
    payer: 'In the name of',
    concept: 'For',
    reference: 'Reference',
    until: 'You can answer until',
    signedAt: 'Signed on',
    endedAt: 'Ended on',
    signedText: 'What you signed',
  },
  wholeDay: (day) => `the end of ${day}`,
  card: {
    title: 'Your card',
    note: 'The details go straight to the card processor, which keeps the card for the next debits.',
    busy: 'Saving the card…',
    refused: 'The card could not be saved. Check the details or try another one.',
    needsScripts: 'Choosing the card needs JavaScript in your browser.',
    late: 'The card form does not answer. Reload the page. Nothing was saved.',
    unavailable: 'The card cannot be chosen now. Try again later.',
    unnamed: 'the card that you choose as you sign',
  },
  accept: 'Accept and authorize',
  decline: 'Decline',
  revoke: 'Cancel this authorization',
  back: 'Back',
  confirmDecline: {
    title: 'Do you want to decline?',
    body: (issuer) =>
      `If you decline, this link stops working: to authorize later, ${issuer} has to send you another one.`,
    yes: 'Yes, decline',
  },
  confirmRevoke: {
    title: 'Do you want to cancel the authorization?',
    body: (issuer) =>
      `${issuer} will not be able to debit any more, and debits that were not sent to the bank yet are canceled. Those that were sent can be stopped or taken back at your bank or the issuer of your card.`,
    yes: 'Yes, cancel it',
  },
  waiting: {
    title: 'We are saving your card',
    body: () => 'It takes a moment. This page looks again by itself; you will get a copy by mail.',
  },
  signed: {
    title: 'Authorization signed',
    body: (issuer) => `${issuer} can now debit as you authorized. We mail you a copy.`,
  },
  declined: { title: 'Authorization declined', body: () => 'Nothing will be debited.' },
  revoked: {
    title: 'Authorization canceled',
    body: (issuer) => `You canceled it. ${issuer} can debit no more. We mail you a copy.`,
  },
  canceled: {
    title: 'Authorization canceled',
    body: () => 'This mandate is no longer in force.',
  },
  expired: {
    title: 'This link has expired',
    body: (issuer) => `Seven days passed without an answer. Ask ${issuer} to send it again.`,
  },
  replaced: {
    title: 'There is a newer link',
    body: () => 'This link was replaced by another one. Look for the last mail that you got.',
  },
  notFound: {
    title: 'We could not find this page',
    body: () => 'Check that the link is complete, as it came in the mail.',
  },
  unavailable: {
    title: 'This cannot be signed for now',
    body: () => 'Whoever sent you this link takes no mandates at the moment. Ask them.',
  },
  failed: {
    title: 'We could not handle your request',
    body: () => 'Try again in a few minutes. Your earlier answer, if there was one, still stands.',
  },
  copies: {
    signed: {
      subject: (issuer) => `Copy: you authorized automatic debits by ${issuer}`,
      body: ({ issuer, number, moment, text, url }) =>
        `This is the copy of what was signed for ${issuer}, mandate no. ${number}, on ${moment}:

${text}

To read or cancel it whenever you want:
${url}

If it was not you who signed, cancel it there and tell your bank.
`,
    },
    revoked: {
      subject: (issuer) => `Copy: you canceled automatic debits by ${issuer}`,
      body: ({ issuer, number, moment, url }) =>
        `Mandate no. ${number} of ${issuer} was canceled on ${moment}, at the link where it was signed. Nothing more will be debited on it.

${url}
`,
    },
  },
};

export const texts: Readonly<Record<Lang, SigningTexts>> = { es: spanish, en: english };
