import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../src/package-root.ts';

/** Forms of the portal that no declaration draws, and why. */
const forms: Readonly<Record<string, string>> = {
  'frame/creating.tsx': 'the door of API calls that create: a claim comes before their form',
  'frame/operation-view.tsx': 'the door of declared operations',
  'styles/forms.tsx': 'a sample',
  'styles/page.tsx': 'a sample',
  'people/ask.tsx': 'signing in is no act of a role',
  'imports/draft.tsx': 'matches columns beside a preview of the file',
  'imports/list.tsx': 'uploads a file',
  'imports/one.tsx': 'decides on a file by what its pages show',
  'imports/reading.tsx': 'reads a file again, beside its preview',
  'qr/uploads.tsx': 'uploads a file',
  'operator/files/list.tsx': 'uploads a file',
  'operator/files/preview.tsx': 'decides on a file beside its preview',
  'settings/forms.tsx': 'uploads a logo beside its preview',
  'mails/text-views.tsx': 'shows a preview before it saves',
  'requests/list/saved.tsx': 'one field, folded into a list',
  'money/ask.tsx': 'one request at a time: a page in place of the form says why there is none',
  'settings/notices.tsx': 'not declared yet',
  'integrations/views.tsx': 'not declared yet',
  'operator/accounts/forms.tsx': 'not declared yet',
  'operator/accounts/move.tsx': 'not declared yet',
  'operator/fees/registers.tsx': 'uploads a file',
  'operator/fees/routes.ts': 'not declared yet',
  'operator/files/one.tsx': 'not declared yet',
  'operator/files/sendings.tsx': 'not declared yet',
  'operator/payouts/pages.tsx': 'not declared yet',
  'operator/sandbox/request.tsx': 'not declared yet',
  'operator/sandbox/views.tsx': 'not declared yet',
};

/** Files below a folder with a text, without that folder. */
async function filesWith(folder: string, text: string): Promise<string[]> {
  const found: string[] = [];
  const cwd = path.join(packageRoot(), 'src', folder);
  for await (const file of glob('**/*.{ts,tsx}', { cwd })) {
    if ((await readFile(path.join(cwd, file), 'utf8')).includes(text)) found.push(file);
  }
  return found.toSorted();
}

test('forms of the portal come from declarations, or are on a list with a reason', async () => {
  expect(await filesWith('portal', '<Form')).toEqual(Object.keys(forms).toSorted());
});
