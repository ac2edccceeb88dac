import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { changeLook, readAccount, readPendingLook, readPicture } from '../../src/accounts/index.ts';
import { ownerNotices } from '../../src/users/index.ts';
import { recaudo } from '../cli/run.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { drawn } from './pictures.ts';

let service: TestService;
let owner: Office;
let operator: Office;
const settings = `/portal/${testAccount}/settings`;
const looks = '/portal/operator/accounts/looks';

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  owner = await signIn(service, 'owner');
  operator = await signIn(service, 'operator');
});
afterAll(() => service.stop());

const account = () => readAccount(service.sql, testAccount);
const asked = () => readPendingLook(service.sql, testAccount);

/** Changes the account's look as the owner's form does in production. */
async function ask(change: Partial<Parameters<ReturnType<typeof changeLook>>[0]>) {
  const { base } = service.service.parts;
  const told = await ownerNotices(base)(
    { id: testAccount, name: 'Cuenta' },
    { what: 'look_asked' },
  );
  const actor = { kind: 'user', id: owner.userId } as const;
  return await changeLook(
    { ...base, actor },
    { notify: told },
  )({ accountId: testAccount, ...change });
}

const letters = async (word: string) => {
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from mails
    where recipient = ${owner.email} and subject like ${`%${word}%`}`;
  return row?.count;
};

const types = async () => {
  const rows = await service.sql<{ type: string }[]>`
    select type from events where account_id = ${testAccount} and entity = 'account' order by id`;
  return rows.map(({ type }) => type);
};

const picture = (size: number) => {
  const read = readPicture(drawn('png', size, size));
  if (typeof read === 'string') throw new Error(read);
  return read;
};

beforeEach(async () => {
  const waiting = await asked();
  if (waiting) {
    await owner.post(`${settings}/waiting/${waiting.id}/withdraw`);
  }
});

test('holds a new name until an operator approves it, and applies the rest at once', async () => {
  const before = await account();
  const profile = { legal_name: 'AFIP S.A.', phone: '0341 423-5000' };
  expect(await ask({ name: 'AFIP', profile })).toBe('waits');
  expect(await account()).toMatchObject({ name: before?.name, look: { phone: profile.phone } });
  expect((await account())?.look).not.toHaveProperty('legal_name');
  expect(await letters('espera la aprobación')).toBe(1);
  const page = await owner.get(settings);
  expect(page.text).toContain('Espera aprobación');
  expect(page.text).toContain('AFIP S.A.');
  expect((await operator.get('/portal/operator')).text).toContain(`href="${looks}"`);
  const id = String((await asked())?.id);
  expect((await operator.get(looks)).text).toContain('AFIP S.A.');
  const act = `/portal/operator/accounts/${testAccount}/look/approve`;
  expect((await operator.post(act, { id: '1' })).status).toBe(409);
  expect((await account())?.name).toBe(before?.name);
  expect((await operator.post(act, { id })).location).toBe(looks);
  expect(await account()).toMatchObject({ name: 'AFIP', look: profile });
  expect([await asked(), await letters('se aprobó')]).toEqual([null, 1]);
  expect((await operator.post(act, { id })).status).toBe(409);
  expect((await types()).slice(-3)).toEqual([
    'account.look_changed',
    'account.look_asked',
    'account.look_changed',
  ]);
});

test('never shows a rejected name, and sends the owners the reason', async () => {
  const before = await account();
  await ask({ name: 'Banco Nación' });
  const id = String((await asked())?.id);
  const act = `/portal/operator/accounts/${testAccount}/look/reject`;
  const unreasoned = await operator.post(act, { id, reason: ' ' });
  expect([unreasoned.status, unreasoned.text]).toEqual([
    400,
    expect.stringContaining('href="#reason"'),
  ]);
  expect((await operator.post(act, { id, reason: 'No es un banco' })).location).toBe(looks);
  expect([await account(), await asked()]).toEqual([before, null]);
  const [letter] = await service.sql<{ body: string }[]>`
    select body from mails where recipient = ${owner.email} order by id desc limit 1`;
  expect(letter?.body).toContain('No es un banco');
  const reader = await signIn(service, 'operator_read_only');
  expect((await reader.post(act, { id, reason: 'x' })).status).toBe(403);
});

test('shows a pending logo only to operators until it is approved', async () => {
  const shown = picture(40);
  await changeLook({ ...service.service.parts.base, actor: { kind: 'system' } })({
    accountId: testAccount,
    logo: shown,
  });
  const present = (await account())?.look.logo;
  expect(await ask({ logo: picture(64) })).toBe('waits');
  const hash = (await asked())?.changes.logo?.hash;
  const at = (name: string | undefined) =>
    fetch(new URL(`/page-assets/logo/${testAccount}/${name}.png`, service.origin));
  expect([(await at(hash)).status, (await at(present?.hash)).status]).toEqual([404, 200]);
  expect((await operator.get(looks)).text).toContain('src="data:image/png;base64,');
  expect(await ask({ logo: picture(72) })).toBe('waits');
  const later = await asked();
  const id = String(later?.id);
  const [kept] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from account_logos where account_id = ${testAccount}`;
  expect(kept?.count).toBe(2);
  await operator.post(`/portal/operator/accounts/${testAccount}/look/approve`, { id });
  expect((await account())?.look.logo).toMatchObject({ width: 72 });
  expect((await at(later?.changes.logo?.hash)).status).toBe(200);
});

test('shows pending changes in the form, and withdraws none when the form is saved again', async () => {
  await ask({ name: 'Otro Nombre' });
  const waiting = await asked();
  const form = await owner.get(`${settings}/profile`);
  expect(form.text).toContain('value="Otro Nombre"');
  const before = await account();
  const profile = { legal_name: 'AFIP S.A.', phone: '0341 500-0000' };
  expect(await ask({ name: 'Otro Nombre', profile })).toBe('shown');
  expect([await asked(), (await account())?.name]).toEqual([waiting, before?.name]);
  expect((await account())?.look.phone).toBe(profile.phone);
  const withdrawn = await owner.post(`${settings}/waiting/${waiting?.id}/withdraw`);
  expect([withdrawn.status, (await types()).at(-1)]).toEqual([303, 'account.look_withdrawn']);
});

test('withdraws the pending change when the current name is requested', async () => {
  const present = (await account())?.name ?? '';
  await ask({ name: 'Tercer Nombre' });
  await ask({ name: present });
  expect([await asked(), (await types()).at(-1)]).toEqual([null, 'account.look_withdrawn']);
});

test('refuses a name’s approval by its requester, and approves it for another operator by command', async () => {
  await ask({ name: 'Por Comando' });
  const id = String((await asked())?.id);
  const run = async (...args: string[]) => {
    const env = { DATABASE_URL: service.databaseUrl };
    const { code, stdout, stderr } = await recaudo([...args, '--json'], env);
    return { code, answer: JSON.parse(code === 0 ? stdout : stderr) };
  };
  const { users } = service.service.parts;
  await users.changeServiceRole({ kind: 'system' }, { userId: owner.userId, role: 'operator' });
  const own = await run('accounts', 'approve-look', testAccount, id, '--operator', owner.email);
  expect(own.answer.error).toBe('forbidden');
  const listed = await run('accounts', 'looks');
  expect(listed.answer).toMatchObject([{ account: testAccount, name: 'Por Comando' }]);
  const other = ['--operator', operator.email];
  expect(await run('accounts', 'approve-look', testAccount, id, ...other)).toMatchObject({
    code: 0,
    answer: { state: 'approved' },
  });
  expect((await account())?.name).toBe('Por Comando');
  const gone = ['reject-look', testAccount, id, ...other, '--reason', 'r'];
  expect((await run('accounts', ...gone)).answer.error).toBe('conflict');
});
