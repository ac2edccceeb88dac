import type { Said } from '../../language/said.ts';
import type { Refusal } from '../../platform/errors.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { faultText } from './faults.ts';

/** A verb's text in the page's language; texts without a translation appear unchanged. */
export function Told({ lang, children }: { lang: Lang; children: string | Said | Refusal }) {
  const told = children instanceof Error ? (children.said ?? children.message) : children;
  const text = faultText(lang, told);
  return text === told && lang !== 'en' ? <bdi lang="en">{text}</bdi> : <bdi>{text}</bdi>;
}
