import type { Lang } from '../../platform/pages/model.ts';
import { faultText } from './faults.ts';

/** What a verb says, in the language of the page; where that has no words for it, as it is. */
export function Told({ lang, children }: { lang: Lang; children: string }) {
  const text = faultText(lang, children);
  return text === children && lang !== 'en' ? <bdi lang="en">{text}</bdi> : <bdi>{text}</bdi>;
}
