import { spawn, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packageRoot } from '../../../src/package-root.ts';
import { freePort } from '../../../src/platform/http/free-port.ts';
import { launchBrowser } from '../../harness/browser.ts';
import { startService, testKey } from '../../harness/service.ts';

const root = path.join(packageRoot(), 'clients/typescript');
const secret = 'whsec_6Gr1Wk3R7BYcBLLD4yWQk0mgAq4KZcQYdEObXgG3zVY=';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-client-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const readme = () => readFile(path.join(root, 'README.md'), 'utf8');

/** Writes the README's examples to files that import the client from its source. */
async function examples(): Promise<string[]> {
  const source = pathToFileURL(path.join(root, 'src/index.ts')).href;
  const files: string[] = [];
  for (const [, code = ''] of (await readme()).matchAll(/```ts\n([\s\S]*?)```/g)) {
    const file = path.join(folder, `example-${files.length}.ts`);
    await writeFile(file, code.replaceAll("'@recaudo/client'", `'${source}'`));
    files.push(file);
  }
  return files;
}

test('has a README of at most 120 lines that names every call of the client', async () => {
  const text = await readme();
  expect(text.split('\n').length).toBeLessThanOrEqual(121);
  const { Recaudo } = await import('../../../clients/typescript/src/index.ts');
  const recaudo = new Recaudo({ key: testKey, baseUrl: 'http://127.0.0.1' });
  const calls = Object.entries(recaudo).flatMap(([part, value]) => [
    part,
    ...Object.entries(value as object).flatMap(([name, inner]) =>
      typeof inner === 'function' ? [name] : Object.keys(inner as object),
    ),
  ]);
  expect(calls.length).toBeGreaterThan(60);
  for (const name of calls) expect(text, name).toMatch(new RegExp(`\\b${name}\\b`));
});

test('runs the README’s payment example unchanged', async () => {
  const service = await startService();
  const [first = ''] = await examples();
  const env = { ...process.env, RECAUDO_KEY: testKey, RECAUDO_URL: service.origin };
  const ran = spawn(process.execPath, [first], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [ran.stdout, ran.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  await new Promise((resolve) => ran.on('close', resolve));
  await service.stop();
  expect(output.trim().split('\n')).toEqual([
    expect.stringMatching(/^http:.+\/checkout\//),
    'paid',
    expect.stringMatching(/^\d+ paid$/),
    '404 payment_request.not_found',
  ]);
});

test('accepts signed deliveries in the README’s receiver example, and refuses others', async () => {
  const [, second = ''] = await examples();
  const port = await freePort('127.0.0.1');
  const env = { ...process.env, PORT: String(port), WEBHOOK_SECRET: secret };
  const receiver = spawn(process.execPath, [second], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const said = new Promise<string>((resolve) => {
    receiver.stdout.once('data', (chunk: Buffer) => resolve(chunk.toString()));
  });
  const body = '{"event_type":"payment_request.paid","payload":{"amount":1430.5}}';
  const now = new Date();
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
  };
  const post = (text: string) =>
    fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: text });
  await expect
    .poll(() =>
      post(`${body} `).then(
        ({ status }) => status,
        () => null,
      ),
    )
    .toBe(400);
  expect((await post(body)).status).toBe(204);
  expect(await said).toBe('paid 1430.5\n');
  receiver.kill();
});

test('weighs less than 15 kB minified', async () => {
  const bundle = await rolldown({ input: path.join(root, 'src/index.ts') });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  expect(output).toHaveLength(1);
  expect(Buffer.byteLength(output[0].code)).toBeLessThan(15_000);
  expect(output[0].imports).toEqual([]);
});

test('compiles with its own settings, for browsers too, without `any` in its types', async () => {
  const tsc = path.join(packageRoot(), 'node_modules/typescript/bin/tsc');
  const out = path.join(folder, 'dist');
  const args = [tsc, '-p', path.join(root, 'tsconfig.json'), '--outDir', out];
  const compiled = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(compiled.stdout).toBe('');
  const files = (await readdir(out)).filter((name) => name.endsWith('.d.ts'));
  expect(files).toContain('index.d.ts');
  for (const name of files) {
    expect(await readFile(path.join(out, name), 'utf8'), name).not.toMatch(/:\s*any\b|<any>/);
  }
});

test('installs its tarball in an empty folder, runs there and includes the license', async () => {
  const packed = path.join(folder, 'packed');
  await cp(path.join(folder, 'dist'), path.join(packed, 'dist'), { recursive: true });
  for (const name of ['package.json', 'README.md', 'LICENSE']) {
    await cp(path.join(root, name), path.join(packed, name));
  }
  const shop = path.join(folder, 'shop');
  await mkdir(shop);
  const npm = (...args: string[]) =>
    spawnSync('npm', args, { cwd: shop, encoding: 'utf8', env: { ...process.env, CI: '' } });
  const [{ filename, files }] = JSON.parse(
    npm('pack', packed, '--ignore-scripts', '--json').stdout,
  ) as [{ filename: string; files: { path: string }[] }];
  expect(files.map((one) => one.path)).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.d.ts', 'dist/index.js']),
  );
  expect(await readFile(path.join(root, 'LICENSE'), 'utf8')).toBe(
    await readFile(path.join(packageRoot(), 'LICENSE'), 'utf8'),
  );
  const installed = npm('install', '--offline', '--no-audit', '--no-fund', `./${filename}`);
  expect(installed.status, installed.stderr).toBe(0);
  const [, code = ''] = /```ts\n([\s\S]*?)```/.exec(await readme()) ?? [];
  await writeFile(path.join(shop, 'pay.mjs'), stripTypeScriptTypes(code));
  const service = await startService();
  const env = { ...process.env, RECAUDO_KEY: testKey, RECAUDO_URL: service.origin };
  // CLIENT_NODE selects another Node.js, such as the oldest supported one.
  const node = process.env.CLIENT_NODE ?? process.execPath;
  const ran = spawn(node, ['pay.mjs'], { cwd: shop, env });
  let output = '';
  ran.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await new Promise((resolve) => ran.on('close', resolve));
  await service.stop();
  expect(output).toMatch(/\/checkout\/.*\npaid\n\d+ paid\n404 payment_request\.not_found\n$/);
});

test('verifies deliveries in a browser, and refuses others with a reason', async () => {
  const bundle = await rolldown({ input: path.join(root, 'src/index.ts') });
  const { output } = await bundle.generate({ format: 'esm', minify: true });
  await bundle.close();
  const server = createServer((request, response) => {
    const isCode = request.url === '/client.js';
    response.writeHead(200, { 'content-type': isCode ? 'text/javascript' : 'text/html' });
    response.end(isCode ? output[0].code : '<!doctype html><title>shop</title>');
  });
  const port = await freePort('127.0.0.1');
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    const body = '{"event_type":"payment_request.paid","payload":{"amount":1430.5}}';
    const headers = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': '1000',
      'webhook-signature': new Webhook(secret).sign('evt_1', new Date(1_000_000), body),
    };
    // The test runner would rewrite an `import()` within `evaluate`.
    const content = "import * as client from '/client.js'; globalThis.client = client;";
    await page.addScriptTag({ type: 'module', content });
    await page.waitForFunction(() => 'client' in globalThis);
    const found = await page.evaluate(
      async ([given, text, key]) => {
        const { verifyWebhook, WebhookError, Recaudo } = Reflect.get(globalThis, 'client');
        const reasonOf = async (...args: unknown[]) => {
          const error = await verifyWebhook(...args).catch((reason: unknown) => reason);
          return error instanceof WebhookError ? (error as { reason: string }).reason : error;
        };
        const now = 1_000_000;
        return [
          (await verifyWebhook(given, text, key, { now })).payload.amount,
          (await verifyWebhook(new Headers(given), text, key, { now })).event_type,
          await reasonOf(given, `${text} `, key, { now }),
          await reasonOf(given, text, key),
          typeof Recaudo,
        ];
      },
      [headers, body, secret] as const,
    );
    expect(found).toEqual([
      1430.5,
      'payment_request.paid',
      'signature_wrong',
      'too_old',
      'function',
    ]);
  } finally {
    await browser.close();
    await new Promise((resolve) => server.close(resolve));
  }
});

test('has no dependencies, and shares the service’s version', async () => {
  const own = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as object;
  const service = JSON.parse(await readFile(path.join(packageRoot(), 'package.json'), 'utf8'));
  expect(own).not.toHaveProperty('dependencies');
  expect(own).toHaveProperty('version', service.version);
});
