import type { Said } from '../../language/said.ts';
import type { FoundFault, Refusal } from '../../platform/errors.ts';
import type { Lang } from '../../platform/pages/model.ts';

/** A fault in the language of the page; what has no code, of a third party or an earlier release, as it is. */
export const faultText = (lang: Lang, message: string | Said): string =>
  typeof message === 'string' ? message : message.in(lang);

/** A refusal, or one of its faults, in the language of the page. */
export const refusalText = (lang: Lang, { said, message }: Refusal | FoundFault): string =>
  faultText(lang, said ?? message);
