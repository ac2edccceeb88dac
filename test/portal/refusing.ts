import type { Page } from 'playwright-core';
import type { Office, Shown } from '../harness/portal.ts';

/** A form that a page offers. */
export interface OfferedForm {
  action: string;
  files: boolean;
  fields: { name: string; value: string; typed: boolean }[];
}

/**
 * Returns the forms of a page that change something, parsed by the browser without loading the
 * page.
 */
export const formsIn = (browser: Page, text: string): Promise<OfferedForm[]> =>
  browser.evaluate((html) => {
    const page = new DOMParser().parseFromString(html, 'text/html');
    const all = [...page.querySelectorAll<HTMLFormElement>('main form[method=post]')];
    return all.map((form) => ({
      action: form.getAttribute('action')?.replace(/[?#].*$/, '') ?? '',
      files: form.enctype === 'multipart/form-data',
      fields: [...form.querySelectorAll<HTMLInputElement>('[name]')]
        .filter(({ name, type, checked }) => {
          return name !== 'token' && (!['checkbox', 'radio'].includes(type) || checked);
        })
        .map(({ name, type, value, localName }) => ({
          name,
          value,
          typed: localName !== 'select' && !['hidden', 'checkbox', 'radio', 'file'].includes(type),
        })),
    }));
  }, text);

/** Sends a form with this text in every typed field, and this file if it accepts one. */
export async function sendWith(
  office: Office,
  { action, files, fields }: OfferedForm,
  typed: string,
): Promise<Shown> {
  const said = fields.map(({ name, value, typed: types }) => [name, types ? typed : value]);
  if (!files) return await office.post(action, Object.fromEntries(said));
  const file = { name: 'x.csv', content: typed };
  return await office.send(action, file, Object.fromEntries(said));
}

const english =
  /\b(?:the|must|this|with|was|were|that|only|cannot|required|value|there|which|should|been)\b/i;

/** Evidence of the sandbox, in its stored wording. */
const kept = 'Signed by the payer simulator.';

/** Returns English text on a Spanish page, except quotations such as code. */
export function englishIn(text: string): string[] {
  const main = /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? '';
  const said = main
    .replace(/<(pre|code|textarea|option|script|style)\b[\s\S]*?<\/\1>/g, ' ')
    .replace(/<[^>]+>/g, '\n')
    .replaceAll(kept, '');
  const lines = said.split('\n').filter((line) => english.test(line));
  return [...(main.match(/<bdi lang="en">[^<]*/g) ?? []), ...lines].map((line) => line.trim());
}
