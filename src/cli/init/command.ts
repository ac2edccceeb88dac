import { cp, mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { packageRoot } from '../../package-root.ts';
import { version } from '../../version.ts';
import { invocation } from '../invocation.ts';
import { print } from '../print.ts';

const template = path.join(import.meta.dirname, 'assets', 'shop');

/** Returns the folder of the compiled client, because the shop has no build step. */
const builtClient = () => path.join(packageRoot(), 'dist/clients/typescript/src');

const clientPackage = {
  name: '@recaudo/client',
  version,
  license: 'Apache-2.0',
  type: 'module',
  exports: './index.js',
};

/** Throws unless the folder is empty or new, so that nothing is overwritten. */
async function mustBeEmpty(folder: string): Promise<void> {
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (names.length > 0) throw new Error(`${folder} is not empty. Name a new or an empty folder.`);
}

function settingsIn({ RECAUDO_URL, RECAUDO_KEY = '' }: NodeJS.ProcessEnv): string {
  if (!/^[!-~]*$/.test(RECAUDO_KEY) || RECAUDO_KEY.startsWith('rk_live_')) {
    throw new Error('RECAUDO_KEY must be a key of a sandbox: the example pays by itself.');
  }
  return `RECAUDO_URL=${RECAUDO_URL ?? 'http://127.0.0.1:8360'}\nRECAUDO_KEY=${RECAUDO_KEY}\n`;
}

async function init(given: string, options: { json?: boolean }): Promise<void> {
  const folder = path.resolve(given);
  const settings = settingsIn(invocation().env);
  await mustBeEmpty(folder);
  await mkdir(folder, { recursive: true });
  await cp(template, folder, { recursive: true });
  // npm omits .gitignore files from packages, so the template's has another name.
  await rename(path.join(folder, 'gitignore'), path.join(folder, '.gitignore'));
  const client = path.join(folder, 'recaudo-client');
  const isCode = (file: string) => !file.endsWith('.map');
  await cp(builtClient(), client, { recursive: true, filter: isCode });
  await writeFile(path.join(client, 'package.json'), `${JSON.stringify(clientPackage, null, 2)}\n`);
  await writeFile(path.join(folder, '.env'), settings, { mode: 0o600 });
  const next = ['npm install', 'npm start', 'npm test'];
  const missing = invocation().env.RECAUDO_KEY ? [] : ['Put your API key into .env, then:'];
  print(
    [`The shop is in ${folder}.`, ...missing, `cd ${given}`, ...next],
    { folder, next },
    options,
  );
}

export function initCommand(program: Command): void {
  program
    .command('init')
    .description('write an example shop with checkout, webhook, return page and tests')
    .argument('<folder>', 'a new or an empty folder')
    .action(init);
}
