import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../../src/platform/http/free-port.ts';
import { testOperator } from '../harness/actors.ts';
import { createCardDebit, createDebit } from '../harness/builders/debits.ts';
import { adhesionBody, cardAdhesionBody, signingUrl } from '../harness/builders/mandates.ts';
import { call, startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

const amex = '373953192351004';
const longVisa = '4507990000000000002';
const visaDebit = '4517721004856075';
const maestro = '6304000000000000';

/** Its account and data are also served with a production configuration. */
let sandbox: TestService;
beforeAll(async () => {
  sandbox = await startService(withoutWorker);
});
afterAll(() => sandbox.stop());

async function inProduction<T>(
  env: Record<string, string>,
  use: (service: TestService) => Promise<T>,
): Promise<T> {
  const port = await freePort('127.0.0.1');
  await sandbox.sql`update deployment set environment = 'production'`;
  const service = await startService({
    ...withoutWorker,
    ENVIRONMENT: 'production',
    PUBLIC_URL: 'https://pagos.example.com',
    BARCODE_CONVENTION: '5150000001',
    DATABASE_URL: sandbox.databaseUrl,
    PORT: String(port),
    ...env,
  });
  const origin = `http://127.0.0.1:${port}`;
  try {
    return await use({ ...service, origin, call: (...of) => call(origin, ...of) });
  } finally {
    await service.stop();
  }
}

const enroll = async (service: TestService, card_number: string) => {
  const body = cardAdhesionBody({ card_number });
  const answer = await service.call('POST', '/card-adhesion', { body });
  return [answer.status, answer.body.children?.card_number?.errors?.[0] ?? null];
};

describe('in production', () => {
  test('refuses a mandate without configured files, and explains it at the field', async () => {
    await inProduction({}, async (service) => {
      const bank = await service.call('POST', '/adhesion', { body: adhesionBody() });
      expect(bank.status).toBe(400);
      expect(bank.body.children.cbu_number.errors[0]).toContain('does not debit bank accounts');
      const [status, fault] = await enroll(service, '4507990000004905');
      expect([status, fault]).toEqual([400, expect.stringContaining('does not debit cards')]);
    });
  });

  test('keeps the card of a mandate if no file takes the one that replaces it', async () => {
    await inProduction({ VISA_ESTABLISHMENT: '0000004242' }, async (service) => {
      const body = cardAdhesionBody({ card_number: '4507990000004905' });
      const { id } = (await service.call('POST', '/card-adhesion', { body })).body;
      const { replace } = service.service.parts.mandates;
      const replaceBy = (number: string) =>
        replace({
          key: { accountId: testAccount, kind: 'card_adhesion', id },
          instrument: { type: 'card', number },
          actor: testOperator,
        });
      for (const card of [amex, visaDebit, longVisa]) {
        expect(await replaceBy(card)).toBe('unusable');
      }
      const shown = await service.call('GET', `/card-adhesion/${id}`);
      expect(shown.body).toMatchObject({ card: 'Visa', last_four_digits: '4905' });
      expect(await replaceBy('4258210000474094')).toBe('replaced');
    });
  });

  test('accepts only cards that the configured files support', async () => {
    await inProduction({ VISA_ESTABLISHMENT: '0000004242' }, async (service) => {
      expect(await enroll(service, '4507990000004905')).toEqual([201, null]);
      for (const card of [amex, '5299910010000015', visaDebit]) {
        const [status, fault] = await enroll(service, card);
        expect([status, fault]).toEqual([
          400,
          expect.stringMatching(/^No file .* The files carry .* debit cards: Visa\.$/),
        ]);
      }
      const [status, fault] = await enroll(service, longVisa);
      expect([status, fault]).toEqual([400, expect.stringContaining('room for 16')]);
    });
  });

  test('accepts only the exchange’s configured brands, with numbers of any length', async () => {
    await inProduction({ CARD_EXCHANGE_BRANDS: 'amex, visa' }, async (service) => {
      expect(await enroll(service, amex)).toEqual([201, null]);
      expect(await enroll(service, longVisa)).toEqual([201, null]);
      expect((await enroll(service, '5896570000000008'))[0]).toBe(400);
    });
  });

  test('refuses a debit on a mandate whose file is no longer configured', async () => {
    const env = { VISA_ESTABLISHMENT: '0000004242', DIRECT_DEBIT_SERVICE: '4242' };
    const ids = await inProduction(env, async (service) => {
      const card = await service.call('POST', '/card-adhesion', { body: cardAdhesionBody() });
      const bank = await service.call('POST', '/adhesion', { body: adhesionBody() });
      await sandbox.sql`update mandates set state = 'signed' where state = 'pending_to_sign'`;
      expect((await createCardDebit(service, card.body.id)).status).toBe(201);
      expect((await createDebit(service, bank.body.id)).status).toBe(201);
      return { card: card.body.id, bank: bank.body.id };
    });
    await inProduction({}, async (service) => {
      const card = await createCardDebit(service, ids.card);
      expect([card.status, Object.keys(card.body.children)]).toEqual([400, expect.anything()]);
      expect(card.body.children.card_adhesion_id.errors[0]).toContain('does not debit cards');
      const bank = await createDebit(service, ids.bank);
      expect(bank.body.children.adhesion_id.errors[0]).toContain('does not debit bank accounts');
    });
  });
});

test('accepts the signature of a mandate whose file is no longer configured, but refuses its debits', async () => {
  const web = { ROLES: 'payments,web' };
  const env = { ...web, DIRECT_DEBIT_SERVICE: '4242' };
  const { id, path } = await inProduction(env, async (service) => {
    const { body } = await service.call('POST', '/adhesion', { body: adhesionBody() });
    const url = signingUrl(service, 'adhesion', body.id);
    return { id: body.id, path: new URL(url).pathname };
  });
  await inProduction(web, async (service) => {
    expect((await service.call('GET', path, { key: null })).status).toBe(200);
    const signed = await service.call('POST', path, {
      key: null,
      body: 'answer=accept',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(signed.status).toBe(303);
    expect((await service.call('GET', `/adhesion/${id}`)).body.state).toBe('signed');
    const debit = await createDebit(service, id);
    expect(debit.body.children.adhesion_id.errors[0]).toContain('does not debit bank accounts');
  });
});

test('accepts cards of every brand and length in the sandbox', async () => {
  for (const card of [amex, longVisa, maestro, '5896570000000008']) {
    expect(await enroll(sandbox, card)).toEqual([201, null]);
  }
});
