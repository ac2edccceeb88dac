import { comments, type MandateKind } from '../../mandates/index.ts';
import type { Lang } from '../../platform/pages/model.ts';

interface MandateTexts {
  title: string;
  lead: string;
  kinds: Record<MandateKind, string>;
  filters: { text: string; hint: string; kind: string; state: string; all: string };
  list: Record<'holder' | 'instrument' | 'reference' | 'state' | 'created' | 'caption', string>;
  none: string;
  noneWhy: string;
  notFound: string;
  unnamed: string;
  closed: { mark: string; title: string; lead: string };
  facts: Record<
    | 'instrument'
    | 'payer'
    | 'idNumber'
    | 'email'
    | 'description'
    | 'shortDescription'
    | 'reference'
    | 'created'
    | 'signBefore'
    | 'signed'
    | 'canceled'
    | 'why'
    | 'expires'
    | 'closed',
    string
  >;
  made: (email: string) => string;
  sent: (email: string) => string;
  evidence: {
    title: string;
    none: string;
    at: string;
    address: string;
    browser: string;
    shown: string;
    revoked: string;
    declined: string;
  };
  remind: {
    ask: string;
    title: string;
    lead: (email: string) => string;
    how: string;
    same: string;
    sameHint: (day: string) => string;
    renewed: string;
    renewedHint: string;
    submit: string;
    refused: string;
  };
  cancel: { ask: string; title: string; lead: string; submit: string };
  comments: Readonly<Record<string, string>>;
}

export const mandateTexts: Readonly<Record<Lang, MandateTexts>> = {
  es: {
    title: 'Adhesiones',
    lead: 'Quién te autorizó a debitar de su cuenta o tarjeta.',
    kinds: { adhesion: 'Cuenta bancaria', card_adhesion: 'Tarjeta' },
    filters: {
      text: 'Buscar',
      hint: 'Nombre, referencia o número',
      kind: 'Medio',
      state: 'Estado',
      all: 'Todos',
    },
    list: {
      holder: 'Titular',
      instrument: 'De dónde se debita',
      reference: 'Referencia',
      state: 'Estado',
      created: 'Creada',
      caption: 'Adhesiones, de la más nueva a la más vieja',
    },
    none: 'Todavía no hay adhesiones',
    noneWhy: 'Creá la primera: le mandamos un mail al titular para que la firme.',
    notFound: 'Ninguna adhesión coincide con lo que buscás',
    unnamed: 'La tarjeta que el titular elija al firmar',
    closed: {
      mark: 'cerrada',
      title: 'La tarjeta está cerrada',
      lead: 'Sus débitos se rechazan sin consultar al adquirente. Pedile al titular que firme otra adhesión con otra tarjeta.',
    },
    facts: {
      instrument: 'De dónde se debita',
      payer: 'A nombre de',
      idNumber: 'DNI o CUIT',
      email: 'Mail',
      description: 'Concepto',
      shortDescription: 'Concepto en el resumen',
      reference: 'Referencia',
      created: 'Creada',
      signBefore: 'Se puede firmar hasta',
      signed: 'Firmada',
      canceled: 'Cancelada',
      why: 'Por qué',
      expires: 'Vence',
      closed: 'Por qué se cerró la tarjeta',
    },
    made: (email) => `La adhesión está creada. Le mandamos a ${email} el enlace para firmarla.`,
    sent: (email) => `Le mandamos el enlace otra vez a ${email}.`,
    evidence: {
      title: 'Constancia de la firma',
      none: 'El titular todavía no respondió.',
      at: 'Cuándo',
      address: 'Desde qué dirección',
      browser: 'Con qué navegador',
      shown: 'El texto que vio el titular',
      revoked: 'El titular la revocó',
      declined: 'El titular la rechazó',
    },
    remind: {
      ask: 'Reenviar el enlace',
      title: '¿Reenviar el enlace para firmar?',
      lead: (email) => `Va por mail a ${email}.`,
      how: 'Qué enlace',
      same: 'El mismo',
      sameHint: (day) => `Sigue sirviendo hasta el ${day}.`,
      renewed: 'Uno nuevo',
      renewedHint: 'Sirve 7 días más; el anterior deja de funcionar.',
      submit: 'Reenviar',
      refused:
        'La adhesión ya no espera una firma, o cambió desde que abriste esta página. No mandamos nada.',
    },
    cancel: {
      ask: 'Cancelar la adhesión',
      title: '¿Cancelar esta adhesión?',
      lead: 'Se cancelan también sus débitos pendientes, y no se puede volver atrás: para volver a debitar hace falta otra firma.',
      submit: 'Cancelar la adhesión',
    },
    comments: {
      [comments.byCollector]: 'La cancelaste vos.',
      [comments.declined]: 'La rechazó el titular.',
      [comments.revoked]: 'La revocó el titular.',
      [comments.unsigned]: 'No se firmó en 7 días.',
      [comments.accountClosed]: 'La cuenta se cerró.',
    },
  },
  en: {
    title: 'Mandates',
    lead: 'Who authorized you to debit their account or card.',
    kinds: { adhesion: 'Bank account', card_adhesion: 'Card' },
    filters: {
      text: 'Search',
      hint: 'Name, reference or number',
      kind: 'Kind',
      state: 'State',
      all: 'All',
    },
    list: {
      holder: 'Holder',
      instrument: 'Debited from',
      reference: 'Reference',
      state: 'State',
      created: 'Created',
      caption: 'Mandates, the newest first',
    },
    none: 'There are no mandates yet',
    noneWhy: 'Create the first: we mail its holder a link to sign it.',
    notFound: 'No mandate is what you look for',
    unnamed: 'The card that its holder chooses while signing',
    closed: {
      mark: 'closed',
      title: 'The card is closed',
      lead: 'Its debits are rejected without a call to the acquirer. Ask its holder to sign another mandate with another card.',
    },
    facts: {
      instrument: 'Debited from',
      payer: 'In the name of',
      idNumber: 'DNI or CUIT',
      email: 'E-mail',
      description: 'Description',
      shortDescription: 'On the statement',
      reference: 'Reference',
      created: 'Created',
      signBefore: 'Can be signed until',
      signed: 'Signed',
      canceled: 'Canceled',
      why: 'Why',
      expires: 'Expires',
      closed: 'Why the card was closed',
    },
    made: (email) => `The mandate is created. We mailed ${email} the link to sign it.`,
    sent: (email) => `We mailed the link to ${email} again.`,
    evidence: {
      title: 'Evidence of the signature',
      none: 'Its holder has not answered yet.',
      at: 'When',
      address: 'From which address',
      browser: 'With which browser',
      shown: 'The text that its holder saw',
      revoked: 'Revoked by its holder',
      declined: 'Declined by its holder',
    },
    remind: {
      ask: 'Send the link again',
      title: 'Send the link to sign again?',
      lead: (email) => `It goes to ${email}.`,
      how: 'Which link',
      same: 'The same',
      sameHint: (day) => `It is good until ${day}.`,
      renewed: 'A new one',
      renewedHint: 'It is good for 7 more days; the one before is good no longer.',
      submit: 'Send again',
      refused:
        'The mandate does not wait for a signature any more, or changed since you opened this page. Nothing was sent.',
    },
    cancel: {
      ask: 'Cancel the mandate',
      title: 'Cancel this mandate?',
      lead: 'Its pending debits are canceled too, for good: to debit again takes another signature.',
      submit: 'Cancel the mandate',
    },
    comments: {
      [comments.byCollector]: 'You canceled it.',
      [comments.accountClosed]: 'The account was closed.',
    },
  },
};
