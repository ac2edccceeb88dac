import { catalog } from '../../language/catalog.ts';
import en from './frame-texts.en.json' with { type: 'json' };
import es from './frame-texts.es.json' with { type: 'json' };

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

export const frameTexts = catalog({ en, es });
