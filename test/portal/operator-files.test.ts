import { createHash } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { doing } from '../../src/platform/postgres/deadlines.ts';
import { recaudo } from '../cli/run.ts';
import { launchBrowser } from '../harness/browser.ts';
import { submittedDebit } from '../harness/builders/debits.ts';
import { testVaultKeys } from '../harness/keys.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { file as fileOf, pagoFacilLines, rapipagoLines } from '../rails/files.ts';
import { type FileDesk, fileDesk, filesAt as home } from './file-desk.ts';
import { lookAtPage, openPage } from './look.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let service: TestService;
let browser: Browser;
let operator: Office;
let reader: Office;
let desk: FileDesk;

beforeAll(async () => {
  service = await startService({
    ROLES: 'payments,web',
    PAGO_FACIL_CLIENT: '000000515',
    RAPIPAGO_COMPANY: 'RECAUDO',
    PMC_COMPANY: '0515',
    LINK_ENTITY: '515',
    DIRECT_DEBIT_SERVICE: '0515',
  });
  browser = await launchBrowser();
  operator = await signIn(service, 'operator');
  reader = await signIn(service, 'operator_read_only');
  desk = fileDesk(service, operator);
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test('previews an uploaded file and does nothing until the same bytes are confirmed', async () => {
  const [good, less] = [await desk.request(), await desk.request()];
  const before = await desk.counts();
  const content = fileOf(
    pagoFacilLines(desk.compact(), [
      desk.paymentOf(good),
      desk.paymentOf(less, { amount: 100_000 }),
      desk.paymentOf(good, { code: '9'.repeat(42) }),
    ]),
  );
  const { at, sha256 } = await desk.dropped(content);
  const page = await operator.get(at);
  expect(page.text).toContain('Pago Fácil');
  expect(page.text).toContain('otro importe');
  expect(page.text).toContain('código ilegible');
  expect(await desk.counts()).toEqual(before);

  const other = await operator.post(`${at}/confirm`, { sha256: 'ab'.repeat(32) });
  expect(other.status).toBe(409);
  expect(await desk.counts()).toEqual(before);

  const done = await operator.post(`${at}/confirm`, { sha256 });
  expect(done.status).toBe(303);
  expect(done.location).toMatch(/\/portal\/operator\/files\/\d+$/);
  expect(await desk.stateOf(good.id)).toBe('paid');
  const again = await operator.post(`${at}/confirm`, { sha256 });
  expect([again.status, again.location]).toEqual([303, done.location]);
  const result = await operator.get(done.location ?? '');
  expect(result.text).toContain('otro importe');
  expect(result.text).toContain('/portal/operator/suspense');

  const [event] = await service.sql<{ actor: string }[]>`
    select actor from operator_events where type = 'rail_file.imported' order by id desc limit 1`;
  expect(event?.actor).toBe(`user:${operator.userId}`);
  const faults = await doing('command', async () => [
    ...(await auditAccount(service.sql, testAccount)),
    ...(await auditAccount(service.sql, '00000000')),
  ]);
  expect(faults).toEqual([]);
});

test('stores uploads encrypted, and deletes them once they are imported', async () => {
  const made = await desk.request();
  const content = fileOf(rapipagoLines(desk.compact(), [desk.paymentOf(made)]));
  const { at, sha256 } = await desk.dropped(content, 'RP.txt');
  const [kept] = await service.sql<{ ciphertext: Buffer }[]>`
    select ciphertext from rail_uploads order by id desc limit 1`;
  expect(kept?.ciphertext.includes(made.barcode)).toBe(false);
  await operator.post(`${at}/confirm`, { sha256 });
  expect(
    (await service.sql`select 1 from rail_uploads where sha256 = ${Buffer.from(sha256, 'hex')}`)
      .length,
  ).toBe(0);
});

test('reports a repeated file, and asks before importing another file of the same day', async () => {
  const [one, two] = [await desk.request(), await desk.request()];
  const content = fileOf(pagoFacilLines(desk.compact(-1), [desk.paymentOf(one)]));
  const first = await desk.dropped(content);
  const imported = await operator.post(`${first.at}/confirm`, { sha256: first.sha256 });
  const before = await desk.counts();
  const twice = await operator.get((await desk.drop(content)).location ?? '');
  expect(twice.text).toContain('ya se importó');
  expect(twice.text).toContain(imported.location ?? 'nowhere');
  expect(twice.text).not.toContain('/confirm"');

  const sibling = await desk.dropped(
    fileOf(pagoFacilLines(desk.compact(-1), [desk.paymentOf(two)])),
    'PF2.txt',
  );
  expect((await operator.get(sibling.at)).text).toContain('Otro archivo de ese día');
  const refused = await operator.post(`${sibling.at}/confirm`, { sha256: sibling.sha256 });
  expect(refused.status).toBe(409);
  expect(await desk.counts()).toEqual(before);
  const meant = { sha256: sibling.sha256, how: 'same-day' };
  expect((await operator.post(`${sibling.at}/confirm`, meant)).status).toBe(303);
  expect(await desk.stateOf(two.id)).toBe('paid');
});

test('books each line once when two operators confirm a file at once', async () => {
  const made = await Promise.all(Array.from({ length: 20 }, () => desk.request()));
  const content = fileOf(
    pagoFacilLines(
      desk.compact(-2),
      made.map((one) => desk.paymentOf(one)),
    ),
  );
  const { at, sha256 } = await desk.dropped(content);
  const other = await signIn(service, 'operator');
  const answers = await Promise.all(
    [operator, other, operator].map((office) => office.post(`${at}/confirm`, { sha256 })),
  );
  expect(answers.every(({ status }) => status === 303 || status === 409)).toBe(true);
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::int from results where request_id = any(${made.map(({ id }) => id)}::bigint[])`;
  expect(row?.count).toBe(20);
});

test('reports an invalid or mismatching file, and stores nothing', async () => {
  const before = await desk.counts();
  const uploads = await service.sql`select 1 from rail_uploads`;
  const made = await desk.request();
  const lines = pagoFacilLines(desk.compact(), [desk.paymentOf(made)]);
  const cut = fileOf(lines.slice(0, -1));
  const cases: [string, string, number][] = [
    ['hello', '', 400],
    ['\0\0\0\0', '', 400],
    ['x'.repeat(100_000), '', 400],
    [cut, '', 400],
    [fileOf(lines), 'rapipago', 400],
    [fileOf(lines), 'nobody', 400],
    [fileOf(['{"a":1}']), '', 400],
  ];
  for (const [content, rail, status] of cases) {
    const answer = await desk.drop(content, { rail });
    expect([content.slice(0, 20), rail, answer.status]).toEqual([
      content.slice(0, 20),
      rail,
      status,
    ]);
    expect(answer.text).toContain('role="alert"');
  }
  expect((await desk.drop(cut)).text).toMatch(/, renglón \d+: dice .*No se importó nada/);
  expect((await desk.drop('', {})).text).toContain('Elegí un archivo.');
  expect((await desk.drop('x'.repeat(17 * 1024 * 1024))).status).toBe(413);
  expect(await desk.counts()).toEqual(before);
  expect((await service.sql`select 1 from rail_uploads`).length).toBe(uploads.length);
});

test('deletes an unconfirmed file after its retention period, with an event', async () => {
  const made = await desk.request();
  const { at } = await desk.dropped(
    fileOf(pagoFacilLines(desk.compact(-6), [desk.paymentOf(made)])),
  );
  const id = Number(at.split('/').at(-1));
  const { forgetOld } = service.service.parts;
  await service.sql`
    update rail_uploads set uploaded_at = uploaded_at - interval '23 hours' where id = ${id}`;
  await forgetOld();
  expect((await operator.get(at)).status).toBe(200);
  await service.sql`
    update rail_uploads set uploaded_at = uploaded_at - interval '1 hour' where id = ${id}`;
  await Promise.all([forgetOld(), forgetOld()]);
  expect((await operator.get(at)).status).toBe(404);
  const events = await service.sql`
    select type, actor from operator_events
    where entity = 'rail_upload' and entity_id = ${String(id)} order by id`;
  expect(events).toEqual([
    { type: 'rail_upload.sent', actor: `user:${operator.userId}` },
    { type: 'rail_upload.expired', actor: 'system' },
  ]);
});

test('caches a repeatedly loaded preview until an import may change it', async () => {
  const [one, two] = [await desk.request(), await desk.request()];
  const first = await desk.dropped(fileOf(pagoFacilLines(desk.compact(-7), [desk.paymentOf(one)])));
  const second = await desk.dropped(
    fileOf(pagoFacilLines(desk.compact(-8), [desk.paymentOf(one)])),
  );
  const kept = await service.sql<{ ciphertext: Buffer }[]>`
    select ciphertext from rail_uploads order by id desc limit 1`;
  const id = Number(second.at.split('/').at(-1));
  // Only a cached preview can be shown now, because this ciphertext cannot be decrypted.
  await service.sql`update rail_uploads set ciphertext = '\\x00' where id = ${id}`;
  const pages = await Promise.all(Array.from({ length: 5 }, () => operator.get(second.at)));
  expect(pages.map(({ status }) => status)).toEqual(Array(5).fill(200));
  const [row] = kept;
  await service.sql`update rail_uploads set ciphertext = ${row?.ciphertext ?? null} where id = ${id}`;
  expect((await operator.post(`${first.at}/confirm`, { sha256: first.sha256 })).status).toBe(303);
  expect((await operator.get(second.at)).text).toContain('ya estaba pag');
  expect(two.id).toBeGreaterThan(0);
});

test('re-encrypts waiting files under a new vault key and back, and can still import them', async () => {
  const made = await desk.request();
  const { at, sha256 } = await desk.dropped(
    fileOf(pagoFacilLines(desk.compact(-9), [desk.paymentOf(made)])),
  );
  const keys = `next:${Buffer.alloc(32, 9).toString('base64')}`;
  const env = { DATABASE_URL: service.databaseUrl, VAULT_KEYS: `${keys},${testVaultKeys}` };
  const [row] = await service.sql<{ count: number }[]>`select count(*)::int from rail_uploads`;
  const done = await recaudo(['vault', 'rewrap', '--json'], env);
  expect([done.code, JSON.parse(done.stdout).uploads]).toEqual([0, row?.count]);
  const inUse = await service.sql`select distinct key_id from rail_uploads`;
  expect(inUse).toEqual([{ key_id: 'next' }]);
  const back = { ...env, VAULT_KEYS: `${testVaultKeys},${keys}` };
  expect(await recaudo(['vault', 'rewrap'], back)).toMatchObject({ code: 0 });
  expect((await operator.post(`${at}/confirm`, { sha256 })).status).toBe(303);
  expect(await desk.stateOf(made.id)).toBe('paid');
});

test('shows file names as text, whatever they contain', async () => {
  const made = await desk.request();
  const content = fileOf(pagoFacilLines(desk.compact(-5), [desk.paymentOf(made)]));
  const { at } = await desk.dropped(content, '../<b onclick=alert(1)>\u202e.txt');
  const { text } = await operator.get(at);
  expect(text).not.toContain('<b onclick');
  expect(text).toContain('alert(1)');
  expect((await operator.post(`${at}/discard`)).status).toBe(303);
  expect((await operator.get(at)).status).toBe(404);
});

test('stores today’s files once, and allows any number of downloads', async () => {
  await desk.request();
  const made = await operator.post(`${home}/send`, { rail: 'pmc' });
  expect(made.status).toBe(200);
  const [file] = await service.sql<{ id: number; sha256: Buffer }[]>`
    select id, sha256 from rail_files where rail = 'pmc' and direction = 'out'`;
  const files = (await desk.counts()) as { files: number };
  await operator.post(`${home}/send`, { rail: 'pmc' });
  for (const _ of [1, 2]) {
    const got = await operator.get(`${home}/${file?.id}/download`);
    expect(got.status).toBe(200);
    const digest = createHash('sha256').update(got.text, 'latin1').digest('hex');
    expect(digest).toBe(file?.sha256.toString('hex'));
  }
  expect(((await desk.counts()) as { files: number }).files).toBe(files.files);
  expect((await reader.get(`${home}/${file?.id}/download`)).status).toBe(403);
});

test('exports a debit in one file, however often it is prepared and downloaded', async () => {
  const { debit: id } = await submittedDebit(service);
  const waiting = await operator.get(`${home}/send`);
  expect(waiting.text).toContain('Débito directo, 350');
  const [first, second] = await Promise.all([
    operator.post(`${home}/send/again`, { rail: 'direct-debit-350' }),
    operator.post(`${home}/send/again`, { rail: 'direct-debit-350' }),
  ]);
  expect([first.status, second.status]).toEqual([200, 200]);
  const runs = await service.sql<{ file_id: number }[]>`
    select file_id from debit_runs where request_id = ${id}`;
  const files = await service.sql<{ id: number; sha256: Buffer }[]>`
    select id, sha256 from rail_files where rail = 'direct-debit-350' and direction = 'out'`;
  expect(files.map((one) => one.id)).toEqual(runs.map(({ file_id }) => file_id));
  const got = await operator.get(`${home}/${files[0]?.id}/download`);
  expect(createHash('sha256').update(got.text, 'latin1').digest('hex')).toBe(
    files[0]?.sha256.toString('hex'),
  );
});

test('marks days without a file in the calendar', async () => {
  const { text } = await operator.get(`${home}/calendar`);
  expect(text).toContain('No llegó');
  expect(text).toContain('Pago Fácil');
});

test('answers 404 for an unknown file', async () => {
  for (const path of ['1', 'x', '999999999999999999', 'uploads/1', 'uploads/x', '1/download']) {
    expect([path, (await operator.get(`${home}/${path}`)).status]).toEqual([path, 404]);
  }
  expect((await operator.post(`${home}/send`, { rail: 'x' })).status).toBe(404);
});

test('shows files to read-only users, without actions', async () => {
  const { status, text } = await reader.get(home);
  expect(status).toBe(200);
  expect(text).not.toContain('type="file"');
  expect((await reader.get(`${home}/send`)).text).not.toContain(
    '<form method="post" action="/portal/operator',
  );
  expect((await desk.drop('x', { office: reader })).status).toBe(403);
});

test('uploads, previews and imports a file, and shows its result, without scripts', async () => {
  const made = await desk.request();
  const content = fileOf(pagoFacilLines(desk.compact(-3), [desk.paymentOf(made)]));
  const page = await openPage(
    browser,
    { origin: service.origin, office: operator, path: home },
    { javaScriptEnabled: false },
  );
  await page.setInputFiles('input[type=file]', {
    name: 'PF.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from(content, 'latin1'),
  });
  await page.getByRole('button', { name: 'Ver qué haría' }).click();
  await page.getByRole('button', { name: 'Importar el archivo' }).click();
  expect(page.url()).toMatch(/\/files\/\d+$/);
  expect(await page.locator('main').textContent()).toContain('Importado');
  expect(await desk.stateOf(made.id)).toBe('paid');
  await page.context().close();
});

test('renders accessible pages', async () => {
  const made = await desk.request();
  const { at } = await desk.dropped(
    fileOf(
      pagoFacilLines(desk.compact(-4), [
        desk.paymentOf(made),
        desk.paymentOf(made, { code: '9'.repeat(42) }),
        desk.paymentOf(made, { amount: 5 }),
      ]),
    ),
    'PF-0123456789.txt',
  );
  const [file] = await service.sql<{ id: number }[]>`
    select id from rail_files where direction = 'in' order by id limit 1`;
  const pages: [string, string][] = [
    ['operator-files', home],
    ['operator-files-preview', at],
    ['operator-files-one', `${home}/${file?.id}`],
    ['operator-files-send', `${home}/send`],
    ['operator-files-calendar', `${home}/calendar`],
  ];
  for (const [name, path] of pages) {
    await lookAtPage(browser, { origin: service.origin, office: operator, path }, name);
  }
  expect((await operator.get(`${home}?lang=en`)).text).toContain('Import a file');
});
