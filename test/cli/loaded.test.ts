import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { commandTree } from '../../src/cli/tree.ts';
import { recaudo } from './run.ts';

vi.setConfig({ testTimeout: 120_000 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-loaded-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The modules that a command loads before it asks a database, which is away. */
async function loadedBy(words: string[], code: number): Promise<string[]> {
  const list = path.join(folder, `${words.join('-')}.txt`);
  const hook = path.join(folder, 'hook.mjs');
  await writeFile(
    hook,
    `import { registerHooks } from 'node:module';
     import { writeFileSync } from 'node:fs';
     const urls = [];
     registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context); } });
     process.on('exit', () => writeFileSync(process.env.LIST, urls.join('\\n')));`,
  );
  const ran = await recaudo(words, {
    DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z',
    NODE_OPTIONS: `--import=${hook}`,
    LIST: list,
  });
  expect(ran.code).toBe(code);
  return (await readFile(list, 'utf8')).split('\n');
}

/** What serves HTTP, draws or encrypts: hundreds of modules, and half a second. */
const heavy =
  /node_modules\/(typebox|fastify|@fastify|pdfkit|qrcode|bwip-js|preact|preact-render-to-string|undici|nodemailer|pkijs|prom-client)\//;

const words = (await commandTree()).commands.map((command) => command.name());

test.each(words.filter((word) => word !== 'serve'))(
  '`%s` loads nothing that serves HTTP, draws or encrypts',
  async (word) => {
    const urls = await loadedBy([word, '--help'], 0);
    expect(urls.length).toBeGreaterThan(20);
    expect(urls.filter((url) => heavy.test(url))).toEqual([]);
    // The audit asks every noun; nobody needs more than it.
    expect(urls.length).toBeLessThan(600);
  },
);

test.each([
  'accounts list',
  'keys list --account A1B2C3D4',
  'payouts list --account A1B2C3D4',
  'fees list --account A1B2C3D4',
  'balances',
])('`%s` loads its noun, and neither pages nor the other nouns', async (command) => {
  const urls = await loadedBy(command.split(' '), 1);
  expect(urls.length).toBeLessThan(260);
  const others = /src\/(checkout|payment-requests|qr|rails|webhooks|sandbox)\//;
  expect(urls.filter((url) => others.test(url) || heavy.test(url))).toEqual([]);
});
