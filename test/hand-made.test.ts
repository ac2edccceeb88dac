import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../src/package-root.ts';

/** Hand-written forms of the portal that send something, with the reason. */
const forms: Readonly<Record<string, string>> = {
  'frame/layout.tsx': 'signing out is no act of a role',
  'frame/creating.tsx': 'the door of API calls that create: a claim comes before their form',
  'frame/operation-view.tsx': 'the door of declared operations',
  'styles/forms.tsx': 'a sample',
  'styles/page.tsx': 'a sample',
  'people/ask.tsx': 'signing in is no act of a role',
  'people/passkey-views.tsx': "a browser's passkey fills it in",
  'imports/draft.tsx': 'matches columns beside a preview of the file',
  'imports/list.tsx': 'uploads a file',
  'imports/one.tsx': 'decides on a file by what its pages show',
  'imports/reading.tsx': 'reads a file again, beside its preview',
  'qr/uploads.tsx': 'uploads a file',
  'operator/files/list.tsx': 'uploads a file',
  'operator/files/preview.tsx': 'decides on a file beside its preview',
  'settings/forms.tsx': 'uploads a logo beside its preview',
  'mails/text-views.tsx': 'shows a preview before it saves',
  'requests/new/preview.tsx': 'sends a checked draft of several steps',
  'requests/list/bulk.tsx': 'acts on everything that a filter found',
  'requests/list/saved.tsx': 'one field, folded into a list',
  'money/ask.tsx': 'one request at a time: a page in place of the form says why there is none',
  'operator/fees/registers.tsx': 'uploads a file',
  'operator/files/one.tsx': "uploads the bank's certificate, and answers with a file",
  'operator/payouts/pages.tsx': 'answers with a file',
};

/** Commands without a declaration, with the reason. */
const commands: Readonly<Record<string, string>> = {
  'operation.ts': 'the door of declared operations',
  'listing.ts': 'the door of declared lists',
  'detail.ts': 'the door of declared details',
  'tree.ts': 'groups of commands',
  'serve.ts': 'runs the service',
  'mcp/command.ts': 'runs a server of tools',
  'connector.ts': 'runs a connector',
  'connector-test.ts': 'runs the tests of a connector',
  'init/command.ts': 'writes a project',
  'migrate.ts': 'changes the schema',
  'distribute.ts': 'changes the schema',
  'doctor/command.ts': 'checks a machine',
  'backup/commands.ts': 'copies and restores the database',
  'scaling/commands.ts': 'estimates a machine',
  'webhooks/commands.ts': 'listens until a signal',
  'explain.ts': 'tells the story of one payment',
  'money/audit.ts': 'checks the books, and exits by what it finds',
  'connectors.ts': 'asks connectors, and exits by what they answer',
  'connectors-reconcile.ts': 'compares a day, and exits by what it finds',
  'imports/commands.ts': 'reads a file in pieces',
  'imports/migrate-in.ts': 'reads a file in pieces',
  'rails/rails.ts': 'reads and writes files of networks',
  'rails/files.ts': 'reads and writes files of networks',
  'qr/commands.ts': 'reads and writes folders of files',
  'money/payout-run.ts': 'pays each account apart, with progress, and writes files for the bank',
  'money/register.ts': 'reads a file in pieces, with progress',
  'calendar.ts': 'waits until every process has seen the day',
  'payers.ts': 'one person across requests and mandates, whose data it prints or erases',
  'vault.ts': 're-encrypts the whole database, with progress',
};

const anyForm = /<Form[\s>]|<form\s[^>]*\bmethod="post"/;
const anyCommand = /\.\s*(?:command|addCommand)\s*\(|\bnew\s+Command\s*\(/;

/** Returns the files below a folder that match a pattern, relative to it. */
async function filesWith(folder: string, pattern: RegExp): Promise<string[]> {
  const found: string[] = [];
  const cwd = path.join(packageRoot(), 'src', folder);
  for await (const file of glob('**/*.{ts,tsx}', { cwd })) {
    if ((await readFile(path.join(cwd, file), 'utf8')).match(pattern)) found.push(file);
  }
  return found.toSorted();
}

test('draws every portal form from a declaration, with listed exceptions', async () => {
  expect(await filesWith('portal', anyForm)).toEqual(Object.keys(forms).toSorted());
});

test('builds every command from a declaration, with listed exceptions', async () => {
  expect(await filesWith('cli', anyCommand)).toEqual(Object.keys(commands).toSorted());
});
