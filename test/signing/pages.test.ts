import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adhesionBody, cardAdhesionBody, cbu, getAdhesion } from '../debit-requests/tools.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
});
afterAll(() => service.stop());

const unsigned = { email: 'ana+nosign@example.com' };

/** A new mandate that waits for its holder, and the path at which he signs, as the mail has it. */
async function waiting(
  bodyOf: typeof adhesionBody | typeof cardAdhesionBody = adhesionBody,
  fields: Record<string, unknown> = {},
): Promise<{ id: number; path: string }> {
  const body = bodyOf({ ...unsigned, ...fields });
  const noun = Object.keys(body)[0] === 'adhesion' ? '/adhesion' : '/card-adhesion';
  const created = await service.call('POST', noun, { body });
  expect(created.status, created.text).toBe(201);
  const [mail] = await service.sql<{ body: string }[]>`
    select body from mails where body like ${`%/sign${noun}/%`} order by id desc limit 1`;
  const [url = ''] = /http\S+/.exec(mail?.body ?? '') ?? [];
  return { id: created.body.id, path: url.replace(service.origin, '') };
}

const open = (path: string) => service.call('GET', path, { key: null });

const answer = (path: string, fields: Record<string, string>, headers = {}) =>
  service.call('POST', path, {
    key: null,
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

const evidenceOf = async (id: number) => {
  const [row] = await service.sql<{ evidence: Record<string, string> | null }[]>`
    select evidence from mandates where id = ${id} and kind = 'adhesion'`;
  return row?.evidence ?? null;
};

describe('the page of a mandate', () => {
  test.each([
    ['a bank account', adhesionBody, 'Nación CBU •••6784', 'Ana María Pérez'],
    ['a card', cardAdhesionBody, 'Visa •••4905', 'ANA M PEREZ'],
  ])('on %s says in Spanish who will debit what, from where', async (_what, bodyOf, where, who) => {
    const { path } = await waiting(bodyOf);
    const { status, text, headers } = await open(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    for (const part of [where, who, 'Cuota social del club', 'Aceptar y autorizar', 'Rechazar']) {
      expect(text).toContain(part);
    }
    expect(text).toContain('lang="es-AR"');
    expect(text).not.toContain(cbu);
    expect(text).not.toContain('4507990000004905');
  });

  test('is there in English', async () => {
    const { path } = await waiting();
    const { text } = await open(`${path}?lang=en`);
    expect(text).toContain('Accept and authorize');
    expect(text).toContain('lang="en"');
    expect(text).toContain(`href="${path}?lang=es"`);
  });

  test('shows what was sent as text, whatever it is', async () => {
    const evil = '<script>alert(1)</script>"&\'';
    const { path } = await waiting(adhesionBody, { description: evil, cbu_holder_name: evil });
    const { text } = await open(path);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('&lt;script>alert(1)');
  });
});

describe('accepting', () => {
  test('signs the mandate, keeps the evidence, and shows so', async () => {
    const { id, path } = await waiting();
    const posted = await answer(
      path,
      { answer: 'accept', lang: 'es' },
      { 'user-agent': `Test browser ${'x'.repeat(600)}` },
    );
    expect(posted.status).toBe(303);
    expect(posted.headers.get('location')).toBe(path);
    expect((await open(path)).text).toContain('Autorización firmada');
    expect(await getAdhesion(service, id)).toMatchObject({ state: 'signed' });
    const evidence = await evidenceOf(id);
    expect(evidence).toEqual({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*-03:00$/),
      address: expect.stringMatching(/127\.0\.0\.1|::1/),
      user_agent: `Test browser ${'x'.repeat(600)}`.slice(0, 500),
      text: expect.stringContaining('debitar automáticamente de Nación CBU •••6784'),
    });
    expect(evidence?.text).toContain('30 días corridos');
  });

  test('in English keeps the English words, and goes on in English', async () => {
    const { id, path } = await waiting();
    const posted = await answer(path, { answer: 'accept', lang: 'en' });
    expect(posted.headers.get('location')).toBe(`${path}?lang=en`);
    expect((await evidenceOf(id))?.text).toContain('debit automatically from Nación CBU •••6784');
  });

  test('after that nothing else can be answered', async () => {
    const { id, path } = await waiting();
    await answer(path, { answer: 'accept' });
    const before = await evidenceOf(id);
    expect((await answer(path, { answer: 'decline' })).status).toBe(303);
    expect((await answer(path, { answer: 'accept' })).status).toBe(303);
    expect(await getAdhesion(service, id)).toMatchObject({ state: 'signed' });
    expect(await evidenceOf(id)).toEqual(before);
  });

  test('and declining at once, many times: one answer holds, and its evidence', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id, path } = await waiting();
      const all = await Promise.all(
        ['accept', 'decline', 'accept', 'decline', 'accept'].map((one, at) =>
          answer(path, { answer: one }, { 'user-agent': `${one} ${at}` }),
        ),
      );
      expect(all.map(({ status }) => status)).toEqual([303, 303, 303, 303, 303]);
      const { state } = await getAdhesion(service, id);
      expect((await evidenceOf(id))?.user_agent).toMatch(
        state === 'signed' ? /^accept/ : /^decline/,
      );
      const events = await service.sql<{ type: string }[]>`
        select type from events where entity = 'adhesion' and entity_id = ${String(id)}`;
      expect(events).toHaveLength(2);
    }
  });
});

test('declining cancels the mandate and keeps the evidence', async () => {
  const { id, path } = await waiting();
  expect((await answer(path, { answer: 'decline' })).status).toBe(303);
  expect((await open(path)).text).toContain('Autorización rechazada');
  expect(await getAdhesion(service, id)).toMatchObject({
    state: 'canceled',
    state_comment: 'Declined by the holder.',
  });
  expect(await evidenceOf(id)).toMatchObject({ text: expect.any(String) });
});

test('a mandate that the collector canceled says so, and signs no more', async () => {
  const { id, path } = await waiting();
  await service.call('PUT', `/adhesion/${id}/cancel`);
  expect((await open(path)).text).toContain('Autorización cancelada');
  await answer(path, { answer: 'accept' });
  expect(await getAdhesion(service, id)).toMatchObject({ state: 'canceled' });
  expect(await evidenceOf(id)).toBeNull();
});

describe('a link', () => {
  test('that was changed, cut, or is for another kind leads nowhere', async () => {
    const { path } = await waiting();
    const card = await waiting(cardAdhesionBody);
    const request = service.service.parts.links.tokenOf({ accountId: testAccount, id: 1 });
    const last = path.endsWith('A') ? 'B' : 'A';
    for (const wrong of [
      path.slice(0, -1) + last,
      path.slice(0, -1),
      path.replace('/adhesion/', '/card-adhesion/'),
      card.path.replace('/card-adhesion/', '/adhesion/'),
      `/sign/adhesion/${request}`,
      '/sign/adhesion/x',
    ]) {
      const { status, text } = await open(wrong);
      expect(status, wrong).toBe(404);
      expect(text).toContain('No encontramos esta página');
      expect((await answer(wrong, { answer: 'accept' })).status).toBe(404);
    }
    expect((await open('/sign/adhesion/x?lang=en')).text).toContain('We could not find this page');
    expect((await open('/sign/adhesion/x')).text).toContain('href="/sign/adhesion/x?lang=en"');
  });

  test('works on seven days, swept or not, and then neither signs nor declines', async () => {
    const [one, two] = [await waiting(), await waiting()];
    const { clocks } = service.service.parts;
    await clocks.moveTo(clocks.business.now().add({ hours: 7 * 24 }));
    for (const { id, path } of [one, two]) {
      expect((await open(path)).text).toContain('El enlace venció');
      expect((await open(`${path}?lang=en`)).text).toContain('This link has expired');
      await answer(path, { answer: id === one.id ? 'accept' : 'decline' });
      expect(await getAdhesion(service, id)).toMatchObject({ state: 'pending_to_sign' });
    }
    await service.service.parts.adhesions.sweep.run(clocks.business.now());
    expect((await open(one.path)).text).toContain('El enlace venció');
    expect((await getAdhesion(service, one.id)).state_comment).toBe('Not signed within 7 days.');
  });
});

test('a form without an answer, or of another type or size, changes nothing', async () => {
  const { id, path } = await waiting();
  expect((await answer(path, { answer: 'maybe' })).status).toBe(400);
  expect((await answer(path, {})).status).toBe(400);
  const json = await service.call('POST', path, { key: null, body: { answer: 'accept' } });
  expect(json.status).toBe(415);
  expect((await answer(path, { answer: 'accept', pad: 'x'.repeat(20_000) })).status).toBe(413);
  expect(await getAdhesion(service, id)).toMatchObject({ state: 'pending_to_sign' });
});
