import type { LocalizedText } from '../language/localized-text.ts';
import { fault as text } from './codes.ts';
import en from './texts.en.json' with { type: 'json' };

/**
 * Comments that the service writes. They are stored, and sent to callers, in English: they are part
 * of an event, whose bytes never change.
 */
export const comments = {
  withdrawn: (who: string): string => String(text('request.withdrawn_by', { who })),
  importUndone: (who: string, id: number): string =>
    String(text('request.import_undone_by', { who, id: String(id) })),
  canceled: String(text('request.canceled_by_collector', {})),
};

// bounded: comments of requests and proposals have at most 255 characters
/** Matches a text's English form, with a group per parameter. */
const pattern = (english: string): RegExp =>
  new RegExp(
    `^${english
      .split(/\{(\w+)\}/)
      .map((part, index) => (index % 2 === 1 ? `(?<${part}>.+)` : RegExp.escape(part)))
      .join('')}$`,
  );

type Read = (values: Record<string, string>) => LocalizedText;

/** The more specific patterns first. */
const known: readonly (readonly [RegExp, Read])[] = [
  [
    pattern(en['request.import_undone_by']),
    ({ who = '', id = '' }) => text('request.import_undone_by', { who, id }),
  ],
  [pattern(en['request.withdrawn_by']), ({ who = '' }) => text('request.withdrawn_by', { who })],
  [pattern(en['request.canceled_by_collector']), () => text('request.canceled_by_collector', {})],
];

/**
 * Returns a comment that the service wrote in a form for every language. Returns any other comment
 * unchanged.
 */
export function readComment(comment: string): LocalizedText | string {
  for (const [shape, read] of known) {
    const found = shape.exec(comment);
    if (found) return read(found.groups ?? {});
  }
  return comment;
}
