import type { Lang } from '../../platform/pages/model.ts';

interface FailureWords {
  title: string;
  body: string;
}

export const failures = [
  'notFound',
  'forbidden',
  'forged',
  'suspended',
  'closed',
  'malformed',
  'cardNumber',
  'tooMany',
  'tooLarge',
  'failed',
] as const;
export type Failure = (typeof failures)[number];

interface FrameTexts {
  back: string;
  requestId: string;
  /** Above why an act was refused. */
  notDone: string;
  failures: Record<Failure, FailureWords>;
}

export const frameTexts: Readonly<Record<Lang, FrameTexts>> = {
  es: {
    back: 'Volver al inicio',
    requestId: 'Referencia',
    notDone: 'No se hizo',
    failures: {
      notFound: {
        title: 'No encontramos esta página',
        body: 'Revisá la dirección, o volvé al inicio y buscala desde ahí.',
      },
      forbidden: {
        title: 'Tu rol no permite hacer esto',
        body: 'Pedile a quien administra la cuenta que lo haga o que cambie tu rol. No se hizo nada.',
      },
      forged: {
        title: 'Este formulario ya no sirve',
        body: 'Volvé a abrir la página y probá de nuevo desde ahí. No se hizo nada.',
      },
      suspended: {
        title: 'La cuenta está suspendida',
        body: 'Podés consultar todo, pero por ahora no se puede crear ni cambiar nada.',
      },
      closed: {
        title: 'La cuenta está cerrada',
        body: 'Podés consultar lo que hubo, pero ya no se puede crear ni cambiar nada.',
      },
      malformed: {
        title: 'No pudimos leer tu pedido',
        body: 'Volvé a la página anterior y probá de nuevo. No se hizo nada.',
      },
      cardNumber: {
        title: 'Sacá el número de tarjeta',
        body: 'En uno de los textos hay un número de tarjeta. No los guardamos: sacalo o dejá los últimos cuatro dígitos. No se hizo nada.',
      },
      tooMany: {
        title: 'Demasiados pedidos',
        body: 'Esperá un momento y probá de nuevo. No se hizo nada.',
      },
      tooLarge: {
        title: 'Es demasiado grande',
        body: 'Lo que mandaste supera lo que esta página recibe. No se hizo nada.',
      },
      failed: {
        title: 'No pudimos atender tu pedido',
        body: 'Probá de nuevo en unos minutos. Si sigue igual, avisanos con la referencia de abajo.',
      },
    },
  },
  en: {
    back: 'Back to the start',
    requestId: 'Reference',
    notDone: 'It was not done',
    failures: {
      notFound: {
        title: 'We could not find this page',
        body: 'Check the address, or go back to the start and look for it from there.',
      },
      forbidden: {
        title: 'Your role does not allow this',
        body: 'Ask whoever manages the account to do it or to change your role. Nothing was done.',
      },
      forged: {
        title: 'This form is no longer good',
        body: 'Open the page again and try from there. Nothing was done.',
      },
      suspended: {
        title: 'The account is suspended',
        body: 'You can look at everything, but nothing can be created or changed for now.',
      },
      closed: {
        title: 'The account is closed',
        body: 'You can look at what there was, but nothing can be created or changed any more.',
      },
      malformed: {
        title: 'We could not read your request',
        body: 'Go back to the page before and try again. Nothing was done.',
      },
      cardNumber: {
        title: 'Remove the card number',
        body: 'One of the texts has the number of a card. We keep none: remove it, or leave its last four digits. Nothing was done.',
      },
      tooMany: {
        title: 'Too many requests',
        body: 'Wait a moment and try again. Nothing was done.',
      },
      tooLarge: {
        title: 'It is too large',
        body: 'What you sent is more than this page takes. Nothing was done.',
      },
      failed: {
        title: 'We could not handle your request',
        body: 'Try again in a few minutes. If it goes on, tell us with the reference below.',
      },
    },
  },
};
