import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { packageRoot } from '../../src/package-root.ts';
import { environmentOf, type Serving, startServing } from '../cli/run.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { officeOf, postForm } from '../harness/portal.ts';
import { call, testAccount } from '../harness/service.ts';

vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

const run = promisify(execFile);
const root = packageRoot();

let copy: string;
let database: TestDatabase;
let serving: Serving;
const main = () => path.join(copy, 'dist/src/cli/main.js');

interface Block {
  isChange: boolean;
  file: string;
  text: string;
}

/** Returns the page's code blocks: whole files, and diffs of files. */
async function blocksOf(page: string): Promise<Block[]> {
  const text = await readFile(path.join(root, page), 'utf8');
  return [...text.matchAll(/^```(ts|diff) (\S+)\n(.*?)^```$/gms)].map(
    ([, kind, file = '', code = '']) => ({ isChange: kind === 'diff', file, text: code }),
  );
}

/** Applies a diff whose old lines occur exactly once in the file. */
async function apply({ isChange, file, text }: Block): Promise<void> {
  const target = path.join(copy, file);
  if (!isChange) return await writeFile(target, text);
  const lines = text.trimEnd().split('\n');
  const without = (mark: string) =>
    lines.flatMap((line) => (line.startsWith(mark) ? [] : [line.slice(1)])).join('\n');
  const before = await readFile(target, 'utf8');
  const parts = before.split(without('+'));
  expect([file, parts.length]).toEqual([file, 2]);
  await writeFile(target, parts.join(without('-')));
}

beforeAll(async () => {
  copy = await mkdtemp(path.join(tmpdir(), 'recaudo-added-'));
  const names = ['src', 'connectors', 'bench', 'tools', 'scripts', 'migrations', 'clients'];
  const files = ['package.json', 'tsconfig.json', 'tsconfig.build.json', 'test/operations'];
  await mkdir(path.join(copy, 'test'));
  for (const name of [...names, ...files]) {
    await cp(path.join(root, name), path.join(copy, name), { recursive: true });
  }
  await symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
  for (const block of await blocksOf('docs/how-to/add-an-operation.md')) await apply(block);
  const bin = path.join(root, 'node_modules/.bin');
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` };
  await run(process.execPath, ['scripts/build.js'], { cwd: copy, env });
  database = await createTestDatabase();
  const command = [process.execPath, main(), 'serve'];
  serving = await startServing({ DATABASE_URL: database.url }, command);
});
afterAll(async () => {
  await serving?.end('SIGTERM');
  await database?.drop();
  await rm(copy, { recursive: true, force: true });
});

async function request(): Promise<number> {
  const payment_request = {
    description: 'Cuota',
    first_due_date: '10-12-2030',
    first_total: 100,
    payer_name: 'Ana',
  };
  const { body } = await call(serving.origin, 'POST', '/payment-request', {
    body: { payment_request },
  });
  return body.id;
}

const notesOf = async (id: number): Promise<string[]> => {
  const rows = await database.sql<{ note: string }[]>`
    select data->>'note' as note from events
    where type = 'payment_request.noted' and entity_id = ${String(id)} order by id`;
  return rows.map(({ note }) => note);
};

test('finds all texts and a fixture of the guide’s operation', async () => {
  await run(process.execPath, ['tools/texts.ts'], { cwd: copy });
  const fixtures = await readFile(path.join(copy, 'test/operations/fixtures.ts'), 'utf8');
  expect(fixtures).toContain("'payment_request.note'");
});

test('lets integrators write a note once through the API, and documents it in the reference', async () => {
  const id = await request();
  const note = (body: object, key?: string) =>
    call(serving.origin, 'POST', `/payment-request/${id}/note`, { body, ...(key && { key }) });
  const written = await note({ note: 'Pays on Friday' });
  expect([written.status, written.body]).toEqual([
    200,
    { id, note: 'Pays on Friday', outcome: 'noted' },
  ]);
  expect((await note({ note: 'Pays on Friday' })).body.outcome).toBe('known');
  expect((await note({})).status).toBe(400);
  expect((await note({ note: 'x' }, 'nobody')).status).toBe(401);
  const nowhere = await call(serving.origin, 'POST', '/payment-request/999/note', {
    body: { note: 'x' },
  });
  expect([nowhere.status, nowhere.body.error_code]).toEqual([404, 'payment_request.not_found']);
  expect(await notesOf(id)).toEqual(['Pays on Friday']);
  const { body } = await call(serving.origin, 'GET', '/openapi.json', { key: null });
  expect(body.paths['/payment-request/{id}/note'].post.operationId).toBe('notePaymentRequest');
});

test('lets the operator write a note by command', async () => {
  const id = await request();
  const args = ['requests', 'note', String(id), '--account', testAccount, '--note', 'called'];
  const env = environmentOf({ DATABASE_URL: database.url });
  const { stdout } = await run(process.execPath, [main(), ...args, '--json'], { env });
  expect(JSON.parse(stdout)).toEqual({ id, outcome: 'noted' });
  expect(await notesOf(id)).toEqual(['called']);
});

test('lets staff write a note on its page, and shows it in the request’s history', async () => {
  const id = await request();
  const { origin } = serving;
  const [, email = '', password = ''] = /\((\S+), password (\S+)\)/.exec(serving.output()) ?? [];
  const signed = await postForm(origin, '/portal/sign-in', { email, password });
  const cookie = signed.headers.get('set-cookie')?.split(';')[0] ?? '';
  const office = officeOf(origin, cookie, { userId: 0, email });
  const page = `/portal/${testAccount}/requests/${id}`;
  expect((await office.get(page)).text).toContain(`href="${page}/note"`);
  expect((await office.get(`${page}/note`)).text).toContain('Agregar una nota');
  const blank = await office.post(`${page}/note`, { note: '' });
  expect([blank.status, blank.text.includes('id="note-fault"')]).toEqual([400, true]);
  const done = await office.post(`${page}/note`, { note: 'Vino a la oficina' });
  expect([done.status, done.location]).toEqual([303, page]);
  expect((await office.get(page)).text).toContain('Vino a la oficina');
  expect(await notesOf(id)).toEqual(['Vino a la oficina']);
});
