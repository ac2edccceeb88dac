import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatDay, midnightOf } from '../../src/kernel/dates.ts';
import { dayText, momentText } from '../../src/platform/pages/format.ts';
import { recaudo } from '../cli/run.ts';
import { inDays } from '../harness/builders/clock.ts';
import {
  adhesionBody,
  cardAdhesionBody,
  cbu,
  getAdhesion,
  signingUrl,
} from '../harness/builders/mandates.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { untilWaiting } from '../harness/waiting.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
});
afterAll(() => service.stop());

const unsigned = { email: 'ana+nosign@example.com' };

/** Creates a mandate that waits for its holder. Returns the signing path from the e-mail. */
async function waiting(
  bodyOf: typeof adhesionBody | typeof cardAdhesionBody = adhesionBody,
  fields: Record<string, unknown> = {},
): Promise<{ id: number; path: string }> {
  const body = bodyOf({ ...unsigned, ...fields });
  const noun = Object.keys(body)[0] === 'adhesion' ? '/adhesion' : '/card-adhesion';
  const created = await service.call('POST', noun, { body });
  expect(created.status, created.text).toBe(201);
  const kind = noun === '/adhesion' ? 'adhesion' : 'card_adhesion';
  const url = signingUrl(service, kind, created.body.id);
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

describe('a mandate’s page', () => {
  test.each([
    ['a bank account', adhesionBody, 'Nación, CBU 0110 •••• •••• •••• ••67 84', 'Ana María Pérez'],
    ['a card', cardAdhesionBody, 'Visa •••• 4905', 'ANA M PEREZ'],
  ])('states in Spanish who will debit what from %s', async (_what, bodyOf, where, who) => {
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

  test('offers the page in English', async () => {
    const { path } = await waiting();
    const { text } = await open(`${path}?lang=en`);
    expect(text).toContain('Accept and authorize');
    expect(text).toContain('lang="en"');
    expect(text).toContain(`href="${path}?lang=es"`);
  });

  test('escapes texts that contain markup', async () => {
    const evil = '<script>alert(1)</script>"&\'';
    const { path } = await waiting(adhesionBody, { description: evil, cbu_holder_name: evil });
    const { text } = await open(path);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('&lt;script>alert(1)');
  });
});

describe('accepting', () => {
  test('signs the mandate, stores the evidence, and shows it', async () => {
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
      text: expect.stringContaining(
        'debitar automáticamente de Nación, CBU 0110 •••• •••• •••• ••67 84',
      ),
    });
    expect(evidence?.text).toContain('30 días corridos');
  });

  test('stores the English text when signed in English, and stays in English', async () => {
    const { id, path } = await waiting();
    const posted = await answer(path, { answer: 'accept', lang: 'en' });
    expect(posted.headers.get('location')).toBe(`${path}?lang=en`);
    expect((await evidenceOf(id))?.text).toContain(
      'debit automatically from Nación, CBU 0110 •••• •••• •••• ••67 84',
    );
  });

  test('ignores any later answer after accepting', async () => {
    const { id, path } = await waiting();
    await answer(path, { answer: 'accept' });
    const before = await evidenceOf(id);
    expect((await answer(path, { answer: 'decline' })).status).toBe(303);
    expect((await answer(path, { answer: 'decline_confirmed' })).status).toBe(303);
    expect((await answer(path, { answer: 'accept' })).status).toBe(303);
    expect(await getAdhesion(service, id)).toMatchObject({ state: 'signed' });
    expect(await evidenceOf(id)).toEqual(before);
  });

  test('stores one answer with its evidence when accepting races with declining', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id, path } = await waiting();
      const all = await Promise.all(
        ['accept', 'decline_confirmed', 'accept', 'decline_confirmed', 'accept'].map((one, at) =>
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

test('asks again before declining, then cancels the mandate and stores the evidence', async () => {
  const { id, path } = await waiting();
  const asked = await answer(path, { answer: 'decline' });
  expect([asked.status, asked.text]).toEqual([200, expect.stringContaining('Sí, rechazar')]);
  expect(await getAdhesion(service, id)).toMatchObject({ state: 'pending_to_sign' });
  expect((await answer(path, { answer: 'decline_confirmed' })).status).toBe(303);
  expect((await open(path)).text).toContain('Autorización rechazada');
  expect(await getAdhesion(service, id)).toMatchObject({
    state: 'canceled',
    state_comment: 'Declined by the holder.',
  });
  expect(await evidenceOf(id)).toMatchObject({ text: expect.any(String) });
});

test('does not sign a mandate that the collector canceled, and says so', async () => {
  const { id, path } = await waiting();
  await service.call('PUT', `/adhesion/${id}/cancel`);
  expect((await open(path)).text).toContain('Autorización cancelada');
  await answer(path, { answer: 'accept' });
  expect(await getAdhesion(service, id)).toMatchObject({ state: 'canceled' });
  expect(await evidenceOf(id)).toBeNull();
});

/** Returns the e-mails that link to the page with this path. */
const mailsWith = (path: string) => {
  const [noun = '', token = ''] = path.trim().split('/').slice(2);
  const id = Number.parseInt(token.split('-')[1] ?? '', 36);
  return service.sql<{ recipient: string; subject: string; body: string }[]>`
    select recipient, subject, body from mails
    where link_kind = ${noun.replace('-', '_')} and link_id = ${id} order by id`;
};

describe('after signing', () => {
  test('shows the signed text with its time, and e-mails the holder a copy', async () => {
    const { id, path } = await waiting(adhesionBody, { external_reference: 'socio 4711' });
    expect((await open(path)).text).toContain('socio 4711');
    await answer(path, { answer: 'accept' });
    const evidence = await evidenceOf(id);
    const { text } = await open(path);
    const at = momentText('es', Temporal.Instant.from(evidence?.at ?? ''));
    for (const part of ['Lo que firmaste', 'Autorizo a', at, 'socio 4711']) {
      expect(text).toContain(part);
    }
    // The signed words are shown unchanged, even if the page is in another language.
    const english = await open(`${path}?lang=en`);
    expect(english.text).toContain('What you signed');
    expect(english.text).toContain('Autorizo a');
    const [, copy, ...others] = await mailsWith(path);
    expect(others).toEqual([]);
    expect(copy).toMatchObject({
      recipient: unsigned.email,
      subject: expect.stringMatching(/^Copia/),
    });
    for (const paragraph of evidence?.text?.split('\n') ?? [])
      expect(copy?.body).toContain(paragraph);
    expect(copy?.body).toContain(at);
  });

  test('sends one copy for concurrent and repeated answers', async () => {
    const { path } = await waiting();
    await Promise.all(
      ['accept', 'accept', 'accept'].map((one) => answer(path, { answer: one, lang: 'en' })),
    );
    await answer(path, { answer: 'accept' });
    expect(await mailsWith(path)).toHaveLength(2);
  });

  test('lets the holder revoke the signature from the link, once, and keeps the evidence', async () => {
    const { id, path } = await waiting();
    expect((await answer(path, { answer: 'revoke_confirmed' })).status).toBe(303);
    expect(await getAdhesion(service, id)).toMatchObject({ state: 'pending_to_sign' });
    await answer(path, { answer: 'accept' });
    const before = await evidenceOf(id);
    const debit = await service.call('POST', '/debit-request', {
      body: {
        debit_request: { adhesion_id: id, first_due_date: inDays(service, 20), first_total: 10 },
      },
    });
    const asked = await answer(path, { answer: 'revoke' });
    expect(asked.text).toContain('Sí, cancelar la autorización');
    expect(await getAdhesion(service, id)).toMatchObject({ state: 'signed' });
    await Promise.all([1, 2, 3].map(() => answer(path, { answer: 'revoke_confirmed' })));
    expect(await getAdhesion(service, id)).toMatchObject({
      state: 'canceled',
      state_comment: 'Revoked by the holder.',
    });
    const { body } = await service.call('GET', `/debit-request/${debit.body.id}`);
    expect(body).toMatchObject({ state: 'canceled' });
    const page = (await open(path)).text;
    for (const part of ['La cancelaste vos', 'Firmada el', 'Terminó el', 'Autorizo a']) {
      expect(page).toContain(part);
    }
    expect(await evidenceOf(id)).toMatchObject({
      ...before,
      revoked: { address: expect.any(String), at: expect.any(String) },
    });
    expect((await mailsWith(path)).map((mail) => mail.subject.split(':')[0])).toEqual([
      expect.stringMatching(/^Autorizá/),
      'Copia',
      'Copia',
    ]);
    const events = await service.sql<{ type: string; actor: string }[]>`
      select type, actor from events
      where entity = 'adhesion' and entity_id = ${String(id)} order by version`;
    expect(events.map(({ type }) => type)).toEqual([
      'adhesion.created',
      'adhesion.signed',
      'adhesion.canceled',
    ]);
    expect(events.at(-1)?.actor).toBe('payer');
  });

  test('isolates right-to-left texts from their surroundings', async () => {
    const { path } = await waiting(adhesionBody, {
      description: 'מנוי 10',
      cbu_holder_name: 'مريم',
    });
    const { text } = await open(path);
    expect(text).toContain('<bdi class="concept">מנוי 10</bdi>');
    expect(text).toContain('<bdi>مريم</bdi>');
    expect(text).toContain('a nombre de \u2068مريم\u2069');
    expect((await mailsWith(path))[0]?.body).toContain('Concepto: \u2068מנוי 10\u2069');
  });
});

describe('npx recaudo signing', () => {
  const run = (...args: string[]) =>
    recaudo(['signing', ...args, '--account', testAccount], {
      DATABASE_URL: service.databaseUrl,
      PUBLIC_URL: service.origin,
    });

  test('resends the same link by e-mail', async () => {
    const { id, path } = await waiting();
    const ran = await run('resend', String(id));
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    expect(ran.stdout).toContain(path);
    expect(await mailsWith(`${path}\n`)).toHaveLength(2);
  });

  test('creates a new link that can be signed, and invalidates the old one', async () => {
    const { id, path } = await waiting(cardAdhesionBody);
    const ran = await run('new-link', String(id), '--kind', 'card_adhesion');
    expect([ran.code, ran.stderr]).toEqual([0, '']);
    const fresh = new URL(ran.stdout.trim().split('\n').at(-1) ?? '').pathname;
    expect(fresh).not.toBe(path);
    for (const method of ['GET', 'POST']) {
      const old = method === 'GET' ? await open(path) : await answer(path, { answer: 'accept' });
      expect([old.status, old.text]).toEqual([410, expect.stringContaining('más nuevo')]);
    }
    expect((await open(fresh)).text).toContain('Aceptar y autorizar');
    await answer(fresh, { answer: 'accept' });
    const { body } = await service.call('GET', `/card-adhesion/${id}`);
    expect(body.state).toBe('signed');
    const again = await run('new-link', String(id), '--kind', 'card_adhesion');
    expect([again.code, again.stderr]).toEqual([1, expect.stringMatching(/is signed/)]);
    expect((await run('resend', '999999')).stderr).toMatch(/There is no mandate/);
  });
});

describe('a link', () => {
  test('responds 404 if it is changed, truncated, or of another kind', async () => {
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

  test('keeps a link valid until its seventh day ends, and neither signs nor declines afterwards', async () => {
    const { clocks } = service.service.parts;
    const lastDay = clocks.business.today().add({ days: 7 });
    const [one, two, three] = [await waiting(), await waiting(), await waiting()];
    const [mail] = await mailsWith(one.path);
    expect(mail?.body).toContain(`hasta el ${formatDay(lastDay)}, todo el día`);
    const end = midnightOf(lastDay.add({ days: 1 }));
    await clocks.moveTo(end.subtract({ minutes: 5 }));
    expect((await open(one.path)).text).toContain(`${dayText('es', lastDay)}, todo el día`);
    await answer(three.path, { answer: 'accept' });
    expect(await getAdhesion(service, three.id)).toMatchObject({ state: 'signed' });
    await clocks.moveTo(end);
    for (const { id, path } of [one, two]) {
      expect((await open(path)).text).toContain('El enlace venció');
      expect((await open(`${path}?lang=en`)).text).toContain('This link has expired');
      await answer(path, { answer: id === one.id ? 'accept' : 'decline_confirmed' });
      expect(await getAdhesion(service, id)).toMatchObject({ state: 'pending_to_sign' });
    }
    for (const sweep of service.service.parts.mandates.sweeps) {
      await sweep.run(clocks.business.now());
    }
    expect((await open(one.path)).text).toContain('El enlace venció');
    expect((await getAdhesion(service, one.id)).state_comment).toBe('Not signed within 7 days.');
  });
});

test('keeps a mandate whose link is renewed at the last moment', async () => {
  const { id } = await waiting();
  const { clocks, mandates } = service.service.parts;
  const [row] = await service.sql<{ sign_before: Temporal.Instant }[]>`
    select sign_before from mandates where kind = 'adhesion' and id = ${id}`;
  const ends = row?.sign_before ?? clocks.business.now();
  let swept: Promise<unknown> = Promise.resolve();
  await service.sql.begin(async (tx) => {
    const renewed = await tx`
      update mandates set link_no = 2, sign_before = ${ends.add({ hours: 24 })}::timestamptz
      where kind = 'adhesion' and id = ${id} returning id`;
    expect(renewed).toHaveLength(1);
    await clocks.moveTo(ends);
    swept = Promise.all(mandates.sweeps.map((sweep) => sweep.run(clocks.business.now())));
    await untilWaiting(service.sql);
  });
  await swept;
  expect(await getAdhesion(service, id)).toMatchObject({ state: 'pending_to_sign' });
});

test('changes nothing for a form without an answer, of another type or with too large a body', async () => {
  const { id, path } = await waiting();
  expect((await answer(path, { answer: 'maybe' })).status).toBe(400);
  expect((await answer(path, {})).status).toBe(400);
  const json = await service.call('POST', path, { key: null, body: { answer: 'accept' } });
  expect(json.status).toBe(415);
  expect((await answer(path, { answer: 'accept', pad: 'x'.repeat(20_000) })).status).toBe(413);
  expect(await getAdhesion(service, id)).toMatchObject({ state: 'pending_to_sign' });
});
