import type { Lang } from '../../platform/pages/model.ts';
import { readComment } from '../../requests/index.ts';

/**
 * Translates comments that the service wrote, which the API shows in English. Returns comments of
 * people unchanged.
 */
export function commentText(lang: Lang, comment: string): string {
  const read = readComment(comment);
  return typeof read === 'string' ? read : read.in(lang);
}
