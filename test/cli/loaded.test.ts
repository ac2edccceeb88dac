import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { recaudo } from './run.ts';

vi.setConfig({ testTimeout: 120_000 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-loaded-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The modules that a command loads before it asks a database, which is away. */
async function loadedBy(command: string): Promise<string[]> {
  const list = path.join(folder, `${command.replaceAll(' ', '-')}.txt`);
  const hook = path.join(folder, 'hook.mjs');
  await writeFile(
    hook,
    `import { registerHooks } from 'node:module';
     import { writeFileSync } from 'node:fs';
     const urls = [];
     registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context); } });
     process.on('exit', () => writeFileSync(process.env.LIST, urls.join('\\n')));`,
  );
  const { code } = await recaudo(command.split(' '), {
    DATABASE_URL: 'postgres://x:y@127.0.0.1:1/z',
    NODE_OPTIONS: `--import=${hook}`,
    LIST: list,
  });
  expect(code).toBe(1);
  return (await readFile(list, 'utf8')).split('\n');
}

test.each([
  'accounts list',
  'keys list --account A1B2C3D4',
  'payouts list --account A1B2C3D4',
  'fees list --account A1B2C3D4',
  'balances',
])(
  '`%s` loads its noun, and neither HTTP, pages, documents nor the other nouns',
  async (command) => {
    const urls = await loadedBy(command);
    expect(urls.length).toBeLessThan(260);
    const others =
      /node_modules\/(typebox|fastify|pdfkit|qrcode|bwip-js|preact|undici|nodemailer)\/|src\/(checkout|payment-requests|qr|rails|webhooks|sandbox)\//;
    expect(urls.filter((url) => others.test(url))).toEqual([]);
  },
);
