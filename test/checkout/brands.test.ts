import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Played, playConnector } from '../connectors/played.ts';
import { launchBrowser } from '../harness/browser.ts';
import { startService, type TestService } from '../harness/service.ts';
import { type FrameServer, serveFrames } from './card-frame.ts';
import { create, faultsOn, mastercard, open, openChannel, post, read, visa } from './payer.ts';

/**
 * Tests several connectors for cards in one checkout: by brand, by preference, and with one of
 * them disabled.
 */
let frames: FrameServer[];
let first: Played;
let second: Played;
let service: TestService;
let browser: Browser;
let plays: Played['plays'][];

const cardsIn = ({ origin }: FrameServer) =>
  ['credit_card', 'debit_card'].map((channel) => ({
    channel,
    browser: { kind: 'frame', url: `${origin}/card`, origin },
  }));

beforeAll(async () => {
  frames = [await serveFrames(), await serveFrames()];
  const [one, other] = frames;
  if (!one || !other) throw new Error('no frames');
  first = await playConnector('first', cardsIn(one));
  second = await playConnector('second', cardsIn(other));
  plays = [first, second].map((played) => ({ ...played.plays }));
  service = await startService({
    ROLES: 'payments,web',
    LINK_RATE: '0',
    STRANGER_RATE: '0',
    CONNECTORS: JSON.stringify([
      second.configured({ preference: 2 }),
      first.configured({ preference: 1, brands: ['visa', 'amex'] }),
    ]),
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await Promise.all([first.stop(), second.stop(), ...frames.map((one) => one.stop())]);
});
beforeEach(async () => {
  [first, second].forEach((played, at) => {
    Object.assign(played.plays, plays[at]);
    played.calls.length = 0;
  });
  await service.sql`delete from connector_alarms`;
  await service.service.parts.connectors.refresh();
});

const puts = ({ calls }: Played) => calls.filter(({ method }) => method === 'PUT');
const origins = async (path: string): Promise<string> => {
  const policy = (await open(service.origin, path)).headers.get('content-security-policy');
  return /frame-src ([^;]*)/.exec(policy ?? '')?.[1] ?? '';
};
const tokenFor = (connector: string, more: Record<string, string> = {}) => ({
  channel: 'credit_card',
  connector,
  token: 'tok',
  brand: 'visa',
  installments: '39:1',
  ...more,
});

async function typeCard(page: Page, connector: string, number: string): Promise<void> {
  const taker = page.locator(`#channel-credit_card details`, {
    has: page.locator(`input[name=connector][value=${connector}]`),
  });
  await taker.locator('> summary').click();
  const frame = taker.locator('iframe').contentFrame();
  await frame.locator('#number').fill(number);
  await frame.locator('#name').fill('Ana Pérez');
  await taker.locator('[name=installments]').selectOption({ index: 1 });
  await taker.locator('button[type=submit]').click();
}

test.each([
  ['first', visa, 'Visa'],
  ['second', mastercard, 'Mastercard'],
])(
  'charges a card through the connector in whose frame it is typed: %s',
  async (name, number, label) => {
    const made = await create(service);
    const page = await browser.newPage();
    await page.goto(made.url);
    await openChannel(page, 'credit_card');
    await typeCard(page, name, number);
    await page.waitForURL(/receipt/);
    await page.close();
    const [own, other] = name === 'first' ? [first, second] : [second, first];
    expect([puts(own).length, puts(other).length]).toEqual([1, 0]);
    expect((await read(service, made)).request_result[0].channel).toBe(label);
  },
);

test('allows in the page’s policy only the frames that the page shows', async () => {
  const all = frames.map(({ origin }) => origin).join(' ');
  expect(await origins((await create(service)).path)).toBe(all);
  const excluded = { excluded_card_brands: ['39', '43'], excluded_channels: ['debit_card'] };
  const made = await create(service, excluded);
  expect(await origins(made.path)).toBe(frames[1]?.origin);
  expect((await open(service.origin, made.path)).html).not.toContain('class="brands"');
});

test('passes the brands of a disabled connector to the next one, for new attempts only', async () => {
  first.plays.charge = () => ({ json: { outcome: 'pending', ask_after_s: 60 } });
  const sent = await create(service);
  await post(service.origin, sent.path, tokenFor('first'));
  first.plays.charge = () => ({ json: { outcome: 'unheard', alarm: 'The key is refused' } });
  const late = await create(service, { excluded_channels: ['debit_card'] });
  await post(service.origin, late.path, tokenFor('first'));

  const shown = await open(service.origin, late.path);
  expect(shown.html.includes('value="first"')).toBe(false);
  expect(await origins(late.path)).toBe(frames[1]?.origin);
  // The form was opened earlier; the other connector cannot use its token.
  const stale = await post(service.origin, late.path, tokenFor('first'));
  expect([stale.status, stale.html.includes('value="second"')]).toEqual([409, true]);
  expect(puts(second)).toEqual([]);
  await post(service.origin, late.path, tokenFor('second'));
  expect((await read(service, late)).state).toBe('paid');

  // The service asks the connector that received the charge, not the current one.
  await service.call('POST', '/sandbox/clock', { body: { minutes: 3 } });
  const asked = [first, second].map(({ calls }) => calls.filter(({ method }) => method === 'GET'));
  expect([asked[0]?.length, asked[1]?.length]).toEqual([expect.any(Number), 0]);
  expect(asked[0]?.length).toBeGreaterThan(0);
  expect(puts(second)).toHaveLength(1);
});

test.each([
  ['credit_card', { brand: 'mastercard', installments: '41:1' }],
  ['debit_card', { brand: 'maestro' }],
])(
  'rejects a brand that the frame’s connector does not charge, at that frame: %s',
  async (channel, more) => {
    const made = await create(service);
    const answer = await post(service.origin, made.path, {
      ...tokenFor('first', { installments: '39:1' }),
      ...more,
      channel,
    });
    expect(answer.status).toBe(400);
    expect(answer.html).toContain(`href="#${channel}-first-card_number"`);
    expect(answer.html).toMatch(/<details[^>]*class="brands"[^>]*open/);
    expect([puts(first), puts(second), faultsOn(answer.html)]).toEqual([[], [], {}]);
  },
);

test('uses unique ids, and links each label to a field', async () => {
  const { html } = await open(service.origin, (await create(service)).path);
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, target] of html.matchAll(/<label for="([^"]+)"/g)) expect(ids).toContain(target);
});

test.each([
  ['light', 360],
  ['dark', 1280],
] as const)('fits the screen with both frames: %s, %i px', async (colorScheme, width) => {
  const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
  await page.goto((await create(service)).url);
  await openChannel(page, 'credit_card');
  await page.locator('#channel-credit_card details.brands > summary').first().click();
  await page
    .locator('#channel-credit_card iframe')
    .first()
    .contentFrame()
    .locator('#number')
    .waitFor();
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(overflow).toBeLessThanOrEqual(0);
  if (process.env.PICTURES) {
    await page.screenshot({
      path: `${process.env.PICTURES}/brands-${width}-${colorScheme}.png`,
      fullPage: true,
    });
  }
  await page.close();
});
