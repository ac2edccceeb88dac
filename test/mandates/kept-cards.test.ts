import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { visa } from '../checkout/payer.ts';
import { type Keeper, openKeeper } from '../connectors/keeper.ts';
import { approvedAs, type Played } from '../connectors/played.ts';
import { launchBrowser } from '../harness/browser.ts';
import { createCardDebit, handOver } from '../harness/builders/debits.ts';
import { keptCard, keptCardBody, signingUrl, signKeptCard } from '../harness/builders/mandates.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, withoutWorker } from '../scenarios/play.ts';

/**
 * Covers mandates whose holder gives the card to a connector, so that the service never receives a
 * number.
 */
let keeper: Keeper;
let acquirer: Played;
let plays: Played['plays'];
let service: TestService;
let player: Player;
let browser: Browser;
beforeAll(async () => {
  keeper = await openKeeper();
  ({ acquirer, plays, service, player } = keeper);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await keeper?.stop();
});
beforeEach(() => keeper.reset());
afterEach(async () => expect(await auditAccount(service.sql, testAccount)).toEqual([]));

const create = async (): Promise<number> => {
  const { status, body, text } = await service.call('POST', '/card-adhesion', {
    body: keptCardBody(),
  });
  expect(status, text).toBe(201);
  return body.id;
};
const read = async (id: number) => (await service.call('GET', `/card-adhesion/${id}`)).body;
const sign = (id: number, fields: Record<string, string> = keptCard) =>
  signKeptCard(signingUrl(service, 'card_adhesion', id), fields);
const signed = async (): Promise<number> => {
  const id = await create();
  await sign(id);
  expect((await read(id)).state).toBe('signed');
  return id;
};
const cards = (method = 'PUT') =>
  acquirer.calls.filter((call) => call.path.startsWith('/cards/') && call.method === method);
const charges = () =>
  acquirer.calls.filter((call) => call.method === 'PUT' && /^\/charges\/[^/]+$/.test(call.path));

describe('a mandate without a number', () => {
  test('creates a mandate without a card or a signature if a connector stores cards', async () => {
    const id = await create();
    const body = await read(id);
    expect(body).toMatchObject({ state: 'pending_to_sign', card_holder_name: 'ANA M PEREZ' });
    expect([body.card, body.last_four_digits]).toEqual([undefined, undefined]);
    await player.move({ minutes: 1 });
    expect((await read(id)).state).toBe('pending_to_sign');
    const answer = await createCardDebit(service, id);
    expect(answer.status).toBe(409);
  });

  test('refuses a mandate without a card number if no connector stores cards', async () => {
    const alone = await startService(withoutWorker);
    const { status, body } = await alone.call('POST', '/card-adhesion', { body: keptCardBody() });
    await alone.stop();
    expect([status, body.children.card_number.errors]).toEqual([
      400,
      ['This field is required: no connector of this deployment stores cards at the moment.'],
    ]);
  });
});

describe('the holder of a mandate without a number', () => {
  test.each([
    ['light', 360],
    ['dark', 1280],
  ] as const)(
    'lets the holder sign with a card typed into the frame: %s, %i px',
    async (colorScheme, width) => {
      const id = await create();
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
      await page.goto(signingUrl(service, 'card_adhesion', id));
      const frame = page.locator('iframe').contentFrame();
      await frame.locator('#number').fill(visa);
      await frame.locator('#name').fill('Ana Pérez');
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBeLessThanOrEqual(0);
      if (process.env.PICTURES) {
        await page.screenshot({
          path: `${process.env.PICTURES}/sign-${width}-${colorScheme}.png`,
          fullPage: true,
        });
      }
      await page.locator('form[data-card] button').click();
      await expect.poll(async () => (await read(id)).state).toBe('signed');
      await page.close();
      expect(await read(id)).toMatchObject({ card: 'Visa', last_four_digits: '4905' });
      const [kept] = cards();
      expect(kept?.body).toMatchObject({
        channel: 'credit_card',
        brand: 'visa',
        last_four: '4905',
      });
      const [row] = await service.sql<{ text: string }[]>`
      select evidence::text || details::text as text from mandates
      where kind = 'card_adhesion' and id = ${id}`;
      expect([row?.text.includes('Visa •••• 4905'), row?.text.includes(visa)]).toEqual([
        true,
        false,
      ]);
    },
  );

  test('shows the refusal of a card, and stores the next attempt under another id', async () => {
    const id = await create();
    acquirer.plays.card = () => ({
      json: { outcome: 'rejected', code: '14', text: 'No.', retry: 'other_instrument' },
    });
    await sign(id);
    const page = await (await fetch(signingUrl(service, 'card_adhesion', id))).text();
    expect(page.includes('no se pudo guardar')).toBe(true);
    acquirer.plays.card = plays.card;
    await sign(id);
    expect((await read(id)).state).toBe('signed');
    expect(new Set(cards().map(({ path }) => path)).size).toBe(2);
  });

  test('waits while the card’s storage is unconfirmed, and signs once it is confirmed', async () => {
    const id = await create();
    acquirer.plays.card = () => (response) => response.destroy();
    await sign(id);
    const page = await fetch(signingUrl(service, 'card_adhesion', id));
    expect([page.headers.has('refresh'), (await page.text()).includes('guardando')]).toEqual([
      true,
      true,
    ]);
    // A second press in the meantime sends nothing.
    await sign(id);
    expect(cards()).toHaveLength(1);
    acquirer.plays.card = () => plays.card(cards()[0] as never);
    await player.move({ minutes: 3 });
    expect([(await read(id)).state, cards().length]).toEqual(['signed', 1]);
  });

  test('stores one card when the form is sent several times at once', async () => {
    const id = await create();
    await Promise.all([sign(id), sign(id), sign(id)]);
    expect([(await read(id)).state, cards().length]).toEqual(['signed', 1]);
  });

  test.each([
    ['the number of a card', { ...keptCard, token: visa }],
    ['no token', { ...keptCard, token: '' }],
    ['an unknown connector', { ...keptCard, connector: 'other' }],
  ])('does not sign a mandate from a form with %s', async (_what, fields) => {
    const id = await create();
    await sign(id, fields);
    expect([(await read(id)).state, cards()]).toEqual(['pending_to_sign', []]);
  });
});

describe('a debit on a stored card', () => {
  const debitOn = async (mandate: number): Promise<number> => {
    const { status, body, text } = await createCardDebit(service, mandate);
    expect(status, text).toBe(201);
    return body.id;
  };
  const debit = async (id: number) => (await service.call('GET', `/card-debit-request/${id}`)).body;
  const runDay = async (id: number, time = '12:00') => {
    await handOver(service, id);
    const [row] = await service.sql<{ run_on: Temporal.PlainDate }[]>`
      select run_on from debit_runs where request_id = ${id}`;
    await player.move({ advance_to: `${row?.run_on}T${time}:00-03:00` });
  };

  test('charges a debit on its day through the connector, and refunds it there', async () => {
    const id = await debitOn(await signed());
    await handOver(service, id);
    await runDay(id);
    const [charge] = charges();
    expect(charge?.body).toMatchObject({
      channel: 'credit_card',
      amount: 143050,
      instrument: {
        type: 'kept_card',
        brand: 'visa',
        last_four: '4905',
        reference: expect.stringMatching(/^kept-/),
      },
    });
    const { state, request_result } = await debit(id);
    expect([state, request_result.length, request_result[0].channel]).toEqual(['paid', 1, 'Visa']);
    const back = await service.call('POST', `/card-debit-request/${id}/refund`, {
      body: { refund: { amount: 30.5 } },
    });
    expect([back.status, back.body.state]).toEqual([201, 'done']);
    await player.move({ days: 2 });
    expect(charges()).toHaveLength(1);
  });

  test('rejects a refused debit with the issuer’s text', async () => {
    const id = await debitOn(await signed());
    acquirer.plays.charge = () => ({
      json: { outcome: 'rejected', code: '51', text: 'Sin fondos', retry: 'same_later' },
    });
    await runDay(id);
    expect(await debit(id)).toMatchObject({ state: 'rejected', state_comment: 'Sin fondos' });
  });

  test('queries a debit after a lost answer, and never charges it again', async () => {
    const id = await debitOn(await signed());
    acquirer.plays.charge = () => (response) => response.destroy();
    acquirer.plays.inquiry = ({ attempt }) => approvedAs(`ref-${attempt}`, 143050);
    await runDay(id);
    await player.move({ hours: 1 });
    expect([(await debit(id)).state, charges().length]).toEqual(['paid', 1]);
  });

  test('charges a debit later under a new attempt id if it could not be sent', async () => {
    const id = await debitOn(await signed());
    acquirer.plays.charge = () => ({ json: { outcome: 'unheard', alarm: 'no key' } });
    // The second order, which follows, is its last.
    await runDay(id, '00:01');
    expect((await debit(id)).state).toBe('in_process');
    acquirer.plays.charge = plays.charge;
    await player.move({ hours: 3 });
    expect((await debit(id)).state).toBe('paid');
    expect(new Set(charges().map(({ attempt }) => attempt)).size).toBe(charges().length);
  });

  test('leaves the debit out of files and of simulated answers', async () => {
    const id = await debitOn(await signed());
    acquirer.plays.charge = () => ({ json: { outcome: 'pending', ask_after_s: 86_400 } });
    acquirer.plays.inquiry = () => ({ json: { outcome: 'pending', ask_after_s: 86_400 } });
    await runDay(id);
    const [row] = await service.sql<{ charged: boolean; file_id: number | null }[]>`
      select charged, file_id from debit_runs where request_id = ${id}`;
    expect([row, (await debit(id)).state]).toEqual([
      { charged: true, file_id: null },
      'in_process',
    ]);
  });
});

describe('the end of a mandate with a stored card', () => {
  const cancel = (id: number) => service.call('PUT', `/card-adhesion/${id}/cancel`, { body: {} });
  const forgotten = () => acquirer.calls.filter(({ path }) => path.endsWith('/forget'));

  test('asks the connector to delete an ended mandate’s card until it confirms', async () => {
    const id = await signed();
    acquirer.plays.card = () => ({ status: 500, json: { message: 'no' } });
    await cancel(id);
    await player.move({ minutes: 1 });
    acquirer.plays.card = plays.card;
    await player.move({ hours: 2 });
    await player.move({ days: 2 });
    const told = forgotten().filter(({ body }) => body.card.includes(`-M${id}-`));
    expect(told.length).toBe(2);
    expect(told[1]?.body.reference).toMatch(/^kept-/);
    const [row] = await service.sql`
      select state, reference from kept_cards where mandate_id = ${id}`;
    expect(row).toEqual({ state: 'forgotten', reference: null });
  });

  test('deletes a card as soon as it is stored, if its mandate ended during the transfer', async () => {
    const id = await create();
    acquirer.plays.card = () => (response) => response.destroy();
    await sign(id);
    await cancel(id);
    const sent = cards()[0];
    acquirer.plays.card = (call) => plays.card(call.method === 'GET' ? (sent as never) : call);
    await player.move({ minutes: 30 });
    await player.move({ hours: 2 });
    expect((await read(id)).state).toBe('canceled');
    expect(forgotten().some(({ body }) => body.card.includes(`-M${id}-`))).toBe(true);
  });
});
