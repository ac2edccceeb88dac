import { expect } from 'vitest';

/** What a client that exists takes for the text of an error: it cuts between these two. */
export function cutErrors(text: string): string {
  const start = text.indexOf('"errors":[');
  const end = text.indexOf(']');
  expect(start, text).toBeGreaterThan(0);
  expect(end, text).toBeGreaterThan(start);
  return text.slice(start + '"errors":['.length, end);
}

/** What the body of every error has, whatever went wrong and whichever service answers. */
export function expectErrorText(text: string): void {
  const body = JSON.parse(text) as { message: string; errors: unknown[] };
  expect(Object.keys(body).at(-1)).toBe('errors');
  expect(body.errors.length).toBeGreaterThan(0);
  for (const told of body.errors) {
    const message = typeof told === 'string' ? told : (told as { message: unknown }).message;
    expect(message).toMatch(/\.$/);
  }
  expect(cutErrors(text)).not.toBe('');
  // Brackets only around lists: else the cut would end inside a sentence.
  JSON.parse(text, (_name, value) => {
    if (typeof value === 'string') expect(value).not.toMatch(/[[\]]/);
    return value;
  });
}
