import type { Said } from '../../language/said.ts';
import type { FoundFault, Refusal } from '../../platform/errors.ts';
import { countText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { accountWords } from './spanish/accounts.ts';
import { fieldWords } from './spanish/fields.ts';
import { fileWords } from './spanish/files.ts';
import { requestWords } from './spanish/requests.ts';

/**
 * What verbs refuse, in Spanish: in the words of whoever fills in a form, not of a program. Verbs
 * speak English, as the API does; the first that knows a sentence says it.
 */
const spanish = [...fileWords, ...requestWords, ...accountWords, ...fieldWords];

/** A number as people write it: `6.345,50` for `6345.5`. Short ones may be rates. */
function inSpanish(text: string): string {
  const [, whole = '', part] = /^(\d{1,15})\.(\d{1,2})$/.exec(text) ?? [];
  if (part === undefined) return /^\d+\.\d+$/.test(text) ? text.replace('.', ',') : text;
  return `${countText('es', Number(whole))},${part.padEnd(2, '0')}`;
}

/** No sentence of a verb is longer: one with more of an outside text stays as it is. */
const longestSentence = 1_000;

function sentenceIn(message: string): string | null {
  if (message.length > longestSentence) return null;
  const [pattern, words] = spanish.find(([known]) => known.test(message)) ?? [];
  if (pattern === undefined || words === undefined) return null;
  const told = pattern.exec(message) ?? [];
  return words.replace(/\$(\d)/g, (_all, no: string) => inSpanish(told[Number(no)] ?? ''));
}

/**
 * A fault of a form as its page says it, line by line where no sentence is known that has them
 * all; what nobody translated stays as it is.
 */
export function faultText(lang: Lang, message: string | Said): string {
  if (typeof message !== 'string') return message.in(lang);
  if (lang !== 'es') return message;
  const whole = sentenceIn(message);
  if (whole !== null) return whole;
  return message
    .split('\n')
    .map((line) => sentenceIn(line) ?? line)
    .join('\n');
}

/** A refusal, or a fault of a field, in the language of the page. */
export const refusalText = (lang: Lang, { said, message }: Refusal | FoundFault): string =>
  faultText(lang, said ?? message);
