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
  'an account for transfers is opened once, however often it is asked for',
  'two requests have two accounts',
  'an account of another request under the same reference is answered with 409',
];

/** Skipped unless the connector authorises first. */
const holdsUntried = [
  'a charge that is only authorised takes no money, and GET and list say so',
  'a refusal is one, also where it would only have been authorised',
  'a capture ordered twice, and five times at once, is one with one answer',
  'a void ordered twice, and five times at once, is one with one answer',
  'a void after a capture is answered with 409, and the capture stands',
  'a capture after a void is answered with 409, and the void stands',
  'a capture of another amount under the same attempt is answered with 409',
  'a capture that the acquirer refuses takes no money, and GET says so',
  'what was captured goes back like any charge',
  'a capture whose answer the acquirer never gave is unknown, and GET tells what it was',
  'a void whose answer the acquirer never gave is unknown, and GET tells what it was',
  'a charge that was authorised before a restart is captured once after it',
];

/** Checks that need a restart of the connector and its log. */
const insideUntried = [
  'a call that was heard before a restart is answered with 401 after it',
  'a charge that is sent again after a restart is one charge with one answer',
  'nothing that it logged holds a card number',
];

/** Skipped unless the connector does 3-D Secure. */
const secureUntried = 'an approval says what 3-D Secure came to, and GET says the same';
const disputesUntried = [
  'a dispute is told as it is opened and decided, with the money that it holds back',
  'a dispute that waits for evidence says until when',
];
const changesUntried = [
  'a card that gets another number is told, and charged by what GET says then',
  'a card that its issuer closes is told, and charged no more',
];
const settlementsUntried = [
  'a charge that is paid out is listed once, with its amount, fee and net',
  'the lines of a payout come to what was paid out',
  'lines of payouts are the same when they are listed again, each under an id of its own',
  'the list of a day on which nothing was paid out ends, and has no line',
];
const codesUntried = [
  ...disputesUntried,
  ...changesUntried,
  'a code that is paid is asked about first, and its confirmation told until taken',
  'a code that may not be paid is not confirmed',
  'a payment of a code that is reversed is told so, until the notice is taken',
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

  test('keeps every guarantee except those about notices, which the acquirer does not send', async () => {
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
      'a charge that changes late is told, signed, until the notice is taken',
      ...codesUntried,
      'a connector that tells of transfers lists them, page by page',
      ...settlementsUntried,
      ...insideUntried,
    ]);
  });
});

/** Returns a free port. */
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
  test('keeps every guarantee, and reports late the facts whose notices it missed', async () => {
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
        'the schema of account settings is of the subset that services read',
        'an action that is required says where, and until a moment to come',
        ...holdsUntried.slice(-1),
        'an instrument that takes only the whole back refuses a part, and says so',
        ...accountsUntried,
        'a connector that tells of transfers lists them, page by page',
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

  test('keeps every guarantee that it offers, on a database alone', async () => {
    const { base } = service.service.parts;
    const secret = newSecret();
    const { handle } = openSimulator(base, service.origin);
    const served = await openHttp({ host: '127.0.0.1', port: 0 }, handle([secret]));
    try {
      const report = await runKit({
        url: served.origin,
        secrets: [secret],
        patienceMs: 3_000,
        listen: null,
      });
      expect(brokenIn(report)).toEqual([]);
      expect(report.held).toBeGreaterThan(35);
      // The simulator follows docs/reference/sandbox.md, keeps no cards and sends no notices.
      expect(untriedIn(report)).toEqual([
        'the schema of account settings is of the subset that services read',
        secureUntried,
        'a refusal after which the payer may try same now says so',
        'a refusal after which the payer may try call issuer says so',
        'a charge that is pending settles, and GET tells how',
        'an action that is required says where, and until a moment to come',
        'a charge whose answer the acquirer never gave is unknown, never refused',
        ...holdsUntried,
        'an instrument that takes only the whole back refuses a part, and says so',
        'a card is kept once, however often it is sent, and GET says so',
        'a kept card is charged again and again',
        'a card that is kept has not expired',
        'another card under the same id is answered with 409',
        'a card that its issuer refuses is not kept',
        'a card that is forgotten is charged no more, and may be forgotten twice',
        'a card that was never sent is unheard',
        'an account for transfers is opened once, however often it is asked for',
        'two requests have two accounts',
        'an account of another request under the same reference is answered with 409',
        'a charge that changes late is told, signed, until the notice is taken',
        ...codesUntried,
        'a connector that tells of transfers lists them, page by page',
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
    expect(broken).toContain('a charge without a signature is answered with 401 and has no effect');
    expect(broken).toContain('a call with the id of one that was heard is answered with 401');
  });

  test('fails the kit if it charges twice', async () => {
    let sent = 0;
    const broken = await brokenBy(async (call, pass) => {
      if (call.method === 'PUT' && /^\/charges\/[^/]+$/.test(call.address)) {
        const body = JSON.parse(call.body);
        sent += 1;
        // Each call is forwarded as a separate charge; only the first one is queried later.
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
    expect(broken).toEqual(['nothing that was answered holds a card number']);
  });

  test('fails the kit if it reports a refusal instead of an unknown outcome', async () => {
    const refused = { outcome: 'rejected', code: 'timeout', text: 'Time-out.', retry: 'same_now' };
    const broken = await brokenBy(async (call, pass) => {
      const heard = await pass(call);
      return heard.status === 502 ? { status: 200, body: JSON.stringify(refused) } : heard;
    });
    expect(broken).toContain(
      'a charge whose answer the acquirer never gave is unknown, never refused',
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
    expect(broken).toContain('the same refund sent twice, and five times at once, goes back once');
  });
});
