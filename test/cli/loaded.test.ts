import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { commandsFor, commandTree } from '../../src/cli/tree.ts';
import { packageRoot } from '../../src/package-root.ts';
import { createTestDatabase } from '../harness/database.ts';
import { accountOf, storeAccounts } from '../harness/many-accounts.ts';
import { recaudo, recaudoProcess } from './run.ts';

vi.setConfig({ testTimeout: 120_000 });

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-loaded-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Returns the file URL of a built module of the commands. */
const built = (name: string): string =>
  pathToFileURL(path.join(packageRoot(), `dist/src/cli/${name}.js`)).href;

/** Nothing listens there. */
const down = 'postgres://x:y@127.0.0.1:1/z';

/** Returns the modules that a command loads. Without a database, it fails at its first query. */
async function loadedBy(words: string[], code: number, databaseUrl = down): Promise<string[]> {
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
  const ran = await recaudoProcess(words, {
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    NODE_OPTIONS: `--import=${hook}`,
    LIST: list,
  });
  expect(ran.code).toBe(code);
  return (await readFile(list, 'utf8')).split('\n');
}

/** Modules for HTTP, drawing and encryption: hundreds of them, half a second to load. */
const heavy =
  /node_modules\/(typebox|fastify|@fastify|pdfkit|qrcode|bwip-js|preact|preact-render-to-string|undici|nodemailer|pkijs|prom-client)\//;

const all = (await commandTree()).commands;
const words = all.map((command) => command.name());

/** Imports of every module of the commands, from a process that loads all of them. */
async function readImports(): Promise<Map<string, Set<string>>> {
  const script = `
    import { registerHooks } from 'node:module';
    const edges = [];
    registerHooks({
      resolve(specifier, context, next) {
        const found = next(specifier, context);
        if (context.parentURL) edges.push([context.parentURL, found.url]);
        return found;
      },
    });
    const { commandTree } = await import(process.argv[1]);
    await commandTree();
    process.stdout.write(JSON.stringify(edges));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', script, built('tree')],
    { maxBuffer: 64 * 1024 ** 2 },
  );
  const edges: [string, string][] = JSON.parse(stdout);
  return new Map(
    [...Map.groupBy(edges, ([from]) => from)].map(([from, to]) => [
      from,
      new Set(to.map(([, url]) => url)),
    ]),
  );
}

/** Returns each first word with its modules, as the command tree names them. */
async function rootsOfWords(): Promise<Map<string, string[]>> {
  const source = await readFile(path.join(packageRoot(), 'src/cli/tree.ts'), 'utf8');
  const pairs = [
    ...source.matchAll(/word: '([\w-]+)',(?:(?!word:).)*?import\('\.\/(.+?)\.ts'\)/gs),
  ];
  return new Map(
    [...Map.groupBy(pairs, ([, word = '']) => word)].map(([word, found]) => [
      word,
      found.map(([, , name = '']) => built(name)),
    ]),
  );
}

test('loads no libraries for HTTP, drawing or encryption for any command except `serve`', async () => {
  const [imports, roots] = await Promise.all([readImports(), rootsOfWords()]);
  const names = [...roots.keys(), 'version'].toSorted();
  expect(names).toEqual(words.toSorted());
  expect(imports.size).toBeGreaterThan(300);
  for (const [word, begin] of roots) {
    if (word === 'serve') continue;
    const loaded = new Set(begin);
    for (const url of loaded) for (const next of imports.get(url) ?? []) loaded.add(next);
    expect([word, [...loaded].filter((url) => heavy.test(url))]).toEqual([word, []]);
    // The audit and the imports use every noun and set the upper bound.
    expect([word, loaded.size < 1050]).toEqual([word, true]);
  }
});

test('loads no heavy library for the help of a command', async () => {
  const urls = await loadedBy(['imports', '--help'], 0);
  expect(urls.length).toBeGreaterThan(20);
  expect(urls.filter((url) => heavy.test(url))).toEqual([]);
  expect(urls.length).toBeLessThan(1000);
});

describe('lists', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeAll(async () => {
    database = await createTestDatabase();
    await storeAccounts(database.sql, 1);
  });
  afterAll(() => database?.drop());

  test.each([
    'accounts list',
    `keys list --account ${accountOf(1)}`,
    `payouts list --account ${accountOf(1)}`,
    `fees list --account ${accountOf(1)}`,
    `plans list ${accountOf(1)}`,
    'users list',
    'refunds list',
    'suspense list',
    'disputes list',
    'settlements list',
    'alarms list',
    `webhooks list --account ${accountOf(1)}`,
    'requests find',
    'calendar list',
    'balances',
  ])('loads fewer than 300 modules for `%s`, none of them for pages', async (command) => {
    const urls = await loadedBy(command.split(' '), 0, database.url);
    expect(urls.length).toBeLessThan(300);
    const others = /src\/(checkout|payment-requests\/(?!operations)|qr|rails|sandbox)\/|\/pino\//;
    expect(urls.filter((url) => others.test(url) || heavy.test(url))).toEqual([]);
  });
});

test('starts the service without libraries for documents, mail or encryption', async () => {
  const urls = await loadedBy(['serve'], 1);
  expect(urls.some((url) => url.includes('node_modules/fastify/'))).toBe(true);
  const later = /node_modules\/(pdfkit|fontkit|bwip-js|nodemailer|pkijs|@simplewebauthn)\//;
  expect(urls.filter((url) => later.test(url))).toEqual([]);
});

test('configures the allocator to retain little memory, unless the operator configures it', async () => {
  const list = path.join(folder, 'allocator.txt');
  const hook = path.join(folder, 'allocator.mjs');
  const names = ['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_'];
  await writeFile(
    hook,
    `import { writeFileSync } from 'node:fs';
     const values = ${JSON.stringify(names)}.map((name) => process.env[name]);
     writeFileSync(process.env.LIST, values.join(' '));`,
  );
  const told = async (env: Record<string, string>): Promise<string> => {
    await recaudoProcess(['--version'], { NODE_OPTIONS: `--import=${hook}`, LIST: list, ...env });
    return await readFile(list, 'utf8');
  };
  expect(await told({})).toBe('2 131072 131072');
  expect(await told({ MALLOC_ARENA_MAX: '8' })).toBe('8 131072 131072');
});

test('loads few modules for help and unknown commands, and lists every description', async () => {
  const known = [...new Map(all.map((one) => [one.name(), one.description()]))];
  for (const [line, code] of [
    [['--help'], 0],
    [['help'], 0],
    [['--version'], 0],
    [['bogus', 'list'], 2],
    [[], 2],
  ] as const) {
    const urls = await loadedBy([...line], code);
    expect([line, urls.filter((url) => url.includes('/dist/src/')).length < 12]).toEqual([
      line,
      true,
    ]);
  }
  const { stdout } = await recaudo(['--help'], {});
  const told = stdout.replace(/\s+/g, ' ');
  for (const [word, does] of known) expect(told).toContain(`${word} ${does}`);
  const listed = (await commandsFor(['bogus'], { quiet: true })).commands;
  expect(listed.map((one) => [one.name(), one.description()])).toEqual(known);
});

test('suggests the intended command for a misspelled one, in help too', async () => {
  const ran = await recaudo(['acounts', 'list', '--json'], {});
  expect([ran.code, ran.stdout]).toEqual([2, '']);
  expect(JSON.parse(ran.stderr)).toEqual({
    error: 'usage',
    message: expect.stringMatching(/unknown command 'acounts'\n?.*accounts/s),
  });
  const help = await recaudo(['help', 'accounts'], {});
  expect([help.code, help.stdout.includes('suspend')]).toEqual([0, true]);
});
