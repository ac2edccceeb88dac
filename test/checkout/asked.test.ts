import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Played, playConnector } from '../connectors/played.ts';
import { startService, type TestService } from '../harness/service.ts';
import { type FrameServer, serveFrames } from './card-frame.ts';
import { create, open, post, read, without } from './payer.ts';

/** Tests an acquirer's extra questions to payers, and a wallet's name on its button. */
let frames: FrameServer;
let acquirer: Played;
let service: TestService;
beforeAll(async () => {
  frames = await serveFrames();
  const { origin } = frames;
  acquirer = await playConnector('acquirer', [
    {
      channel: 'credit_card',
      browser: { kind: 'frame', url: `${origin}/card`, origin },
      // Words of later protocol versions are ignored.
      asks: ['id_number', 'phone', 'address', 'birthday'],
    },
    {
      channel: 'debit_card',
      browser: { kind: 'redirect', label: 'Pagar con <Billetera>' },
      asks: ['phone'],
    },
    { channel: 'DEBIN', asks: ['id_number', 'phone'] },
  ]);
  service = await startService({
    ROLES: 'payments,web',
    LINK_RATE: '0',
    STRANGER_RATE: '0',
    CONNECTORS: JSON.stringify([acquirer.configured()]),
  });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([acquirer.stop(), frames.stop()]);
});
beforeEach(() => {
  acquirer.calls.length = 0;
});

const facts = {
  payer_id_number: '20-12345678-6',
  payer_phone: '+54 9 11 6091-3988',
  payer_street: 'Cerrito 740',
  payer_city: 'Buenos Aires',
  payer_postal_code: 'c1010aap',
  payer_province: 'C',
};
const cardForm = {
  channel: 'credit_card',
  connector: 'acquirer',
  token: 'tok_by_hand',
  brand: 'visa',
  bin: '450799',
  last_four: '4905',
  card_holder_name: 'Ana Pérez',
  installments: '39:1',
  holder_email: '',
  ...facts,
};
const fieldsOn = (html: string): string[] =>
  [...html.matchAll(/name="(payer_[a-z_]+)"/g)].map(([, name = '']) => name);
const faultsOn = (html: string): string[] =>
  [...html.matchAll(/id="[a-z_]+-(payer_[a-z_]+)-fault"/g)].map(([, name = '']) => name);
const payerSent = () => acquirer.calls[0]?.body.payer;

describe('extra fields of a payer', () => {
  test('asks in each form only for the manifest’s fields that the form lacks', async () => {
    const { html } = await open(service.origin, (await create(service)).path);
    const [credit = '', debit = '', debin = ''] = ['credit_card', 'debit_card', 'DEBIN'].map(
      (code) => html.split(`name="channel" value="${code}"`)[1]?.split('</form>')[0],
    );
    expect(fieldsOn(credit)).toEqual(Object.keys(facts));
    expect(fieldsOn(debit)).toEqual(['payer_phone']);
    // The account holder's number is part of the form anyway.
    expect(fieldsOn(debin)).toEqual(['payer_phone']);
  });

  test('sends the payer’s data with the charge, in normalized formats', async () => {
    const { path } = await create(service);
    expect((await post(service.origin, path, cardForm)).status).toBe(303);
    expect(payerSent()).toMatchObject({
      id_number: '20123456786',
      phone: '+541160913988',
      address: {
        street: 'Cerrito 740',
        city: 'Buenos Aires',
        postal_code: 'C1010AAP',
        province: 'C',
      },
    });
  });

  test('sends the CUIT from a DEBIN’s form as the payer’s id number', async () => {
    const { path } = await create(service);
    const form = { channel: 'DEBIN', account: 'mi.alias.banco', holder_cuit: '20-12345678-6' };
    await post(service.origin, path, { ...form, payer_phone: '011 6091 3988' });
    expect(payerSent()).toMatchObject({ id_number: '20123456786', phone: '+541160913988' });
  });

  test('requires all extra fields', async () => {
    for (const name of Object.keys(facts)) {
      const { path } = await create(service);
      const { html } = await post(service.origin, path, without(name, cardForm));
      expect(faultsOn(html)).toEqual([name]);
    }
    expect(acquirer.calls).toEqual([]);
  });

  test.each([
    ['payer_id_number', '20-12345678-7'],
    ['payer_id_number', '123456'],
    ['payer_phone', '5555 4444'],
    ['payer_phone', '+56 9 6123 4567 8'],
    ['payer_street', 'a'.repeat(101)],
    ['payer_city', 'a\u0000b'],
    ['payer_postal_code', '101'],
    ['payer_province', 'I'],
  ])('reports a wrong %s: %s', async (name, value) => {
    const { path } = await create(service);
    const { html } = await post(service.origin, path, { ...cardForm, [name]: value });
    expect(faultsOn(html)).toEqual([name]);
    expect(acquirer.calls).toEqual([]);
  });

  test('does not store a payer’s extra fields', async () => {
    const made = await create(service);
    await post(service.origin, made.path, cardForm);
    expect(JSON.stringify(await read(service, made))).not.toContain('Cerrito');
    const rows = await service.sql<{ text: string }[]>`
      select details::text as text from attempts union all select details::text from results
      union all select data::text from events union all select details::text from requests`;
    const all = rows.map(({ text }) => text).join('\n');
    for (const trace of ['Cerrito', '60913988', '12345678']) expect(all).not.toContain(trace);
  });

  // Both have a valid check digit of a card number.
  test.each(['5491155550003', '0054 9 11 5555-0003'])(
    'accepts a mobile number that resembles a card number: %s',
    async (payer_phone) => {
      const { path } = await create(service);
      const form = { ...cardForm, payer_phone };
      expect((await post(service.origin, path, form)).status).toBe(303);
      expect(payerSent()).toMatchObject({ phone: '+541155550003' });
    },
  );

  test('names the allowed characters if a field has a control character', async () => {
    const { path } = await create(service);
    const { html } = await post(service.origin, path, { ...cardForm, payer_city: 'a\u0000b' });
    expect(html).toContain('letras, números y signos comunes');
  });
});

describe('a wallet', () => {
  test('shows the wallet’s name on the button', async () => {
    const { html } = await open(service.origin, (await create(service)).path);
    expect(html).toContain('Pagar con &lt;Billetera></button>');
  });
});
