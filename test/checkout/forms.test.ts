import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { texts } from '../../src/checkout/views/texts.ts';
import { buildCvu } from '../../src/kernel/cbu.ts';
import { createLog } from '../../src/platform/log.ts';
import { startService, type TestService } from '../harness/service.ts';
import {
  type Created,
  cardForm,
  create,
  debinForm,
  debitVisa,
  faultsOn,
  handedForm,
  handOver,
  isPage,
  mastercard,
  open,
  payCard,
  post,
  read,
  tablesWith,
  titleOf,
  tokenForm,
  visa,
  without,
} from './payer.ts';

let service: TestService;
let logging: TestService;
let logged = '';
let request: Created;

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  const memory = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  });
  logging = await startService(
    { DATABASE_URL: service.databaseUrl, ROLES: 'payments,web' },
    createLog('trace', memory),
  );
});
beforeEach(async () => {
  request = await create(service);
});
afterAll(async () => {
  await logging?.stop();
  await service?.stop();
});

const pay = (fields: Record<string, string>, to = request) => post(service.origin, to.path, fields);

const { faults: spanish } = texts.es;
describe('an invalid form', () => {
  const cardFaults: [string, string, string, keyof typeof spanish][] = [
    ['an e-mail without a domain', 'holder_email', 'ana@', 'email'],
    ['an e-mail with a control character', 'holder_email', 'a\u0000na@example.com', 'email'],
    ['an e-mail that the API refuses too', 'holder_email', 'a<b@x.com', 'email'],
    ['a long e-mail', 'holder_email', `${'a'.repeat(251)}@b.ar`, 'email'],
    ['a missing plan', 'installments', '', 'required'],
    ['a count without a plan', 'installments', '39:5', 'installments'],
    ['a plan of another brand', 'installments', '41:3', 'installments'],
    ['a malformed plan', 'installments', 'muchas', 'installments'],
  ];
  test.each(cardFaults)('reports %s next to %s', async (_what, field, value, fault) => {
    const answer = await pay({ ...tokenForm, [field]: value });
    expect(answer.status).toBe(400);
    isPage(answer);
    expect(faultsOn(answer.html)).toEqual({ [field]: spanish[fault] });
    expect(titleOf(answer.html)).toBe('Pagar a Cooperativa de Demostración');
  });

  test('requires no choice of installments for a card with one plan', async () => {
    const id = await create(service, { excluded_installments: [3, 6, 9, 12, 18, 24] });
    const form = await handedForm(service.origin, id.path);
    const page = await (await fetch(`${service.origin}${id.path}`)).text();
    expect(page).toContain('name="installments"');
    const { status } = await pay({ ...tokenForm, ...form, installments: '' }, id);
    expect(status).toBe(303);
  });

  test.each([
    ['a missing token', { token: '' }, 'required'],
    ['a brand without plans', { brand: 'diners' }, 'card_not_accepted'],
    ['a debit card', { bin: '451772' }, 'card_is_debit'],
  ] as const)('reports %s at the card number', async (_what, change, fault) => {
    const answer = await pay({ ...tokenForm, ...change, installments: '39:1' });
    expect([answer.status, faultsOn(answer.html).card_number]).toEqual([400, spanish[fault]]);
  });

  test.each([
    ['a missing account', 'account', '', 'required'],
    ['an alias of 5 characters', 'account', 'corto', 'account'],
    ['an alias of 21 characters', 'account', 'a'.repeat(21), 'account'],
    ['an alias with an underscore', 'account', 'mi_alias_banco', 'account'],
    ['a CBU with a wrong digit', 'account', '0070999000000123456785', 'account'],
    ['too few digits', 'account', '123456789012', 'account'],
    ['a missing CUIT', 'holder_cuit', '', 'required'],
    ['a CUIT with a wrong digit', 'holder_cuit', '20-12345678-7', 'cuit'],
    ['a DNI', 'holder_cuit', '12345678', 'cuit'],
  ] as const)('reports for a DEBIN: %s', async (_what, field, value, fault) => {
    const { status, html } = await pay({ ...debinForm, [field]: value });
    expect(status).toBe(400);
    expect(faultsOn(html)).toEqual({ [field]: spanish[fault] });
  });

  test.each(['0070999000000123456784', '00709990 00000123456784', 'mi.alias', buildCvu('9991', 7)])(
    'orders a DEBIN for the account %s',
    async (account) => {
      const { status } = await pay({ ...debinForm, account }, await create(service));
      expect(status).toBe(303);
    },
  );

  test('reports all faults at once, keeps values, and asks again only for a wrong card', async () => {
    const { html } = await pay({ ...tokenForm, holder_email: 'no"<b>', installments: '39:5' });
    expect(Object.keys(faultsOn(html))).toEqual(['installments', 'holder_email']);
    expect(html).toContain('value="no&quot;&lt;b>"');
    expect(html).toContain(`value="${tokenForm.token}"`);
    expect(html).toContain('class="handed">Visa terminada en 4905');
    const other = await pay({ ...tokenForm, bin: '451772' });
    expect(other.html).not.toContain('class="handed"');
  });

  test('treats a field sent twice as missing, and ignores unknown fields', async () => {
    const twice = new URLSearchParams([...Object.entries(tokenForm), ['installments', '39:1']]);
    const answer = await post(service.origin, request.path, twice.toString());
    expect(faultsOn(answer.html)).toEqual({ installments: spanish.required });
    const odd = { ...without('installments'), __proto__x: '1', constructor: 'x', toString: 'y' };
    expect(faultsOn((await pay(odd)).html)).toEqual({ installments: spanish.required });
  });

  test('does not require an e-mail', async () => {
    const paid = await create(service);
    const form = await handedForm(service.origin, paid.path);
    expect((await pay({ ...form, holder_email: '' }, paid)).status).toBe(303);
    const { holder_data } = await read(service, paid);
    expect(holder_data).toEqual({ holder_name: 'Ana Pérez', holder_email: '' });
  });
});

describe('a card number', () => {
  test.each([
    ['a card number in a field of its own', { card_number: visa }],
    ['a card number as the token', { token: visa }],
    [
      'a card number as the account of a DEBIN',
      { channel: 'DEBIN', account: '4507 9900 0000 4905' },
    ],
    ['a card number in the e-mail', { holder_email: `${visa}@example.com` }],
    ['a security code', { cvv: '123' }],
  ] as const)('refuses %s in every form, and never stores it', async (_what, change) => {
    for (const end of ['', '/check', '/language', '/simulate']) {
      const path = request.path + end;
      const answer = await post(service.origin, path, { ...tokenForm, ...change });
      expect([end, answer.status]).toEqual([end, 400]);
      expect(answer.html).not.toContain(visa);
    }
    const query = new URLSearchParams({ ...tokenForm, ...change });
    expect((await open(service.origin, `${request.path}?${query}`)).status).toBe(400);
    expect(await tablesWith(service, visa)).toEqual([]);
  });

  test('accepts a CBU whose digits contain a likely card number', async () => {
    const account = '0070999000000123456784';
    const { status } = await pay({ ...debinForm, account }, await create(service));
    expect(status).toBe(303);
  });
});

describe('options of the request', () => {
  test('excludes a channel from the page and from hand-crafted forms', async () => {
    const all = ['credit_card', 'debit_card', 'DEBIN', 'qr', 'wire_transfer', 'banelco_pmc'];
    for (const channel of [...all, 'link_pagos', 'non_banking']) {
      const excluded = await create(service, { excluded_channels: [channel] });
      const { html } = await open(service.origin, excluded.path);
      expect(html).not.toContain(`id="channel-${channel}"`);
      expect(html.match(/id="channel-/g)).toHaveLength(7);
      for (const path of [excluded.path, `${excluded.path}/simulate`]) {
        const form = channel === 'DEBIN' ? debinForm : tokenForm;
        const answer = await post(service.origin, path, { ...form, channel });
        expect(answer.status).toBe(409);
        isPage(answer);
      }
      const { state, request_result } = await read(service, excluded);
      expect([state, request_result]).toEqual(['pending', []]);
    }
  });

  test('excludes brands and installments for credit cards, but not for debit cards', async () => {
    const some = await create(service, {
      excluded_card_brands: ['41'],
      excluded_installments: [3, 6],
    });
    const { html } = await open(service.origin, some.path);
    expect(html).not.toContain('Mastercard"');
    expect(html).toContain('value="39:9"');
    expect(html).not.toMatch(/value="\d+:[36]"/);
    const byMastercard = { ...cardForm, number: mastercard, installments: '41:1' };
    const brand = await payCard(service.origin, some.path, byMastercard);
    expect(brand.status).toBe(400);
    expect(faultsOn(brand.html).card_number).toBe(spanish.card_not_accepted);
    const count = await pay({ ...tokenForm, installments: '39:3' }, some);
    expect(faultsOn(count.html)).toEqual({ installments: spanish.installments });
    // The exclusions apply to credit cards only.
    const debit = { ...cardForm, channel: 'debit_card', number: mastercard };
    expect((await payCard(service.origin, some.path, debit)).status).toBe(303);
  });

  test('hides credit cards if every plan is excluded', async () => {
    const none = await create(service, { excluded_installments: [1, 3, 6, 9, 12] });
    const { html } = await open(service.origin, none.path);
    expect(html).not.toContain('id="channel-credit_card"');
    expect((await pay(tokenForm, none)).status).toBe(409);
  });

  test('refuses to simulate a payment on channels with a form of their own', async () => {
    for (const channel of ['credit_card', 'debit_card', 'DEBIN']) {
      const { status } = await post(service.origin, `${request.path}/simulate`, { channel });
      expect(status).toBe(409);
    }
    expect((await read(service, request)).state).toBe('pending');
  });
});

test('charges for one of several concurrent forms, and shows the request’s state to the others', async () => {
  for (let round = 0; round < 25; round += 1) {
    const one = await create(service);
    const forms = await Promise.all(
      Array.from({ length: 5 }, () => handedForm(service.origin, one.path)),
    );
    const answers = await Promise.all(
      forms.map((form, turn) =>
        post(turn % 2 === 0 ? service.origin : logging.origin, one.path, form),
      ),
    );
    const paid = answers.filter(({ status }) => status === 303);
    expect(paid).toHaveLength(1);
    for (const { status, html } of answers.filter((answer) => !paid.includes(answer))) {
      expect(status).toBe(409);
      expect(['Este cobro ya está pagado', 'Estamos confirmando tu pago']).toContain(titleOf(html));
    }
    expect((await read(service, one)).request_result).toHaveLength(1);
  }
});

test('stores no card number, code or expiry, and logs no card number, e-mail or link', async () => {
  const number = '4123450131003312';
  const made = await create(service);
  const { origin } = logging;
  const card = { ...cardForm, number, installments: '39:3' };
  expect((await handOver(origin, made.path, { ...card, code: '9' })).status).toBe(400);
  await post(origin, made.path, { ...tokenForm, card_number: number });
  await post(origin, made.path, { ...tokenForm, channel: number });
  await post(origin, made.path, JSON.stringify({ number }), { 'content-type': 'text/x' });
  expect((await payCard(origin, made.path, card)).status).toBe(303);
  await payCard(origin, made.path, { ...cardForm, number: debitVisa, channel: 'debit_card' });
  await open(origin, `${made.path}/receipt`);
  expect(logged).toContain('"/checkout/:token"');
  expect(logged).toContain('"/simulator/frame"');
  for (const secret of [number, debitVisa, visa, made.token, 'ana@example.com']) {
    expect(logged).not.toContain(secret);
  }
  expect(await tablesWith(service, number)).toEqual([]);
  const [result] = (await read(service, made)).request_result;
  expect(result.payment_metadata).toMatchObject({ card_last_four_digits: '3312', installments: 3 });
  const { sql } = service;
  const stored = await sql`select details::text from attempts where request_id = ${made.id}`;
  expect(JSON.stringify(stored)).not.toMatch(/cvv|security|expir|sim\.visa/i);
});
