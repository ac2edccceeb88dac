import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { adhesionBody, cardAdhesionBody, cbu } from '../harness/builders/mandates.ts';
import { expectError, faultyFields } from '../harness/errors.ts';
import { startService, type TestService } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService(withoutWorker);
});
afterAll(() => service.stop());

const post = (body: unknown, headers: Record<string, string> = {}) =>
  service.call('POST', '/adhesion', { body, headers });
const postCard = (body: unknown, headers: Record<string, string> = {}) =>
  service.call('POST', '/card-adhesion', { body, headers });

const stored = async (): Promise<number> => {
  const [row] = await service.sql<{ count: number }[]>`
    select (select count(*) from mandates) + (select count(*) from mails)
      + (select count(*) from events where entity like '%adhesion') as count`;
  return Number(row?.count);
};

describe('a CBU adhesion', () => {
  test('returns every field, its bank and its state', async () => {
    const sent = adhesionBody({ metadata: { b: 1, a: [1e3, '2'] } }).adhesion;
    const { status, body } = await post({ adhesion: sent });
    expect(status).toBe(201);
    const { cbu_holder_id_number: _id, ...same } = sent;
    expect(body).toEqual({
      ...same,
      id: expect.any(Number),
      state: 'pending_to_sign',
      created_at: expect.stringMatching(/-03:00$/),
      cbu_holder_id_number: 20_055_361_682,
      bank: 'Nación',
    });
  });

  test('is signed by the simulator at once, and its GET shows the time', async () => {
    const { body } = await post(adhesionBody());
    const got = await service.call('GET', `/adhesion/${body.id}`);
    expect(got.body).toEqual({ ...body, state: 'signed', signed_at: expect.any(String) });
  });

  test('stays unsigned if the e-mail address contains +nosign', async () => {
    const { body } = await post(adhesionBody({ email: 'Ana+NoSign@example.com' }));
    expect((await service.call('GET', `/adhesion/${body.id}`)).body).toEqual(body);
  });

  test('asks the holder by e-mail to sign, and masks the account number', async () => {
    const { body } = await post(adhesionBody({ email: 'luz+nosign@example.com' }));
    const [mail] = await service.sql<{ recipient: string; subject: string; body: string }[]>`
      select recipient, subject, body from mails where recipient = 'luz+nosign@example.com'`;
    expect(mail?.subject).toMatch(/^Autorizá el débito automático de /);
    expect(mail?.body).toContain('Nación, CBU 0110 •••• •••• •••• ••67 84');
    expect(mail?.body).toContain('Cuota social del club');
    expect(mail?.body).toContain('entrá a:\n[[link]]');
    expect(mail?.body).not.toContain(cbu);
    expect(mail?.body).not.toContain(`/${body.id}`);
  });

  test.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ cbu_number: ' 0110 5995-00000123456784 ' }, { cbu_number: cbu }],
    [{ cbu_holder_id_number: '20-05536168-2' }, { cbu_holder_id_number: 20_055_361_682 }],
    [{ cbu_holder_id_number: '12.345.678' }, { cbu_holder_id_number: 12_345_678 }],
    [{ cbu_holder_id_number: 1_234_567 }, { cbu_holder_id_number: 1_234_567 }],
    [{ description: 'línea 1\nlínea 2' }, { description: 'línea 1\nlínea 2' }],
    [{ adhesion_holder_name: 'ñ'.repeat(50) }, { adhesion_holder_name: 'ñ'.repeat(50) }],
    [{ metadata: { far: 1 } }, { metadata: { far: 1 } }],
  ])('accepts %j', async (fields, answered) => {
    const { status, text, body } = await post(adhesionBody(fields));
    expect(status, text).toBe(201);
    expect(body).toMatchObject(answered);
  });

  test.each(['external_reference', 'metadata'])('does not require %s', async (field) => {
    for (const value of [null, '', undefined]) {
      const { status, body } = await post(adhesionBody({ [field]: value }));
      expect(status).toBe(201);
      expect(body).not.toHaveProperty(field);
    }
  });

  test.each<[string, unknown, RegExp]>([
    ['adhesion_holder_name', undefined, /required/],
    ['adhesion_holder_name', '  ', /blank/],
    ['adhesion_holder_name', 'a'.repeat(51), /at most 50 characters; it has 51/],
    ['adhesion_holder_name', 'a\nb', /control characters/],
    ['adhesion_holder_name', 'Ana \u202eadiv', /change the writing direction/],
    ['description', 'Cuota \u2067x', /change the writing direction/],
    ['external_reference', 'a'.repeat(256), /at most 255/],
    ['email', 'ana', /e-mail address/],
    ['email', 'ana@example.com,eve@example.com', /e-mail address/],
    ['email', 'ana@example.com\r\nBcc: eve@example.com', /control characters/],
    ['description', undefined, /required/],
    ['description', 'a'.repeat(256), /at most 255/],
    ['short_description', 'a'.repeat(51), /at most 50/],
    ['cbu_number', 110_599_500, /Send the CBU as a string/],
    ['cbu_number', '0110599500000123456', /22 digits/],
    ['cbu_number', '0110599400000123456784', /8th/],
    ['cbu_number', '0110599500000123456783', /22nd/],
    ['cbu_number', '2810590940090418135201', /check digit/],
    ['cbu_number', '0000003100062244154712', /CVU/],
    ['cbu_holder_name', 'a'.repeat(256), /at most 255/],
    ['cbu_holder_id_number', 20_267_565_392, /CUIT or CUIL/],
    ['cbu_holder_id_number', 123_456, /DNI of 7 or 8 digits/],
    ['cbu_holder_id_number', '01234567', /DNI of 7 or 8 digits/],
    ['cbu_holder_id_number', 1.5, /DNI of 7 or 8 digits/],
    ['cbu_holder_id_number', true, /DNI of 7 or 8 digits/],
    ['metadata', [1], /JSON object/],
    ['metadata', { long: 'a'.repeat(16_400) }, /at most 16384 bytes/],
  ])('refuses %s = %j', async (field, value, why) => {
    const before = await stored();
    const answer = await post(adhesionBody({ [field]: value }));
    expectError(answer, 400);
    expect(faultyFields(answer)).toEqual([field]);
    expect(answer.body.children[field].errors[0]).toMatch(why);
    expect(await stored()).toBe(before);
  });

  test('reports all faults at once, in the form’s order', async () => {
    const answer = await post({ adhesion: {} });
    expectError(answer, 400);
    expect(Object.keys(answer.body.children)).toEqual([
      'adhesion_holder_name',
      'external_reference',
      'email',
      'description',
      'short_description',
      'cbu_number',
      'cbu_holder_name',
      'cbu_holder_id_number',
      'metadata',
    ]);
    expect(faultyFields(answer)).toEqual([
      'adhesion_holder_name',
      'email',
      'description',
      'short_description',
      'cbu_number',
      'cbu_holder_name',
      'cbu_holder_id_number',
    ]);
  });

  test('accepts an account at an unknown bank, and names the bank by its code', async () => {
    const { status, text, body } = await post(
      adhesionBody({ cbu_number: '9990001800000000012342' }),
    );
    expect(status, text).toBe(201);
    expect(body.bank).toBe('Entidad 999');
  });

  test('preserves metadata numbers beyond double precision when a mandate is signed and canceled', async () => {
    const raw = JSON.stringify(adhesionBody({ metadata: { n: 0 } })).replace(
      '{"n":0}',
      '{"z":1e400000,"a":1.1,"n":12345678901234567890}',
    );
    const { status, body } = await post(raw);
    expect(status).toBe(201);
    const canceled = await service.call('PUT', `/adhesion/${body.id}/cancel`);
    expect(canceled.body).toMatchObject({ state: 'canceled', signed_at: expect.any(String) });
    expect(canceled.text).toContain('{"z":1e400000,"a":1.1,"n":12345678901234567890}');
  });
});

describe('a card adhesion', () => {
  test('returns the card’s brand and last four digits, never its number', async () => {
    const sent = cardAdhesionBody({ metadata: { a: 1 } }).card_adhesion;
    const { status, body, text } = await postCard({ card_adhesion: sent });
    expect(status).toBe(201);
    const { card_number: _number, ...same } = sent;
    expect(body).toEqual({
      ...same,
      id: expect.any(Number),
      state: 'pending_to_sign',
      created_at: expect.any(String),
      card: 'Visa',
      last_four_digits: '4905',
    });
    expect(text).not.toContain('4507990000004905');
  });

  test.each([
    ['4507 9900-0000 4905', 'Visa', '4905'],
    ['5299910010000015', 'Mastercard', '0015'],
    ['5896570000000008', 'Cabal', '0008'],
    ['5895627823453005', 'Naranja', '3005'],
    ['373953192351004', 'American Express', '1004'],
  ])('recognizes %s as %s', async (number, brand, last) => {
    const { status, text, body } = await postCard(cardAdhesionBody({ card_number: number }));
    expect(status, text).toBe(201);
    expect(body).toMatchObject({ card: brand, last_four_digits: last });
  });

  test.each<[string, unknown, RegExp]>([
    ['card_number', '4507990000004906', /check digit is wrong/],
    ['card_number', '5895627823453004', /check digit is wrong/],
    ['card_number', '4507x90000004905', /only digits/],
    ['card_number', '45079900000', /12 to 19 digits/],
    ['card_number', '9999999999999995', /card brand/],
    ['card_number', 4_507_990_000_004_905, /Send the card number as a string/],
    ['card_number', undefined, /required/],
    ['card_holder_name', 'a'.repeat(256), /at most 255/],
    ['card_holder_name', '', /required/],
    ['adhesion_holder_name', 'a'.repeat(51), /at most 50/],
    ['external_reference', 7, /must be a string/],
    ['email', 'a@b', /e-mail address/],
    ['description', ' ', /blank/],
    ['metadata', 'x', /JSON object/],
  ])('refuses %s = %j, without revealing its number', async (field, value, why) => {
    const before = await stored();
    const answer = await postCard(cardAdhesionBody({ [field]: value }));
    expectError(answer, 400);
    expect(faultyFields(answer)).toEqual([field]);
    expect(answer.body.children[field].errors[0]).toMatch(why);
    expect(answer.text).not.toMatch(/\d{11,}/);
    expect(await stored()).toBe(before);
  });
});

describe.each([
  ['/adhesion', adhesionBody],
  ['/card-adhesion', cardAdhesionBody],
])('POST %s', (path, bodyOf) => {
  const call = (options: Parameters<TestService['call']>[2]) => service.call('POST', path, options);

  test('answers 400 without its wrapping member, or for invalid JSON', async () => {
    for (const body of ['{', '[]', '{}', '{"adhesion":3}', '{"card_adhesion":[]}', 'null']) {
      const answer = await call({ body });
      expect(answer.status, body).toBe(400);
      expect(answer.body.code).toBe(400);
    }
  });

  test('requires a key that may write, and a JSON body', async () => {
    expectError(await call({ body: bodyOf(), key: null }), 401);
    const reader = (await anotherAccount(service, ['read'])).key;
    expectError(await call({ body: bodyOf(), key: reader }), 403);
    const xml = { 'content-type': 'text/xml' };
    expectError(await call({ body: JSON.stringify(bodyOf()), headers: xml }), 415);
  });

  test('replays the first answer for a repeated key, and creates once', async () => {
    const body = bodyOf();
    const headers = { 'Idempotency-Key': `repeat ${path}` };
    const first = await call({ body, headers });
    const before = await stored();
    const again = await call({ body, headers });
    expect(again.status).toBe(201);
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(await stored()).toBe(before);
  });

  test('answers 422 for a key used with another body', async () => {
    const headers = { 'Idempotency-Key': `other ${path}` };
    await call({ body: bodyOf(), headers });
    expectError(await call({ body: bodyOf(), headers }), 422);
  });

  test('creates once for ten concurrent calls with one key', async () => {
    const body = bodyOf();
    const headers = { 'Idempotency-Key': `at once ${path}` };
    const answers = await Promise.all(Array.from({ length: 10 }, () => call({ body, headers })));
    const ids = new Set(answers.filter((one) => one.status === 201).map((one) => one.body.id));
    expect(ids.size).toBe(1);
    expect(answers.every((one) => one.status === 201 || one.status === 409)).toBe(true);
  });

  test('gives each of many concurrent mandates its own id, despite an invalid one among them', async () => {
    const bodies = [...Array.from({ length: 30 }, () => bodyOf()), bodyOf({ email: 'x' })];
    const answers = await Promise.all(bodies.map((body) => call({ body })));
    const ids = answers.filter((one) => one.status === 201).map((one) => one.body.id);
    expect(new Set(ids).size).toBe(30);
    expect(answers.at(-1)?.status).toBe(400);
  });
});
