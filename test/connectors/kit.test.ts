import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openHttp } from '../../connectors/protocol/http.ts';
import { type Report, runKit } from '../../src/connectors/kit/index.ts';
import { openSimulator } from '../../src/sandbox/http.ts';
import { startService, type TestService } from '../harness/service.ts';
import { newSecret } from './caller.ts';
import { type Distortion, openDistorting, resigned } from './distorting.ts';
import { type Office, openOffice } from './payway.ts';
import { openTemplate } from './template.ts';

const brokenIn = ({ results }: Report): string[] =>
  results.filter(({ result }) => result === 'broken').map(({ guarantee }) => guarantee);
const untriedIn = ({ results }: Report): string[] =>
  results.filter(({ result }) => result === 'not_offered').map(({ guarantee }) => guarantee);

/** Skipped unless the connector opens accounts. */
const accountsUntried = [
  'repeated requests open one account for transfers',
  'two requests get two accounts',
  'an account of another request with the same reference gets 409',
];

/** Skipped unless the connector authorizes first. */
const holdsUntried = [
  'an authorized charge takes no money, as GET and the list show',
  'a charge that would be rejected is also rejected when it is only authorized',
  'a capture sent twice, and five times at once, happens once with one answer',
  'a void sent twice, and five times at once, happens once with one answer',
  'a void after a capture gets 409, and the capture stays',
  'a capture after a void gets 409, and the void stays',
  'a capture of another amount with the same attempt gets 409',
  'a capture that the acquirer rejects takes no money, as GET shows',
  'a captured charge can be refunded like any other',
  'a capture without an answer from the acquirer is unknown, and GET returns its outcome',
  'a void without an answer from the acquirer is unknown, and GET returns its outcome',
  'a charge authorized before a restart is captured once after it',
];

/** Checks that need a restart of the connector and its log. */
const insideUntried = [
  'a call replayed after a restart gets 401',
  'a charge sent again after a restart is one charge with one answer',
  'the log contains no card number',
];

/** Skipped unless the connector does 3-D Secure. */
const secureUntried = 'an approval returns the result of 3-D Secure, and GET returns the same';
const disputesUntried = [
  'notices report the opening and the decision of a dispute, and the money withheld',
  'a dispute that waits for evidence has a deadline',
];
const changesUntried = [
  'a notice reports a new card number, and charges use the card that GET returns',
  'a notice reports a closed card, which is no longer charged',
];
const settlementsUntried = [
  'a charge that was paid out is listed once, with its amount, fee and net',
  'the lines of a payout add up to its amount',
  'lines of payouts stay the same when listed again, each with its own id',
  'the list of a day without payouts is empty and ends',
];
const codesUntried = [
  ...disputesUntried,
  ...changesUntried,
  'a paid code is announced first, and its confirmation is retried until accepted',
  'a code that cannot be paid is not confirmed',
  'a notice reports the reversal of a code payment, and is retried until accepted',
];

describe('Payway against its emulator', () => {
  let office: Office;
  beforeAll(async () => {
    office = await openOffice({
      env: { PAYWAY_3DS: 'on' },
      emulator: { timing: { slowMs: 0, hiddenMs: 0, reviewMs: 500, authenticateMs: 600_000 } },
    });
  });
  afterAll(() => office.stop());

  test('keeps every guarantee that it offers, which excludes those about notices', async () => {
    const { origin, secret } = office;
    const report = await runKit({
      url: origin(),
      secrets: [secret],
      patienceMs: 20_000,
      listen: null,
    });
    expect(brokenIn(report)).toEqual([]);
    expect(report.held).toBeGreaterThan(45);
    expect(untriedIn(report)).toEqual([
      secureUntried,
      ...holdsUntried,
      ...accountsUntried,
      'a signed notice reports a late change of a charge, and is retried until accepted',
      ...codesUntried,
      'a connector that reports transfers lists them, page by page',
      ...settlementsUntried,
      ...insideUntried,
    ]);
  });
});

const freePort = async (): Promise<number> => {
  const server = createServer();
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const address = server.address();
  await new Promise((closed) => server.close(closed));
  return typeof address === 'object' && address ? address.port : 0;
};

describe('the template', () => {
  test('keeps every guarantee that it offers, including those about notices', async () => {
    const port = await freePort();
    const opened = await openTemplate({ serviceUrl: `http://127.0.0.1:${port}` });
    try {
      const report = await runKit({
        url: opened.origin,
        secrets: [opened.secret],
        patienceMs: 20_000,
        listen: { host: '127.0.0.1', port },
      });
      expect(brokenIn(report)).toEqual([]);
      expect(report.held).toBeGreaterThan(60);
      expect(untriedIn(report)).toEqual([
        'the schema of account settings uses the supported subset',
        'a required action has an address and a future deadline',
        ...holdsUntried.slice(-1),
        'an instrument without partial refunds rejects one',
        ...accountsUntried,
        'a connector that reports transfers lists them, page by page',
        ...insideUntried,
      ]);
    } finally {
      await opened.stop();
    }
  });
});

describe('the sandbox’s simulator', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ ROLES: 'payments' });
  });
  afterAll(() => service.stop());

  test('keeps every guarantee that it offers, with only a database', async () => {
    const { base } = service.service.parts;
    const secret = newSecret();
    const { handle } = openSimulator(base, service.origin);
    const served = await openHttp({ host: '127.0.0.1', port: 0 }, handle([secret]));
    try {
      const report = await runKit({
        url: served.origin,
        secrets: [secret],
        patienceMs: 20_000,
        listen: null,
      });
      expect(brokenIn(report)).toEqual([]);
      expect(report.held).toBeGreaterThan(35);
      // The simulator follows docs/reference/sandbox.md, keeps no cards and sends no notices.
      expect(untriedIn(report)).toEqual([
        'the schema of account settings uses the supported subset',
        secureUntried,
        'a rejection reports that the payer can retry: same now',
        'a rejection reports that the payer can retry: call issuer',
        'a pending charge settles, and GET returns its outcome',
        'a required action has an address and a future deadline',
        'a charge without an answer from the acquirer is unknown, never rejected',
        ...holdsUntried,
        'an instrument without partial refunds rejects one',
        'repeated calls keep one card, and GET confirms it',
        'a kept card can be charged repeatedly',
        'a kept card has not expired',
        'another card with the same id gets 409',
        'a card that its issuer rejects is not kept',
        'a forgotten card is no longer charged, and can be forgotten twice',
        'a card that was never sent is unheard',
        'repeated requests open one account for transfers',
        'two requests get two accounts',
        'an account of another request with the same reference gets 409',
        'a signed notice reports a late change of a charge, and is retried until accepted',
        ...codesUntried,
        'a connector that reports transfers lists them, page by page',
        ...settlementsUntried,
        ...insideUntried,
      ]);
    } finally {
      await served.stop();
    }
  });
});

describe('a faulty connector', () => {
  let good: Awaited<ReturnType<typeof openTemplate>>;
  beforeAll(async () => {
    good = await openTemplate();
  });
  afterAll(() => good.stop());

  async function brokenBy(distort: Distortion): Promise<string[]> {
    const faulty = await openDistorting(good.origin, distort);
    try {
      const { origin: url } = faulty;
      const kit = { url, secrets: [good.secret], patienceMs: 3_000, listen: null };
      return brokenIn(await runKit(kit));
    } finally {
      await faulty.stop();
    }
  }

  test('fails the kit if it ignores signatures', async () => {
    const broken = await brokenBy((call, pass) =>
      pass({ ...call, headers: resigned(good.secret, call) }),
    );
    expect(broken).toContain('a charge without a signature gets 401 and has no effect');
    expect(broken).toContain('a call with the id of an earlier one gets 401');
  });

  test('fails the kit if it charges twice', async () => {
    let sent = 0;
    const broken = await brokenBy(async (call, pass) => {
      if (call.method === 'PUT' && /^\/charges\/[^/]+$/.test(call.address)) {
        const body = JSON.parse(call.body);
        sent += 1;
        // Each call is also charged under an id of its own, and answered with that charge.
        const attempt = `${body.attempt.slice(-10)}-${sent}`;
        const address = `/charges/${attempt}`;
        const own = { ...call, address, body: JSON.stringify({ ...body, attempt }) };
        const heard = await pass({ ...own, headers: resigned(good.secret, own) });
        await pass(call);
        return heard;
      }
      return await pass(call);
    });
    expect(broken).toContain('the same charge sent twice is one charge with one answer');
    expect(broken).toContain('the same charge sent 20 times at once is one charge with one answer');
  });

  test('fails the kit if it leaks a card number', async () => {
    const leaked = ['4507', '9900', '0000', '4905'].join('');
    const broken = await brokenBy(async (call, pass) => {
      const { status, body } = await pass(call);
      if (call.method !== 'PUT' || !body.includes('"approved"')) return { status, body };
      return { status, body: JSON.stringify({ ...JSON.parse(body), card: leaked }) };
    });
    expect(broken).toEqual(['no answer contains a card number']);
  });

  test('fails the kit if it reports a refusal instead of an unknown outcome', async () => {
    const refused = { outcome: 'rejected', code: 'timeout', text: 'Time-out.', retry: 'same_now' };
    const broken = await brokenBy(async (call, pass) => {
      const heard = await pass(call);
      return heard.status === 502 ? { status: 200, body: JSON.stringify(refused) } : heard;
    });
    expect(broken).toContain(
      'a charge without an answer from the acquirer is unknown, never rejected',
    );
  });

  test('fails the kit if it repeats a refund', async () => {
    let sent = 0;
    const broken = await brokenBy(async (call, pass) => {
      if (call.method !== 'PUT' || !call.address.includes('/refunds/')) return await pass(call);
      const body = JSON.parse(call.body);
      sent += 1;
      const refund = `${body.refund}-${sent}`;
      const address = `/charges/${body.attempt}/refunds/${refund}`;
      const own = { ...call, address, body: JSON.stringify({ ...body, refund }) };
      return await pass({ ...own, headers: resigned(good.secret, own) });
    });
    expect(broken).toContain('the same refund sent twice, and five times at once, is done once');
  });
});
