import type { Lang } from '../../platform/pages/model.ts';

// bounded: comments of requests and proposals have at most 255 characters
const known: readonly (readonly [RegExp, string])[] = [
  [
    /^Withdrawn by (.+): import (\d+) was undone\.$/,
    'Lo retiró $1, al deshacer la importación $2.',
  ],
  [/^Withdrawn by (.+)\.$/, 'Lo retiró $1.'],
  [/^Canceled by the collector\.$/, 'Lo canceló quien cobra.'],
];

/**
 * Translates comments that the service wrote, which the API shows in English. Returns comments of
 * people unchanged.
 */
export function commentText(lang: Lang, comment: string): string {
  const [pattern, words] = known.find(([one]) => one.test(comment)) ?? [];
  return lang === 'es' && pattern && words ? comment.replace(pattern, words) : comment;
}
