import { execFile, spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createAccount, createKey } from '../../src/accounts/index.ts';
import { packageRoot } from '../../src/package-root.ts';
import { freePort } from '../../src/platform/http/free-port.ts';
import { testOperator } from '../harness/actors.ts';
// Its build also compiles the client, which `init` copies.
import { bundledProgram } from '../harness/built.ts';
import { startService, type TestService, testKey } from '../harness/service.ts';
import { recaudo } from './run.ts';

vi.setConfig({ testTimeout: 120_000 });

let service: TestService;
let folder: string;
let env: Record<string, string>;
beforeAll(async () => {
  expect(bundledProgram).not.toEqual([]);
  service = await startService();
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-init-'));
  env = { RECAUDO_URL: service.origin, RECAUDO_KEY: testKey };
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

const read = (...names: string[]) => readFile(path.join(folder, ...names), 'utf8');

/** Simulates `npm install` in the shop with the packages installed here. */
async function install(shop: string): Promise<void> {
  const modules = path.join(folder, shop, 'node_modules');
  await mkdir(path.join(modules, '@recaudo'), { recursive: true });
  await symlink(path.join(packageRoot(), 'node_modules/fastify'), path.join(modules, 'fastify'));
  await symlink(path.join(folder, shop, 'recaudo-client'), path.join(modules, '@recaudo/client'));
}

test('creates a shop that passes its own tests against the service, and starts', async () => {
  const ran = await recaudo(['init', path.join(folder, 'shop'), '--json'], env);
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  expect(JSON.parse(ran.stdout)).toMatchObject({ folder: path.join(folder, 'shop') });
  expect(await read('shop', '.env')).toBe(
    `RECAUDO_URL=${service.origin}\nRECAUDO_KEY=${testKey}\n`,
  );
  expect((await stat(path.join(folder, 'shop/.env'))).mode & 0o777).toBe(0o600);
  expect(await read('shop', '.gitignore')).toContain('.env');
  await install('shop');
  const cwd = path.join(folder, 'shop');
  const { PATH = '' } = process.env;
  const args = ['--env-file=.env', '--test', '--test-reporter=tap'];
  const tested = await promisify(execFile)(process.execPath, args, { cwd, env: { PATH } });
  expect(tested.stdout).toMatch(/^# pass 5$/m);

  const port = String(await freePort('127.0.0.1'));
  const shop = spawn(process.execPath, ['--env-file=.env', 'server.js'], {
    ...{ cwd, env: { PATH, PORT: port } },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const { promise, resolve } = Promise.withResolvers<string>();
    shop.stdout.once('data', (bytes: Buffer) => resolve(bytes.toString()));
    expect(await promise).toBe(`shop at http://127.0.0.1:${port}\n`);
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('Comprar');
  } finally {
    shop.kill();
  }
});

test('creates a shop that sells in production', async () => {
  const port = await freePort('127.0.0.1');
  const live = await startService({
    ENVIRONMENT: 'production',
    PUBLIC_URL: 'https://pay.example.com',
    BARCODE_CONVENTION: '5150009346',
    RAPIPAGO_COMPANY: 'CLUB',
    PORT: String(port),
    ROLES: 'payments',
  });
  try {
    const { base } = live.service.parts;
    const acting = { ...base, actor: testOperator };
    const account = { id: null, name: 'Coop', cuit: '30999999995', city: 'Salta' };
    const { id: accountId } = await createAccount(acting, account);
    const key = await createKey(acting, {
      ...{ id: await base.recordIds.next(), environment: 'production', accountId, name: 'shop' },
      ...{ permissions: ['read', 'write'], expiresAt: null, secret: null },
    });
    await recaudo(['init', path.join(folder, 'live-shop'), '--json'], env);
    await install('live-shop');
    const own = (name: string) => import(path.join(folder, 'live-shop', name));
    const [{ createShop }, { openStore }, { Recaudo }] = await Promise.all(
      ['shop.js', 'store.js', 'recaudo-client/index.js'].map(own),
    );
    const { app } = createShop({
      recaudo: new Recaudo({ key, baseUrl: `http://127.0.0.1:${port}` }),
      store: openStore(':memory:'),
      url: () => 'https://shop.example.com',
    });
    const sold = await app.inject({ method: 'POST', url: '/orders' });
    expect([sold.statusCode, sold.headers.location]).toEqual([
      303,
      expect.stringContaining('https://pay.example.com/'),
    ]);
  } finally {
    await live.stop();
  }
});

test('pins the shop’s Fastify to the service’s own release', async () => {
  const shop = JSON.parse(
    await readFile(path.join(packageRoot(), 'src/cli/init/assets/shop/package.json'), 'utf8'),
  );
  const own = JSON.parse(await readFile(path.join(packageRoot(), 'package.json'), 'utf8'));
  expect(shop.dependencies.fastify).toBe(own.dependencies.fastify);
});

test('refuses a non-empty folder and a production key, and writes nothing', async () => {
  await mkdir(path.join(folder, 'full'));
  await writeFile(path.join(folder, 'full/mine.txt'), 'mine');
  const full = await recaudo(['init', path.join(folder, 'full')], env);
  expect([full.code, full.stderr]).toEqual([1, expect.stringContaining('is not empty')]);
  expect(await read('full', 'mine.txt')).toBe('mine');
  await expect(read('full', 'shop.js')).rejects.toMatchObject({ code: 'ENOENT' });
  const live = `rk_live_${'x'.repeat(32)}`;
  const refused = await recaudo(['init', path.join(folder, 'live')], { RECAUDO_KEY: live });
  expect([refused.code, refused.stderr.includes(live)]).toEqual([1, false]);
  await expect(stat(path.join(folder, 'live'))).rejects.toMatchObject({ code: 'ENOENT' });
});
