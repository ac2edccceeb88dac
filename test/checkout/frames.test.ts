import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { approvedAs, type Played, playConnector } from '../connectors/played.ts';
import { watchAlarms } from '../harness/alarms.ts';
import { launchBrowser } from '../harness/browser.ts';
import { startService, type TestService } from '../harness/service.ts';
import { type FrameServer, serveFrames } from './card-frame.ts';
import {
  type Created,
  create,
  open,
  openChannel,
  post,
  read,
  submit,
  titleOf,
  visa,
} from './payer.ts';

let frames: FrameServer;
let acquirer: Played;
let service: TestService;
let browser: Browser;
let plays: Played['plays'];
beforeAll(async () => {
  frames = await serveFrames();
  const inFrame = {
    browser: { kind: 'frame', url: `${frames.origin}/card`, origin: frames.origin },
  };
  acquirer = await playConnector('acquirer', [
    { channel: 'credit_card', ...inFrame },
    { channel: 'debit_card', ...inFrame },
    { channel: 'DEBIN', browser: { kind: 'redirect' }, cancel: true },
  ]);
  plays = { ...acquirer.plays };
  service = await startService({
    ROLES: 'payments,web',
    LINK_RATE: '0',
    STRANGER_RATE: '0',
    CONNECTORS: JSON.stringify([acquirer.configured()]),
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await service.stop();
  await Promise.all([acquirer.stop(), frames.stop()]);
});
beforeEach(() => {
  Object.assign(acquirer.plays, plays);
  acquirer.calls.length = 0;
});

const token = {
  channel: 'credit_card',
  connector: 'acquirer',
  token: 'tok_by_hand',
  brand: 'visa',
  bin: '450799',
  last_four: '4905',
  card_holder_name: 'Ana Pérez',
  installments: '39:3',
  holder_email: '',
};

async function show(path: string, width = 360, dark = false): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
  });
  await page.goto(service.origin + path);
  return page;
}

const cardFrame = (page: Page, channel = 'credit_card') =>
  page.frameLocator(`#channel-${channel} iframe`);

async function typeCard(page: Page, number: string, channel = 'credit_card'): Promise<void> {
  await openChannel(page, channel);
  const frame = cardFrame(page, channel);
  await frame.locator('#number').fill(number);
  await frame.locator('#name').fill('Ana Pérez');
  if (channel === 'credit_card') await page.selectOption(`#${channel}-installments`, '39:3');
}

const approve = (more: object = {}) => {
  acquirer.plays.charge = ({ attempt, body }) =>
    approvedAs(`ref-${attempt}`, body.amount, { authorization_code: '153842', ...more });
};

describe('a card in its acquirer’s frame', () => {
  test('pays with a frame’s token, so that no card number reaches the service', async () => {
    const made = await create(service);
    const sent: string[] = [];
    const page = await show(made.path);
    page.on('request', (request) => {
      if (request.url().startsWith(service.origin)) sent.push(request.postData() ?? '');
    });
    approve({ brand: 'visa', kind: 'credit', last_four: '4905' });
    await typeCard(page, visa);
    await submit(page, 'credit_card');
    await page.waitForURL('**/receipt**');
    expect(sent.join()).not.toContain(visa);
    expect(sent.join()).toContain('tok_');
    const [call] = acquirer.calls;
    expect(call?.body.instrument).toMatchObject({ type: 'token', brand: 'visa', bin: '450799' });
    expect(call?.body.installments).toMatchObject({ count: 3, send_as: '3' });
    expect(call?.body.payer).toMatchObject({ ip: '127.0.0.1' });
    const [result] = (await read(service, made)).request_result;
    expect(result).toMatchObject({ channel: 'Visa', payment_metadata: { installments: 3 } });
    await page.close();
  });

  test('offers the installments of the brand that the frame reports', async () => {
    const page = await show((await create(service)).path);
    await typeCard(page, visa);
    const groups = page.locator('#credit_card-installments optgroup');
    await expect
      .poll(() => groups.evaluateAll((all) => all.map((one) => one.getAttribute('label'))))
      .toEqual(['Visa']);
    await page.close();
  });

  test('shows a fault in the frame, and lets the payer press the button again', async () => {
    const page = await show((await create(service)).path);
    await typeCard(page, '4507');
    await submit(page, 'credit_card');
    await expect.poll(() => cardFrame(page).locator('#fault').textContent()).toContain('Revisá');
    const button = page.locator('#channel-credit_card button[type=submit]:not([name])');
    await expect.poll(() => button.isEnabled()).toBe(true);
    expect(acquirer.calls).toEqual([]);
    await page.close();
  });

  test('accepts tokens from the frame’s own origin only', async () => {
    const page = await show((await create(service)).path);
    const told = { recaudo: 'token', token: 'forged', brand: 'visa' };
    await page.evaluate((data) => postMessage(data, '*'), told);
    await page.evaluate((data) => {
      const other = document.createElement('iframe');
      document.body.append(other);
      const script = `parent.postMessage(${JSON.stringify(data)}, '*')`;
      other.contentWindow?.setTimeout(script);
    }, told);
    // A later message from the real frame proves that the forged ones were received.
    await typeCard(page, visa);
    await expect
      .poll(() => page.locator('#channel-credit_card .brand').first().textContent())
      .toContain('Visa');
    expect(await page.inputValue('#channel-credit_card [name=token]')).toBe('');
    await page.close();
  });

  test('allows only the frame’s origin in the page’s policy', async () => {
    const { path } = await create(service);
    const policy = (await open(service.origin, path)).headers.get('content-security-policy') ?? '';
    expect(policy.split(';').filter((one) => one.startsWith('frame-src'))).toEqual([
      `frame-src ${frames.origin}`,
    ]);
    expect(policy).toContain("script-src 'self'");
    const receipt = await open(service.origin, `${path}/receipt`);
    expect(receipt.headers.get('content-security-policy')).not.toContain('frame-src');
  });
});

describe('posted fields', () => {
  test.each([
    ['a field for the card number', { ...token, card_number: visa }],
    ['a card number as the token', { ...token, token: visa }],
    ['a card number in the name', { ...token, card_holder_name: 'Ana 4507 9900 0000 4905' }],
    ['a card number in the e-mail', { ...token, holder_email: `${visa}@example.com` }],
    ['a card number in an unknown field', { ...token, note: visa }],
    ['a security code', { ...token, cvv: '123' }],
  ])('refuses posted fields with %s, and never stores them', async (_what, form) => {
    const made = await create(service);
    const { status, html } = await post(service.origin, made.path, form);
    expect(status).toBe(400);
    expect(html).not.toContain(visa);
    expect(acquirer.calls).toEqual([]);
    const rows = await service.sql`select 1 from attempts where request_id = ${made.id}`;
    expect(rows).toEqual([]);
  });

  test.each([
    ['a missing token', { ...token, token: '' }],
    ['a missing choice of installments', { ...token, installments: '' }],
    ['installments of another brand', { ...token, installments: '41:3' }],
    ['an unaccepted brand', { ...token, brand: 'diners' }],
    ['an invalid e-mail address', { ...token, holder_email: 'ana' }],
  ])('reports %s at its field', async (_what, form) => {
    const { path } = await create(service);
    const { status, html } = await post(service.origin, path, form);
    expect([status, html.includes('class="fault')]).toEqual([400, true]);
  });

  test('refuses a token for an unknown connector, and charges nothing', async () => {
    const { path } = await create(service);
    const answer = await post(service.origin, path, { ...token, connector: 'other' });
    expect([answer.status, acquirer.calls.length]).toEqual([409, 0]);
  });

  test('charges once for a form sent several times at once', async () => {
    const made = await create(service);
    approve();
    await Promise.all([1, 2, 3].map(() => post(service.origin, made.path, token)));
    expect(acquirer.calls.filter(({ method }) => method === 'PUT')).toHaveLength(1);
    expect((await read(service, made)).request_result).toHaveLength(1);
  });
});

describe('the acquirer’s card data overrides the form’s', () => {
  test('labels a card as debit if the acquirer reports one', async () => {
    const made = await create(service);
    approve({ brand: 'visa', kind: 'debit' });
    await post(service.origin, made.path, token);
    expect((await read(service, made)).request_result[0].channel).toBe('Visa Débito');
  });

  test('refunds a payment with an excluded brand, and raises an alarm', async () => {
    const made = await create(service, { excluded_card_brands: ['41'] });
    approve({ brand: 'mastercard', kind: 'credit', last_four: '0015' });
    await post(service.origin, made.path, token);
    const [result, back] = (await read(service, made)).request_result;
    expect(back.type).toBe('refund_payment_request_result');
    expect(result).toMatchObject({
      channel: 'Mastercard',
      payment_metadata: { card_brand: 'Mastercard', card_last_four_digits: '0015' },
    });
    await expect.poll(watchAlarms(() => service.sql).kinds).toContain('excluded_brand');
  });
});

test.each([
  ['never', 'Elegí otro'],
  ['other_instrument', 'otra tarjeta'],
  ['same_later', 'más tarde'],
  ['same_now', 'Revisalos'],
  ['call_issuer', 'la llames'],
])('advises the payer on a refusal: %s', async (retry, words) => {
  const made = await create(service);
  acquirer.plays.charge = () => ({
    json: { outcome: 'rejected', code: '5', text: 'Denegada', retry },
  });
  await post(service.origin, made.path, token);
  const { html } = await open(service.origin, `${made.path}/rejected`);
  expect(html).toContain(words);
});

const until = '2099-01-01T00:00:00Z';
const act = (action: Record<string, unknown>) => {
  acquirer.plays.charge = () => ({ json: { outcome: 'action_required', until, ...action } });
  acquirer.plays.inquiry = () => ({ json: { outcome: 'action_required', until, ...action } });
};
const settle = () => {
  acquirer.plays.inquiry = ({ attempt }) => approvedAs(`ref-${attempt}`, 143050);
};

describe('a pending step of a payer', () => {
  test('lets the payer confirm at the bank in a frame, and shows the receipt', async () => {
    const made = await create(service);
    act({ kind: 'frame', url: `${frames.origin}/step` });
    const page = await show(made.path);
    await typeCard(page, visa);
    await submit(page, 'credit_card');
    const confirm = page.frameLocator('iframe[data-step]').locator('button');
    await confirm.waitFor();
    expect((await read(service, made)).state).toBe('pending');
    settle();
    await confirm.click();
    await page.waitForURL('**/receipt**');
    expect((await read(service, made)).state).toBe('paid');
    await page.close();
  });

  test('charges a redirected payer once, even if they return twice', async () => {
    const made = await create(service);
    act({ kind: 'redirect', url: `${frames.origin}/bank` });
    const sent = await post(service.origin, made.path, { channel: 'DEBIN' });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, `${frames.origin}/bank`]);
    const [call] = acquirer.calls;
    expect(call?.body).toMatchObject({
      instrument: { type: 'redirect' },
      return_url: `${service.origin}${made.path}/return`,
    });
    const early = await open(service.origin, `${made.path}/return`);
    expect(early.headers.get('location')).toBe(made.path);
    const waiting = await open(service.origin, made.path);
    expect(waiting.html).toContain(`${frames.origin}/bank`);
    expect(waiting.html).toContain(`${made.path}/cancel`);
    expect(waiting.headers.get('refresh')).toContain('/return');
    settle();
    const back = async () => (await open(service.origin, `${made.path}/return`)).headers;
    const receipt = expect.stringContaining('/receipt');
    await expect
      .poll(async () => (await back()).get('location'), { timeout: 5_000 })
      .toEqual(receipt);
    expect((await back()).get('location')).toBe(made.path);
    expect((await read(service, made)).request_result).toHaveLength(1);
  });

  test('finds the outcome by an inquiry if the payer never returns', async () => {
    const made = await create(service);
    act({ kind: 'redirect', url: `${frames.origin}/bank` });
    await post(service.origin, made.path, { channel: 'DEBIN' });
    settle();
    await service.call('POST', '/sandbox/clock', { body: { minutes: 2 } });
    expect((await read(service, made)).state).toBe('paid');
  });

  test('lets the payer pay another way once the connector has canceled the charge', async () => {
    const made = await create(service);
    act({ kind: 'redirect', url: `${frames.origin}/bank` });
    await post(service.origin, made.path, { channel: 'DEBIN' });
    const callOff = () => post(service.origin, `${made.path}/cancel`, {});
    acquirer.plays.cancel = () => ({ json: { outcome: 'pending', ask_after_s: 60 } });
    await callOff();
    expect((await post(service.origin, made.path, token)).status).toBe(409);
    acquirer.plays.cancel = () => ({ json: { outcome: 'canceled' } });
    await Promise.all([callOff(), callOff()]);
    approve();
    await post(service.origin, made.path, token);
    const { state, request_result } = await read(service, made);
    expect([state, request_result.map(({ type }: { type: string }) => type)]).toEqual([
      'paid',
      ['rejected_payment_request_result', 'collected_payment_request_result'],
    ]);
  });

  test('records a payment that was made during the cancellation', async () => {
    const made = await create(service);
    act({ kind: 'redirect', url: `${frames.origin}/bank` });
    await post(service.origin, made.path, { channel: 'DEBIN' });
    acquirer.plays.cancel = ({ attempt }) => approvedAs(`ref-${attempt}`, 143050);
    await post(service.origin, `${made.path}/cancel`, {});
    expect((await read(service, made)).state).toBe('paid');
  });

  test('shows a QR to scan, without a link to cancel', async () => {
    const made = await create(service);
    act({ kind: 'show_qr', data: '00020101021243650016com.example' });
    await post(service.origin, made.path, token);
    const { html } = await open(service.origin, made.path);
    expect(html).not.toContain(`${made.path}/cancel`);
    expect([titleOf(html), html.includes('com.example')]).toEqual([
      'Escaneá este código para pagar',
      true,
    ]);
  });

  test('shows the page despite an overlong code, and records the payment once its outcome is known', async () => {
    const made = await create(service);
    act({ kind: 'show_qr', data: 'x'.repeat(4_000) });
    await post(service.origin, made.path, token);
    expect((await open(service.origin, made.path)).status).toBe(200);
    settle();
    await service.call('POST', '/sandbox/clock', { body: { minutes: 2 } });
    expect((await read(service, made)).state).toBe('paid');
  });

  test('shows a stored code that exceeds a QR’s capacity as text', async () => {
    const made = await create(service);
    act({ kind: 'show_qr', data: '00020101021243650016com.example' });
    await post(service.origin, made.path, token);
    await service.sql`
      update attempts set action = jsonb_set(action::jsonb, '{data}', to_jsonb(repeat('x', 4000)))
      where request_id = ${made.id}`;
    const { status, html } = await open(service.origin, made.path);
    expect([status, html.includes('x'.repeat(4_000)), html.includes('qr-image')]).toEqual([
      200,
      true,
      false,
    ]);
  });

  test('treats a charge as unknown if the address of its action page is not https', async () => {
    const made = await create(service);
    act({ kind: 'redirect', url: 'http://bank.example/pay' });
    const { status, headers } = await post(service.origin, made.path, { channel: 'DEBIN' });
    expect([status, headers.get('location')]).toEqual([303, made.path]);
    expect((await open(service.origin, made.path)).html).not.toContain('bank.example');
  });
});

test('explains without scripts that a card needs them, and offers other ways to pay', async () => {
  const { html } = await open(service.origin, (await create(service)).path);
  expect(html).toMatch(/<noscript>.*JavaScript.*<\/noscript>/s);
  expect(html).toContain('channel-non_banking');
});

describe('connectors’ pages', () => {
  const kinds: [string, (made: Created) => Promise<void>][] = [
    ['card', async () => {}],
    [
      'step',
      async (made) => {
        act({ kind: 'frame', url: `${frames.origin}/step` });
        await post(service.origin, made.path, token);
      },
    ],
    [
      'redirect',
      async (made) => {
        act({ kind: 'redirect', url: `${frames.origin}/bank` });
        await post(service.origin, made.path, { channel: 'DEBIN' });
      },
    ],
    [
      'code',
      async (made) => {
        act({ kind: 'show_qr', data: '00020101021243650016com.example'.repeat(6) });
        await post(service.origin, made.path, token);
      },
    ],
  ];
  test.each(kinds)(
    'fits connectors’ pages on phone and desktop, in light and dark mode: %s',
    async (kind, begin) => {
      const made: Created = await create(service, { first_total: 99_999_999.99 });
      await begin(made);
      for (const width of [360, 1280]) {
        for (const dark of [false, true]) {
          const lang = dark ? '?lang=en' : '';
          const page = await show(`${made.path}${lang}`, width, dark);
          if (kind === 'card') await cardFrame(page).locator('#number').waitFor();
          const wide = await page.evaluate(() => document.documentElement.scrollWidth);
          expect(wide).toBeLessThanOrEqual(width);
          const folder = process.env.PICTURES;
          if (folder) {
            const name = `${kind}-${width}${dark ? '-dark-en' : ''}.png`;
            await page.screenshot({ path: `${folder}/${name}`, fullPage: true });
          }
          await page.close();
        }
      }
    },
  );
});
