import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../harness/browser.ts';
import {
  adhesionBody,
  card,
  cardAdhesionBody,
  cbu,
  getAdhesion,
  signedAdhesion,
} from '../harness/builders/mandates.ts';
import { type Office, type Shown, signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { lookAtPage, openPage } from './look.ts';

let service: TestService;
let browser: Browser;
let owner: Office;
let collector: Office;
const home = `/portal/${testAccount}`;
const list = `${home}/mandates`;

const at = (path: string, office = owner) => ({ origin: service.origin, office, path });
const unsigned = async (fields: Record<string, unknown> = {}): Promise<number> => {
  const body = adhesionBody({ email: 'ana+nosign@example.com', ...fields });
  return (await service.call('POST', '/adhesion', { body })).body.id;
};
const keyIn = ({ text }: Shown): string => /name="key" value="([^"]+)"/.exec(text)?.[1] ?? '';
const holdersIn = ({ text }: Shown): string[] =>
  [...text.matchAll(/<th scope="row"[^>]*><a [^>]*><bdi>(.*?)<\/bdi>/g)].map(
    ([, name = '']) => name,
  );
const eventsOf = async (id: number): Promise<string[]> => {
  const rows = await service.sql<{ type: string; actor: string }[]>`
    select type, actor from events
    where account_id = ${testAccount} and entity = 'adhesion' and entity_id = ${String(id)}
    order by version`;
  return rows.map(({ type, actor }) => `${type} ${actor.split(':')[0]}`);
};

const fields = {
  adhesion_holder_name: 'Belén Núñez',
  email: 'belen+nosign@example.com',
  external_reference: 'socia-77',
  description: 'Cuota social',
  short_description: 'Cuota',
  cbu_number: cbu,
  cbu_holder_name: 'Belén Núñez',
  cbu_holder_id_number: '20.055.361',
};

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  browser = await launchBrowser();
  owner = await signIn(service, 'owner');
  collector = await signIn(service, 'collections');
});
afterAll(async () => {
  await browser?.close();
  await service?.stop();
});

test('explains mandates to an account that has none', async () => {
  const { text } = await owner.get(list);
  expect(text).toContain('Todavía no hay adhesiones');
  await lookAtPage(browser, at(list), 'mandates-empty');
});

test('creates a mandate from a form without scripts, and e-mails its holder', async () => {
  const path = `${list}/new/bank`;
  const page = await openPage(browser, at(path, collector), { javaScriptEnabled: false });
  for (const [name, value] of Object.entries(fields)) await page.fill(`[name=${name}]`, value);
  await page.click('main button[type=submit]');
  await page.waitForURL(/\/mandates\/bank\/\d+\?made$/);
  expect(await page.textContent('main')).toContain('Le mandamos a belen+nosign@example.com');
  const id = Number(/bank\/(\d+)/.exec(page.url())?.[1]);
  await page.context().close();
  expect(await getAdhesion(service, id)).toMatchObject({
    ...fields,
    cbu_holder_id_number: 20_055_361,
    state: 'pending_to_sign',
  });
  expect(await eventsOf(id)).toEqual(['adhesion.created user']);
  const mails =
    await service.sql`select from mails where link_id = ${id} and link_kind = 'adhesion'`;
  expect(mails).toHaveLength(1);
});

test('creates one mandate for a repeated form, even if concurrent, and none for changed data', async () => {
  const path = `${list}/new/bank`;
  const key = keyIn(await owner.get(path));
  const send = (more = {}) => owner.post(path, { ...fields, key, ...more });
  const [first, second] = await Promise.all([send(), send()]);
  const third = await send();
  expect([first.status, second.status, third.status]).toEqual([303, 303, 303]);
  expect(new Set([first.location, second.location, third.location]).size).toBe(1);
  const other = await send({ description: 'Otra cosa' });
  expect([other.status, other.text.includes('Con este formulario ya se creó')]).toEqual([
    422,
    true,
  ]);
  expect((await owner.post(path, fields)).status).toBe(400);
});

test('shows every fault at its field in the reader’s language, and creates nothing', async () => {
  const count = async () => (await service.sql`select from mandates`).length;
  const before = await count();
  const path = `${list}/new/bank`;
  const wrong = { ...fields, email: 'x', cbu_number: '0000003100000000000001', description: ' ' };
  const key = keyIn(await owner.get(path));
  const { status, text } = await owner.post(path, { ...wrong, key });
  expect(status).toBe(400);
  expect(text).toContain('Hay 3 datos para corregir');
  expect(text).toMatch(/id="cbu_number-fault"[^>]*>Esta CBU no es válida/);
  expect(text).toContain('value="Belén Núñez"');
  expect(keyIn({ text } as Shown)).toBe(key);
  const english = await owner.post(`${path}?lang=en`, { ...wrong, key, token: owner.token(path) });
  expect(english.text).toContain('This CBU is not valid');
  const long = await owner.post(path, { ...fields, adhesion_holder_name: 'x'.repeat(51), key });
  expect(long.status).toBe(400);
  expect(await count()).toBe(before);
});

test('never shows a card number again once it was sent', async () => {
  const path = `${list}/new/card`;
  const form = {
    adhesion_holder_name: 'Carla Paz',
    email: 'carla@example.com',
    description: 'Cuota',
    card_holder_name: 'CARLA PAZ',
    card_number: card,
  };
  const key = keyIn(await owner.get(path));
  const faulty = await owner.post(path, { ...form, email: 'x', key });
  expect([faulty.status, faulty.text.includes(card)]).toEqual([400, false]);
  const made = await owner.post(path, { ...form, key });
  expect(made.location).toMatch(/\/mandates\/card\/\d+\?made$/);
  const { text } = await owner.get(made.location ?? '');
  expect(text).toContain('Visa ···· 4905');
  expect(text).not.toContain(card);
  const none = await owner.post(path, {
    ...form,
    card_number: '',
    key: keyIn(await owner.get(path)),
  });
  expect([none.status, none.text.includes('Este número de tarjeta no es válido')]).toEqual([
    400,
    true,
  ]);
});

test('shows the evidence of a mandate’s signature, with the signed text', async () => {
  const id = await signedAdhesion(service, { adhesion_holder_name: 'Dora Sosa' });
  const { text } = await owner.get(`${list}/bank/${id}`);
  const { text: shown } = await service.service.parts.mandates
    .evidenceOf({ accountId: testAccount, kind: 'adhesion', id })
    .then((evidence) => ({ text: evidence?.text ?? '' }));
  expect(shown.length).toBeGreaterThan(20);
  expect(text).toContain('Constancia de la firma');
  for (const line of shown.split('\n')) expect(text).toContain(line.replaceAll('"', '&quot;'));
  await lookAtPage(browser, at(`${list}/bank/${id}`), 'mandates-one');
});

test('resends or renews a link once per form, and sends nothing for a signed mandate', async () => {
  const id = await unsigned();
  const path = `${list}/bank/${id}/remind`;
  const version = 1;
  const send = (link: string, no: number) => collector.post(path, { link, version: String(no) });
  const both = await Promise.all([send('same', version), send('same', version)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual([303, 409]);
  expect((await send('new', 2)).location).toBe(`${list}/bank/${id}?sent`);
  expect(await eventsOf(id)).toEqual([
    'adhesion.created key',
    'adhesion.letter_resent user',
    'adhesion.link_renewed user',
  ]);
  // Each e-mail counts toward the limit of its mailbox.
  const mails = await service.sql`
    select from mails where link_id = ${id} and link_kind = 'adhesion' and mailbox is not null`;
  expect(mails).toHaveLength(3);
  const signed = await signedAdhesion(service);
  const late = await collector.post(`${list}/bank/${signed}/remind`, {
    link: 'same',
    version: '2',
  });
  expect([late.status, late.text.includes('No mandamos nada')]).toEqual([409, true]);
});

test('asks for confirmation before canceling a mandate, ends it once, and shows who did', async () => {
  const id = await signedAdhesion(service);
  const page = await openPage(browser, at(`${list}/bank/${id}`), { javaScriptEnabled: false });
  await page.click('text=Cancelar la adhesión');
  await page.click('main button[type=submit]');
  await page.waitForURL(/\/bank\/\d+$/);
  expect(await page.textContent('main')).toContain('La cancelaste vos.');
  await page.context().close();
  expect((await owner.post(`${list}/bank/${id}/cancel`)).status).toBe(303);
  expect((await eventsOf(id)).filter((name) => name.includes('canceled'))).toEqual([
    'adhesion.canceled user',
  ]);
  const { text } = await owner.get(`${list}/bank/${id}`);
  expect(text).not.toContain(`${id}/cancel`);
});

test('finds mandates by parts of words, kind and state', async () => {
  await signedAdhesion(service, {
    adhesion_holder_name: 'Zoé Ibáñez',
    external_reference: 'AB-900',
  });
  const { body } = await service.call('POST', '/card-adhesion', {
    body: cardAdhesionBody({ adhesion_holder_name: 'Zoilo Ríos' }),
  });
  await unsigned({ adhesion_holder_name: 'Zoe Vera' });
  const found = async (query: string) => holdersIn(await owner.get(`${list}?${query}`));
  expect(await found('q=zo')).toEqual(['Zoe Vera', 'Zoilo Ríos', 'Zoé Ibáñez']);
  expect(await found('q=IBANEZ%20zoe')).toEqual(['Zoé Ibáñez']);
  expect(await found('q=900')).toEqual(['Zoé Ibáñez']);
  expect(await found('q=b%C3%A1%C3%B1ez')).toEqual(['Zoé Ibáñez']);
  expect(await found('q=zo&kind=card')).toEqual(['Zoilo Ríos']);
  expect(await found('q=zo&state=pending_to_sign')).toEqual(['Zoe Vera']);
  expect(await found(`q=${body.id}&kind=card`)).toContain('Zoilo Ríos');
  expect(await found('q=%27%3A*%20%26%20!')).toEqual([]);
  expect(await found('q=nadie')).toEqual([]);
  expect((await found('kind=x&state=y&behind=1.x')).length).toBeGreaterThan(3);
});

test('shows each mandate once across the pages of a long list of both kinds', async () => {
  for (let no = 0; no < 30; no += 1) {
    await signedAdhesion(service, { adhesion_holder_name: `Larga ${no}` });
    await service.call('POST', '/card-adhesion', {
      body: cardAdhesionBody({ adhesion_holder_name: `Larga ${no} tarjeta` }),
    });
  }
  const seen: string[] = [];
  let path: string | undefined = `${list}?q=larga`;
  while (path !== undefined) {
    const page = await owner.get(path);
    seen.push(...holdersIn(page));
    path = /rel="next" href="([^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&');
  }
  expect(seen).toHaveLength(60);
  expect(new Set(seen).size).toBe(60);
  await lookAtPage(browser, at(list), 'mandates');
});

test('shows read-only users no actions, and answers 404 for a missing mandate', async () => {
  const reader = await signIn(service, 'read_only');
  const id = await unsigned();
  const { text } = await reader.get(`${list}/bank/${id}`);
  expect(text).not.toContain(`${id}/remind`);
  expect(text).not.toContain(`${id}/cancel`);
  expect((await reader.get(list)).text).not.toContain('mandates/new');
  for (const path of ['bank/999999', 'bank/x', 'x/1', `card/${id + 999_999}`, 'bank/9'.repeat(4)]) {
    expect([path, (await owner.get(`${list}/${path}`)).status]).toEqual([path, 404]);
  }
  expect((await owner.post(`${list}/bank/999999/cancel`)).status).toBe(404);
});

test('lets a suspended account cancel mandates, but not create them or send links', async () => {
  const id = await unsigned();
  const set = (state: string) =>
    service.sql`update accounts set state = ${state} where id = ${testAccount}`;
  await set('suspended');
  try {
    const { text } = await owner.get(`${list}/bank/${id}`);
    expect(text).not.toContain(`${id}/remind`);
    expect((await owner.post(`${list}/new/bank`, fields)).status).toBe(403);
    expect((await owner.post(`${list}/bank/${id}/remind`)).status).toBe(403);
    expect((await owner.post(`${list}/bank/${id}/cancel`)).status).toBe(303);
  } finally {
    await set('active');
  }
});

test.each([
  ['new/bank', 'mandates-new'],
  ['new/card', 'mandates-new-card'],
  ['?q=nadie&state=signed', 'mandates-none'],
])('renders mandates at %s accessibly', async (path, name) => {
  await lookAtPage(browser, at(path.startsWith('?') ? list + path : `${list}/${path}`), name);
});

test.each(['remind', 'cancel'])('renders the confirmation page "%s" accessibly', async (what) => {
  const id = await unsigned();
  await lookAtPage(browser, at(`${list}/bank/${id}/${what}`), `mandates-${what}`);
});
