import { createHash } from 'node:crypto';
import { type Static, Type } from 'typebox';
import type { Page, PageRequest } from '../protocol/connector.ts';
import { reader } from '../protocol/faults.ts';
import type { Notes } from '../protocol/journal.ts';
import type { PaywayConfig } from './config.ts';
import { jsonPage } from './pages.ts';

// Browser data for 3-D Secure. The frame measures it and sends it with the token it created; the
// charge that spends the token includes it.

const size = (maximum: number) => Type.Integer({ minimum: 0, maximum });

const browserSchema = Type.Object({
  accept_header: Type.String({ minLength: 1, maxLength: 512 }),
  // The browser's own value, which is not always a valid language tag.
  language: Type.String({ minLength: 1, maxLength: 35 }),
  java_enabled: Type.Boolean(),
  color_depth: size(99),
  screen_height: size(99_999),
  screen_width: size(99_999),
  time_zone_offset: Type.Integer({ minimum: -900, maximum: 900 }),
});
export type Browser = Static<typeof browserSchema>;

const readTold = reader(
  Type.Object({ token: Type.String({ minLength: 1, maxLength: 128 }), browser: browserSchema }),
);

/** On disk, because the connector may restart between token and charge. */
export type BrowserNotes = Pick<Notes, 'keep' | 'read'>;

const nameOf = (token: string): string =>
  `browser:${createHash('sha256').update(token).digest('base64url')}`;

export const keepBrowser = (notes: BrowserNotes, token: string, browser: Browser): Promise<void> =>
  notes.keep(nameOf(token), JSON.stringify(browser));

/** Returns data on the browser that created a token; null if the frame sent none. */
export function browserOf(notes: BrowserNotes, token: string): Browser | null {
  const text = notes.read(nameOf(token));
  return text === null ? null : JSON.parse(text);
}

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
};

/** `POST /browser`, called by the frame if payers are authenticated. */
export async function browserPage(
  { notes, config }: { notes: BrowserNotes; config: PaywayConfig },
  { method, path, body }: PageRequest,
): Promise<Page | null> {
  if (!config.authenticates || method !== 'POST' || path !== '/browser') return null;
  const told = readTold(jsonIn(body));
  if ('fault' in told) return jsonPage(400, { message: told.fault });
  await keepBrowser(notes, told.value.token, told.value.browser);
  return jsonPage(200, {});
}
