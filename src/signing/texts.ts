import type { Lang } from '../platform/pages/model.ts';

/** What a mandate is about, in words that both the page and the evidence use. */
export interface Subject {
  issuer: string;
  issuerCuit: string;
  /** `Nación CBU •••6784`, `Visa •••4905`. */
  instrument: string;
  payer: string;
  description: string;
}

interface SigningTexts {
  title: (issuer: string) => string;
  mandate: string;
  /** What the holder agrees to, paragraph by paragraph. */
  statement: (subject: Subject) => readonly string[];
  rows: { collector: string; instrument: string; payer: string; concept: string; until: string };
  accept: string;
  decline: string;
  signed: { title: string; body: (issuer: string) => string };
  declined: { title: string; body: string };
  canceled: { title: string; body: string };
  expired: { title: string; body: (issuer: string) => string };
  notFound: { title: string; body: string };
  failed: { title: string; body: string };
}

export const texts: Readonly<Record<Lang, SigningTexts>> = {
  es: {
    title: (issuer) => `Autorizar el débito automático de ${issuer}`,
    mandate: 'Adhesión N.º',
    statement: ({ issuer, issuerCuit, instrument, payer, description }) => [
      `Autorizo a ${issuer} (CUIT ${issuerCuit}) a debitar automáticamente de ${instrument}, a nombre de ${payer}, los importes que correspondan a: ${description}.`,
      'Puedo cancelar esta autorización cuando quiera, en mi banco, en la emisora de mi tarjeta o avisando al cobrador. Puedo pedir que no se pague un débito hasta 24 horas hábiles antes de su vencimiento, y revertir uno hecho dentro de los 30 días corridos.',
    ],
    rows: {
      collector: 'Quién cobra',
      instrument: 'De dónde se debita',
      payer: 'A nombre de',
      concept: 'Concepto',
      until: 'Podés responder hasta el',
    },
    accept: 'Aceptar y autorizar',
    decline: 'Rechazar',
    signed: {
      title: 'Autorización firmada',
      body: (issuer) =>
        `${issuer} ya puede debitar según lo que autorizaste. Guardamos constancia de tu firma.`,
    },
    declined: { title: 'Autorización rechazada', body: 'No se va a debitar nada.' },
    canceled: { title: 'Autorización cancelada', body: 'Esta adhesión ya no está vigente.' },
    expired: {
      title: 'El enlace venció',
      body: (issuer) => `Pasaron 7 días sin respuesta. Pedile a ${issuer} un enlace nuevo.`,
    },
    notFound: {
      title: 'No encontramos esta página',
      body: 'Revisá que el enlace esté completo, tal como llegó en el correo.',
    },
    failed: {
      title: 'No pudimos atender tu pedido',
      body: 'Probá de nuevo en unos minutos. Tu respuesta anterior, si la hubo, sigue en pie.',
    },
  },
  en: {
    title: (issuer) => `Authorize automatic debits by ${issuer}`,
    mandate: 'Mandate no.',
    statement: ({ issuer, issuerCuit, instrument, payer, description }) => [
      `I authorize ${issuer} (tax ID ${issuerCuit}) to debit automatically from ${instrument}, in the name of ${payer}, the amounts due for: ${description}.`,
      'I can cancel this authorization at any time, at my bank, at the issuer of my card or by telling the collector. I can order that a debit not be paid until 24 business hours before it is due, and take one back within 30 calendar days.',
    ],
    rows: {
      collector: 'Who collects',
      instrument: 'Debited from',
      payer: 'In the name of',
      concept: 'For',
      until: 'You can answer until',
    },
    accept: 'Accept and authorize',
    decline: 'Decline',
    signed: {
      title: 'Authorization signed',
      body: (issuer) =>
        `${issuer} can now debit as you authorized. We keep a record of your signature.`,
    },
    declined: { title: 'Authorization declined', body: 'Nothing will be debited.' },
    canceled: { title: 'Authorization canceled', body: 'This mandate is no longer in force.' },
    expired: {
      title: 'This link has expired',
      body: (issuer) => `Seven days passed without an answer. Ask ${issuer} for a new link.`,
    },
    notFound: {
      title: 'We could not find this page',
      body: 'Check that the link is complete, as it came in the mail.',
    },
    failed: {
      title: 'We could not handle your request',
      body: 'Try again in a few minutes. Your earlier answer, if there was one, still stands.',
    },
  },
};
