import { isolated } from '../kernel/text.ts';
import { catalog } from '../language/catalog.ts';
import type { Lang } from '../platform/pages/model.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** The subject of a mandate, in the words of both the page and the evidence. */
export interface Subject {
  issuer: string;
  issuerCuit: string;
  /** Such as `Nación, CBU 0110 •••• •••• •••• ••67 84` or `Visa •••• 4905`. */
  instrument: string;
  payer: string;
  description: string;
  reference: string | null;
}

export const texts = catalog(
  { en, es },
  {
    title: { issuer: 'text' },
    statement: {
      authorize: {
        issuer: 'text',
        issuerCuit: 'text',
        instrument: 'text',
        payer: 'text',
        description: 'text',
        reference: 'text',
      },
      reference: { reference: 'text' },
    },
    wholeDay: { day: 'text' },
    confirmDecline: { body: { issuer: 'text' } },
    confirmRevoke: { body: { issuer: 'text' } },
    signed: { body: { issuer: 'text' } },
    revoked: { body: { issuer: 'text' } },
    expired: { body: { issuer: 'text' } },
    copies: {
      signed: {
        subject: { issuer: 'text' },
        body: { issuer: 'text', number: 'text', moment: 'text', text: 'text', url: 'text' },
      },
      revoked: {
        subject: { issuer: 'text' },
        body: { issuer: 'text', number: 'text', moment: 'text', url: 'text' },
      },
    },
  },
);

/** Returns the paragraphs of the holder's consent. */
export function statementOf(lang: Lang, subject: Subject): readonly string[] {
  const { authorize, reference, cancel } = texts[lang].statement;
  const named = subject.reference;
  return [
    authorize({
      issuer: isolated(subject.issuer),
      issuerCuit: subject.issuerCuit,
      instrument: subject.instrument,
      payer: isolated(subject.payer),
      description: isolated(subject.description),
      reference: named === null ? '' : reference({ reference: isolated(named) }),
    }),
    cancel,
  ];
}

/** Returns the text, or its variant without the issuer if that is unknown. */
export const withIssuer = (
  text: string | ((parameters: { issuer: string }) => string),
  issuer: string,
): string => (typeof text === 'string' ? text : text({ issuer }));
