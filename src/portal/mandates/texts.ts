import { catalog } from '../../language/catalog.ts';
import { comments } from '../../mandates/index.ts';
import type { Lang } from '../../platform/pages/model.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const mandateTexts = catalog(
  { en, es },
  {
    made: { email: 'text' },
    sent: { email: 'text' },
    reminder: { sameHint: { day: 'text' } },
  },
);

const causes = Object.keys(comments) as (keyof typeof comments)[];

/** Translates the service's reasons for a mandate's end. Returns other texts unchanged. */
export function commentText(lang: Lang, comment: string): string {
  const cause = causes.find((one) => comments[one] === comment);
  return cause === undefined ? comment : mandateTexts[lang].comments[cause];
}
