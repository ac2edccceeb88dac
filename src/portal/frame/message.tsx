import type { LocalizedText } from '../../language/localized-text.ts';
import type { Refusal } from '../../platform/errors.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { faultText } from './faults.ts';

/** Renders a verb's text in the page's language. Texts without a translation appear unchanged. */
export function Message({
  lang,
  children,
}: {
  lang: Lang;
  children: string | LocalizedText | Refusal;
}) {
  const message = children instanceof Error ? (children.localized ?? children.message) : children;
  const text = faultText(lang, message);
  return text === message && lang !== 'en' ? <bdi lang="en">{text}</bdi> : <bdi>{text}</bdi>;
}
