import { Writable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { texts } from '../../src/checkout/views/texts.ts';
import { buildCvu } from '../../src/kernel/cbu.ts';
import { createLog } from '../../src/platform/log.ts';
import { startService, type TestService } from '../harness/service.ts';
import {
  amex,
  type Created,
  cardForm,
  create,
  debinForm,
  debitVisa,
  faultsOn,
  isPage,
  mastercard,
  open,
  post,
  read,
  tablesWith,
  titleOf,
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
describe('a form that cannot be accepted', () => {
  const cardFaults: [string, string, string, keyof typeof spanish][] = [
    ['no number', 'card_number', '', 'required'],
    ['a wrong check digit', 'card_number', '4507990000004900', 'card_number'],
    ['letters for a number', 'card_number', 'no tengo', 'card_number'],
    ['a number of 5,000 digits', 'card_number', '4'.repeat(5_000), 'card_number'],
    ['a brand without plans', 'card_number', '30569309025904', 'card_not_accepted'],
    ['a blank name', 'card_holder_name', ' \t ', 'required'],
    ['a name of 256 letters', 'card_holder_name', 'ñ'.repeat(256), 'too_long'],
    ['a control character', 'card_holder_name', 'Ana\u0000Pérez', 'characters'],
    ['no expiry', 'expiry', '', 'required'],
    ['month 13', 'expiry', '13/30', 'expiry'],
    ['month 0', 'expiry', '00/30', 'expiry'],
    ['a full date', 'expiry', '01/08/2030', 'expiry'],
    ['three digits', 'expiry', '830', 'expiry'],
    ['five digits', 'expiry', '08203', 'expiry'],
    ['month 13 without a slash', 'expiry', '1330', 'expiry'],
    ['last month', 'expiry', '10/26', 'expired_card'],
    ['a long past year', 'expiry', '12/2020', 'expired_card'],
    ['no code', 'cvv', '', 'required'],
    ['2 digits', 'cvv', '12', 'cvv'],
    ['4 digits for Visa', 'cvv', '1234', 'cvv'],
    ['letters for a code', 'cvv', 'abc', 'cvv'],
    ['an e-mail without a domain', 'holder_email', 'ana@', 'email'],
    ['an e-mail with a control character', 'holder_email', 'a\u0000na@example.com', 'email'],
    ['an e-mail that the API refuses too', 'holder_email', 'a<b@x.com', 'email'],
    ['a long e-mail', 'holder_email', `${'a'.repeat(251)}@b.ar`, 'email'],
    ['no plan', 'installments', '', 'required'],
    ['no plan of that count', 'installments', '39:5', 'installments'],
    ['a plan of another brand', 'installments', '41:3', 'installments'],
    ['a plan that is none', 'installments', 'muchas', 'installments'],
  ];
  test.each(cardFaults)('%s is told beside %s', async (_what, field, value, fault) => {
    const answer = await pay({ ...cardForm, [field]: value });
    expect(answer.status).toBe(400);
    isPage(answer);
    expect(faultsOn(answer.html)).toEqual({ [field]: spanish[fault] });
    expect(titleOf(answer.html)).toBe('Pagar a Cooperativa de Demostración');
  });

  test.each(['0830', '08/30', '8/30', '08/2030', '082030', '08 / 30', '08-30', ' 08.30 '])(
    'an expiry written %s is one',
    async (expiry) => {
      const answer = await post(service.origin, `${request.path}/check`, { ...cardForm, expiry });
      expect(answer.status).toBe(204);
    },
  );

  test('an American Express has a code of 4 digits, not 3', async () => {
    const fields = { ...cardForm, card_number: amex, installments: '43:1' };
    expect(faultsOn((await pay({ ...fields, cvv: '123' })).html)).toEqual({ cvv: spanish.cvv });
    const { status, headers } = await pay({ ...fields, cvv: '1234' }, await create(service));
    expect([status, headers.get('location')?.endsWith('/receipt')]).toEqual([303, true]);
  });

  test.each([
    ['no account', 'account', '', 'required'],
    ['an alias of 5 characters', 'account', 'corto', 'account'],
    ['an alias of 21 characters', 'account', 'a'.repeat(21), 'account'],
    ['an alias with an underscore', 'account', 'mi_alias_banco', 'account'],
    ['a CBU with a wrong digit', 'account', '0070999000000123456785', 'account'],
    ['too few digits', 'account', '123456789012', 'account'],
    ['no CUIT', 'holder_cuit', '', 'required'],
    ['a CUIT with a wrong digit', 'holder_cuit', '20-12345678-7', 'cuit'],
    ['a DNI', 'holder_cuit', '12345678', 'cuit'],
  ] as const)('of a DEBIN: %s', async (_what, field, value, fault) => {
    const { status, html } = await pay({ ...debinForm, [field]: value });
    expect(status).toBe(400);
    expect(faultsOn(html)).toEqual({ [field]: spanish[fault] });
  });

  test.each(['0070999000000123456784', '00709990 00000123456784', 'mi.alias', buildCvu('9991', 7)])(
    'a DEBIN of the account %s is asked for',
    async (account) => {
      const { status } = await pay({ ...debinForm, account }, await create(service));
      expect(status).toBe(303);
    },
  );

  test('all faults come at once, values are kept, number and code never come back', async () => {
    const { html } = await pay({
      ...cardForm,
      card_number: '4507990000004914',
      cvv: '98',
      expiry: '1/2',
      holder_email: 'no"<b>',
      installments: '39:3',
    });
    expect(Object.keys(faultsOn(html))).toEqual(['card_number', 'expiry', 'cvv', 'holder_email']);
    expect(html).toContain('value="Ana Pérez"');
    expect(html).toContain('value="no&quot;&lt;b>"');
    expect(html).not.toContain('4507990000004914');
    expect(html).not.toMatch(/value="98"/);
  });

  test('a name sent twice counts as not sent, and a form may hold anything else', async () => {
    const twice = new URLSearchParams([...Object.entries(cardForm), ['cvv', '123']]);
    const answer = await post(service.origin, request.path, twice.toString());
    expect(faultsOn(answer.html)).toEqual({ cvv: spanish.required });
    const odd = { ...without('cvv'), __proto__x: '1', constructor: 'x', toString: 'y' };
    expect(faultsOn((await pay(odd)).html)).toEqual({ cvv: spanish.required });
  });

  test('while the number is at fault, nothing is said that depends on its brand', async () => {
    const form = {
      ...cardForm,
      card_number: '4507990000004914',
      cvv: '1234',
      installments: '43:3',
    };
    expect(faultsOn((await pay(form)).html)).toEqual({ card_number: spanish.card_number });
    const two = await pay({ ...form, cvv: '12345', installments: '' });
    expect(Object.keys(faultsOn(two.html))).toEqual(['card_number', 'cvv', 'installments']);
  });

  test('the e-mail may be left out; a card is good until its month ends', async () => {
    const paid = await create(service);
    const form = { ...without('holder_email'), expiry: ' 11/2026 ' };
    expect((await pay(form, paid)).status).toBe(303);
    const { holder_data } = await read(service, paid);
    expect(holder_data).toEqual({ holder_name: 'Ana Pérez' });
  });
});

describe('what the request leaves out', () => {
  test('is absent from the page and refused when it is posted by hand', async () => {
    const all = ['credit_card', 'debit_card', 'DEBIN', 'qr', 'wire_transfer', 'banelco_pmc'];
    for (const channel of [...all, 'link_pagos', 'non_banking']) {
      const excluded = await create(service, { excluded_channels: [channel] });
      const { html } = await open(service.origin, excluded.path);
      expect(html).not.toContain(`id="channel-${channel}"`);
      expect(html.match(/id="channel-/g)).toHaveLength(7);
      for (const path of [excluded.path, `${excluded.path}/simulate`]) {
        const form = channel === 'DEBIN' ? debinForm : cardForm;
        const answer = await post(service.origin, path, { ...form, channel });
        expect(answer.status).toBe(409);
        isPage(answer);
      }
      const { state, request_result } = await read(service, excluded);
      expect([state, request_result]).toEqual(['pending', []]);
    }
  });

  test('brands and installments too', async () => {
    const some = await create(service, {
      excluded_card_brands: ['41'],
      excluded_installments: [3, 6],
    });
    const { html } = await open(service.origin, some.path);
    expect(html).not.toContain('Mastercard"');
    expect(html).toContain('value="39:9"');
    expect(html).not.toMatch(/value="\d+:[36]"/);
    const brand = await pay({ ...cardForm, card_number: mastercard, installments: '41:1' }, some);
    expect(brand.status).toBe(400);
    expect(faultsOn(brand.html).card_number).toBe(spanish.card_not_accepted);
    const count = await pay({ ...cardForm, installments: '39:3' }, some);
    expect(faultsOn(count.html)).toEqual({ installments: spanish.installments });
    // The exclusions are of credit cards only.
    const debit = { ...cardForm, channel: 'debit_card', card_number: mastercard };
    expect((await pay(debit, some)).status).toBe(303);
  });

  test('without any plan left there is no credit card', async () => {
    const none = await create(service, { excluded_installments: [1, 3, 6, 9, 12] });
    const { html } = await open(service.origin, none.path);
    expect(html).not.toContain('id="channel-credit_card"');
    expect((await pay(cardForm, none)).status).toBe(409);
  });

  test('channels that charge are not simulated: their forms must be filled', async () => {
    for (const channel of ['credit_card', 'debit_card', 'DEBIN']) {
      const { status } = await post(service.origin, `${request.path}/simulate`, { channel });
      expect(status).toBe(409);
    }
    expect((await read(service, request)).state).toBe('pending');
  });
});

test('of forms that arrive at once one pays, the others see what became of the request', async () => {
  for (let round = 0; round < 25; round += 1) {
    const one = await create(service);
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_none, turn) =>
        post(turn % 2 === 0 ? service.origin : logging.origin, one.path, cardForm),
      ),
    );
    const paid = answers.filter(({ status }) => status === 303);
    expect(paid).toHaveLength(1);
    for (const { status, html } of answers.filter((answer) => !paid.includes(answer))) {
      expect(status).toBe(409);
      expect(['Este pedido ya está pagado', 'Estamos confirmando tu pago']).toContain(
        titleOf(html),
      );
    }
    expect((await read(service, one)).request_result).toHaveLength(1);
  }
});

test('no card number, code or address of a payer reaches a log, an event, an attempt or a table', async () => {
  const number = '4123450131003312';
  const made = await create(service);
  const to = (fields: Record<string, string>, path = made.path) =>
    post(logging.origin, path, fields);
  await to({ ...cardForm, card_number: number, cvv: '9' });
  await to({ ...cardForm, card_number: number, channel: number });
  await post(logging.origin, made.path, JSON.stringify({ number }), { 'content-type': 'text/x' });
  const paid = await to({ ...cardForm, card_number: number, installments: '39:3' });
  expect(paid.status).toBe(303);
  await to({ ...cardForm, card_number: debitVisa, channel: 'debit_card' });
  await open(logging.origin, `${made.path}/receipt`);
  expect(logged).toContain('"/checkout/:token"');
  for (const secret of [number, debitVisa, visa, made.token, 'ana@example.com']) {
    expect(logged).not.toContain(secret);
  }
  expect(await tablesWith(service, number)).toEqual([]);
  const [result] = (await read(service, made)).request_result;
  expect(result.payment_metadata).toMatchObject({ card_last_four_digits: '3312', installments: 3 });
  const { sql } = service;
  const stored = await sql`select details::text from attempts where request_id = ${made.id}`;
  expect(JSON.stringify(stored)).not.toMatch(/cvv|security|expir/i);
});
