import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect } from 'vitest';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { call, startService, type TestService, testKey } from '../harness/service.ts';
import { openShop, type Shop, type ShopKind } from './shop.ts';

/** Opens a proxy in front of the service that distorts responses on request. */
async function openProxy(service: TestService) {
  let spoil: ((request: IncomingMessage, response: ServerResponse) => boolean) | null = null;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method = '', url = '', headers } = request;
    const key = headers['idempotency-key'];
    const answer = await call(service.origin, method, url, {
      key: String(headers.authorization).replace('Bearer ', ''),
      ...(body !== '' && { body }),
      ...(key !== undefined && { headers: { 'idempotency-key': String(key) } }),
    });
    if (spoil?.(request, response)) return;
    response.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? 'application/json',
    });
    response.end(answer.text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spoil(how: typeof spoil) {
      spoil = how;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(resolve);
      }),
  };
}

const fields = { total: '1430.50' };

/** Tests that hold for every plugin. */
export function scenarios(
  kind: ShopKind,
  test: (title: string, run: () => Promise<void>) => void,
): void {
  let service: TestService;
  let proxy: Awaited<ReturnType<typeof openProxy>>;
  let shop: Shop;
  beforeAll(async () => {
    service = await startService();
    proxy = await openProxy(service);
    shop = await openShop(kind, service);
    await shop.run({ do: 'set', settings: { sandbox_url: proxy.origin } });
    await shop.run({ do: 'save' });
  });
  afterAll(async () => {
    await shop?.close();
    await proxy?.close();
    await service?.stop();
  });

  const state = (id: number) => shop.run({ do: 'state', id });
  const requestsOf = async (id: number): Promise<{ id: number; checkout_url: string }[]> => {
    const reference = await shop.run({ do: 'reference', id });
    const { body } = await service.call('GET', `/payment-request?external_reference=${reference}`);
    return body.data;
  };
  const requestOf = async (id: number) => (await requestsOf(id))[0]?.id ?? 0;
  const pay = async (id: number, body: unknown = {}) =>
    await service.call('POST', `/sandbox/pay/${await requestOf(id)}`, { body });
  const open = () => shop.route((_notice, pass) => pass());
  const shut = () => shop.route(async () => 403);
  const payments = async (id: number) =>
    ((await shop.run({ do: 'notes', id })) as string).match(/Payment/g)?.length ?? 0;

  test('accepts a notice although the answer to the create call was lost, and creates no second request', async () => {
    await open();
    proxy.spoil((request, response) => {
      const isCreate = request.method === 'POST' && request.url === '/payment-request';
      if (isCreate) response.destroy();
      return isCreate;
    });
    const lost = await shop.run({ do: 'buy', id: 1, fields });
    expect(lost.result).toBe('failure');
    proxy.spoil(null);
    await pay(1);
    await expect.poll(() => state(1)).toMatchObject({ isPaid: true });
    await shop.run({ do: 'pay', id: 1 });
    expect(await requestsOf(1)).toHaveLength(1);
  });

  test('creates one request and accepts one payment, however many processes work at once', async () => {
    await open();
    await shop.run({ do: 'order', id: 2, fields });
    const started = await Promise.all(
      Array.from({ length: 6 }, () => shop.run({ do: 'pay', id: 2 })),
    );
    expect(new Set(started.map((one) => one.redirect)).size).toBe(1);
    expect(await requestsOf(2)).toHaveLength(1);
    await pay(2);
    await Promise.all(
      ['return', 'apply', 'poll', 'apply', 'return'].map((act) => shop.run({ do: act, id: 2 })),
    );
    expect(await state(2)).toMatchObject({ isPaid: true });
    expect(await payments(2)).toBe(1);
  });

  test('reopens a canceled order for late cash, and never cancels a paid one', async () => {
    await open();
    await shop.run({ do: 'buy', id: 3, fields });
    await shop.run({ do: 'cancel', id: 3 });
    await pay(3);
    await expect.poll(() => state(3)).toMatchObject({ isPaid: true, isCancelled: false });
    await service.call('POST', '/sandbox/clock', { body: { days: 9 } });
    await shop.run({ do: 'poll' });
    expect(await state(3)).toMatchObject({ isPaid: true, isCancelled: false, refunded: 0 });
  });

  test('refunds a part once, even if its process dies before the call', async () => {
    await open();
    await shop.run({ do: 'buy', id: 4, fields });
    await pay(4, { channel: 'credit_card' });
    await expect.poll(() => state(4)).toMatchObject({ isPaid: true });
    await shop.run({ do: 'refund', id: 4, amount: '30.50' });
    await shop.kill({ do: 'die in refund', id: 4, amount: '100' });
    await shop.run({ do: 'age refunds', id: 4 });
    await shop.run({ do: 'apply', id: 4 });
    await shop.run({ do: 'apply', id: 4 });
    const amounts = kind.keepsRefundOfDeadProcess ? [30.5, 100] : [30.5];
    const refunded = amounts.reduce((sum, one) => sum + one * 100, 0);
    expect(await state(4)).toMatchObject({ isPaid: true, refunded });
    const { body } = await service.call('GET', `/payment-request/${await requestOf(4)}/refund`);
    expect(body.data.map((one: { amount: number }) => one.amount)).toEqual(amounts);
  });

  test('shows an order as paid and refunded if it learns of both at once, unless it was paid in part', async () => {
    await shut();
    for (const id of [15, 16, 17]) await shop.run({ do: 'buy', id, fields });
    await shop.run({ do: 'cancel', id: 16 });
    const parts = { 15: {}, 16: {}, 17: { amount: 700 } };
    for (const [id, body] of Object.entries(parts)) await pay(Number(id), body);
    for (const [id, act] of [
      [15, 'refund'],
      [16, 'chargeback'],
      [17, 'refund'],
    ] as const) {
      const path = `/sandbox/${act}/${await requestOf(id)}`;
      expect((await service.call('POST', path, { body: {} })).status).toBeLessThan(300);
    }
    for (const id of [15, 16, 17]) {
      await shop.run({ do: 'apply', id });
      await shop.run({ do: 'apply', id });
      const notes: string = await shop.run({ do: 'notes', id });
      expect(notes.match(/all of its money went back/g)).toHaveLength(1);
    }
    expect(await state(15)).toMatchObject({ isPaid: true, isHeld: false, refunded: 143_050 });
    expect(await state(16)).toMatchObject({ isPaid: true, isCancelled: false, refunded: 143_050 });
    // A partial payment never made the order paid.
    expect(await state(17)).toMatchObject({ isPaid: false, isHeld: false, refunded: 0 });
  });

  test('repeats a refund whose answer was lost as the same refund', async () => {
    await open();
    await shop.run({ do: 'buy', id: 5, fields });
    await pay(5, { channel: 'credit_card' });
    await expect.poll(() => state(5)).toMatchObject({ isPaid: true });
    await shut();
    proxy.spoil((request, response) => {
      const isRefund = request.method === 'POST' && /refund$/.test(request.url ?? '');
      if (isRefund) response.destroy();
      return isRefund;
    });
    expect(await shop.run({ do: 'refund', id: 5, amount: '200' })).toEqual(expect.any(String));
    proxy.spoil(null);
    expect(await shop.run({ do: 'refund', id: 5, amount: '200' })).toEqual(expect.any(Number));
    await shop.run({ do: 'apply', id: 5 });
    expect(await state(5)).toMatchObject({ refunded: 20_000 });
    const { body } = await service.call('GET', `/payment-request/${await requestOf(5)}/refund`);
    expect(body.data).toHaveLength(1);
  });

  test('asks for a bank account if cash cannot be returned, and shows the refund to that account', async () => {
    await open();
    await shop.run({ do: 'buy', id: 6, fields });
    await pay(6);
    await expect.poll(() => state(6)).toMatchObject({ isPaid: true });
    expect(await shop.run({ do: 'refund', id: 6, amount: '10' })).toMatch(/CBU/);
    expect(await state(6)).toMatchObject({ refunded: 0 });
    if (!kind.refundsToAccounts) return;
    const reason = 'broken, to 0110599500000123456784';
    await shop.run({ do: 'refund', id: 6, amount: '10', reason });
    expect(await state(6)).toMatchObject({ refunded: 1000 });
  });

  test('puts an order on hold once for a paid request that the shop did not create', async () => {
    await open();
    await shop.run({ do: 'order', id: 7, fields });
    const external_reference = await shop.run({ do: 'reference', id: 7 });
    await service.call('POST', '/payment-request', {
      body: paymentRequestBody(service, { external_reference }),
    });
    await pay(7);
    await expect.poll(() => state(7)).toMatchObject({ isPaid: false, isHeld: true });
    await shop.run({ do: 'reviewed', id: 7 });
    await shop.run({ do: 'cancel', id: 7 });
    await shop.run({ do: 'poll' });
    expect(await state(7)).toMatchObject({ isPaid: false, isHeld: false, isCancelled: true });
  });

  test('rejects foreign signatures, and trusts only the id in a signed notice', async () => {
    // A notice of the service in between would show that the secret is right after all.
    await shut();
    await shop.run({ do: 'buy', id: 8, fields });
    const id = await requestOf(8);
    const external_reference = await shop.run({ do: 'reference', id: 8 });
    const body = JSON.stringify({
      entity_name: 'payment_request',
      event_type: 'payment_request.paid',
      entity_id: id,
      payload: { id, state: 'paid', amount: 1430.5, external_reference },
    });
    const send = (secret: string) => {
      const now = new Date();
      const headers = {
        'webhook-id': 'evt_1',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign('evt_1', now, body),
      };
      return shop.run({ do: 'notice', headers, body });
    };
    const foreign = 'whsec_6Gr1Wk3R7BYcBLLD4yWQk0mgAq4KZcQYdEObXgG3zVY=';
    for (let times = 0; times < 3; times += 1) expect(await send(foreign)).toBe(400);
    expect((await shop.run({ do: 'reports' })).join()).toMatch(/signature_wrong/);
    expect(await send(await shop.run({ do: 'secret' }))).toBe(204);
    expect(await state(8)).toMatchObject({ isPaid: false, isHeld: false });
    expect(await shop.run({ do: 'reports' })).toEqual([]);
  });

  test('finds payments whose notices a firewall blocks, and shows the owner the firewall’s response', async () => {
    await shut();
    for (const id of [11, 12, 13]) {
      await shop.run({ do: 'buy', id, fields });
      await pay(id);
    }
    const lastAnswer = async (id: number): Promise<number | undefined> => {
      const query = `type=payment_request.paid&entity_name=payment_request&entity_id=${await requestOf(id)}`;
      const { body } = await service.call('GET', `/event?${query}`);
      const [event] = body.data;
      if (!event) return undefined;
      const sent = await service.call('GET', `/event/${event.id}/deliveries`);
      return sent.body.data[0]?.attempts.at(-1)?.status;
    };
    for (const id of [11, 12, 13]) await expect.poll(() => lastAnswer(id)).toBe(403);
    // The event enters the feed a moment after its payment.
    const paid = async () => {
      await shop.run({ do: 'poll' });
      return await Promise.all([11, 12, 13].map(async (id) => (await state(id)).isPaid));
    };
    await expect.poll(paid).toEqual([true, true, true]);
    expect((await shop.run({ do: 'reports' })).join()).toMatch(/3 payments.*403/);
    await open();
  });

  test('reports that a proxy answered, charges nothing, and logs no key', async () => {
    await open();
    proxy.spoil((_request, response) => {
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end(`<h1>Bad gateway</h1> ${testKey}`);
      return true;
    });
    const failed = await shop.run({ do: 'buy', id: 14, fields });
    expect(failed).toMatchObject({ result: 'failure' });
    expect(failed.notices.join()).toMatch(/Nothing was charged/);
    expect(await shop.run({ do: 'poll' })).toBe(false);
    proxy.spoil(null);
    expect(await shop.run({ do: 'pay', id: 14 })).toMatchObject({ result: 'success' });
    expect(await shop.log()).toMatch(/502/);
    expect(await shop.log()).not.toContain(testKey);
  });

  test('continues after an order that its shop cannot change, and retries it', async () => {
    await shut();
    const one = await openShop(kind, service, { workers: 1 });
    await one.route(async () => 403);
    for (const id of [1, 2]) await one.run({ do: 'buy', id, fields });
    const { body } = await service.call('GET', '/payment-request?limit=100&state=pending');
    const reference = await one.run({ do: 'reference', id: 1 });
    const own = body.data.filter((row: { external_reference?: string }) =>
      row.external_reference?.startsWith(reference.slice(0, -1)),
    );
    for (const { id } of own) await service.call('POST', `/sandbox/pay/${id}`, { body: {} });
    await one.run({ do: 'break' });
    const reports = async () => {
      await one.run({ do: 'poll' });
      return (await one.run({ do: 'reports' })).join();
    };
    await expect.poll(reports).toMatch(/2 payments could not/);
    expect(await one.run({ do: 'state', id: 1 })).toMatchObject({ isPaid: false });
    await one.run({ do: 'mend' });
    await one.run({ do: 'poll' });
    for (const id of [1, 2]) {
      expect(await one.run({ do: 'state', id })).toMatchObject({ isPaid: true });
    }
    expect(await one.run({ do: 'reports' })).toEqual([]);
    await one.close();
  });
}
