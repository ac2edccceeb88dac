import { expect, test } from 'vitest';
import { comments, readComment } from '../../src/requests/index.ts';

const inBoth = (comment: string): string[] => {
  const read = readComment(comment);
  return typeof read === 'string' ? [read] : ['en', 'es'].map((language) => read.in(language));
};

test.each([
  [comments.withdrawn('ana@example.com'), 'Lo retiró ana@example.com.'],
  [comments.withdrawn("o'{x}. <b>@example.com"), "Lo retiró o'{x}. <b>@example.com."],
  [
    comments.importUndone('ana@example.com', 12_345),
    'Lo retiró ana@example.com, al deshacer la importación 12345.',
  ],
  [comments.canceled, 'Lo canceló quien cobra.'],
])('stores a comment in English, and shows it in both languages: %s', (english, spanish) => {
  expect(inBoth(english)).toEqual([english, spanish]);
});

test('shows a person’s own comment unchanged', () => {
  for (const text of ['No paga más.', 'Withdrawn by', 'Withdrawn by Ana\n.', '']) {
    expect(inBoth(text)).toEqual([text]);
  }
});
