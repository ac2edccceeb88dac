import type { Refusal } from '../../platform/errors.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { faultText, refusalText } from './faults.ts';

/** What a verb says, in the language of the page; where that has no words for it, as it is. */
export function Told({ lang, children }: { lang: Lang; children: string | Refusal }) {
  if (typeof children !== 'string' && children.said)
    return <bdi>{refusalText(lang, children)}</bdi>;
  const message = typeof children === 'string' ? children : children.message;
  const text = faultText(lang, message);
  return text === message && lang !== 'en' ? <bdi lang="en">{text}</bdi> : <bdi>{text}</bdi>;
}
