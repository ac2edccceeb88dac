import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { repeatAnnulments } from '../../connectors/payway/annulments.ts';
import { openApi } from '../../connectors/payway/api.ts';
import { readPaywayConfig } from '../../connectors/payway/config.ts';
import type { Payment } from '../../connectors/payway/emulator/book.ts';
import { newSecret } from './caller.ts';
import { openAcquirer, paywaySettings, storePayments, tokenFrom } from './payway.ts';

vi.setConfig({ testTimeout: 60_000 });

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Opens the annulments in front of a site, whose line breaks for the calls that `breaks` names. */
async function openSite(
  payments: readonly Partial<Payment>[],
  breaks: (call: string) => boolean,
): Promise<{
  acquirer: Awaited<ReturnType<typeof openAcquirer>>;
  run: () => Promise<void>;
  calls: string[];
  charged: () => Promise<number[]>;
}> {
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-annulments-'));
  closing.push(() => rm(folder, { recursive: true, force: true }));
  storePayments(path.join(folder, 'emulator'), payments);
  const acquirer = await openAcquirer(path.join(folder, 'emulator'));
  closing.push(acquirer.stop);
  const { origin } = new URL(acquirer.url);
  const calls: string[] = [];
  const line = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const call = `${method} ${url}`;
    calls.push(call);
    if (breaks(call)) return void response.destroy();
    const apikey = String(headers.apikey);
    const answer = await fetch(`${origin}${url}`, {
      method,
      headers: { apikey, ...(method === 'POST' && { 'content-type': 'application/json' }) },
      ...(method === 'POST' && { body: '{}' }),
    });
    response.writeHead(answer.status).end(await answer.text());
  });
  await new Promise<void>((resolve) => line.listen(0, '127.0.0.1', resolve));
  closing.push(() => new Promise((resolve) => line.close(resolve)));
  const port = Object(line.address()).port;
  const config = readPaywayConfig({
    ...paywaySettings({ secret: newSecret(), folder, acquirer: `http://127.0.0.1:${port}` }),
    CONNECTOR_CHECKOUT_ORIGINS: 'http://127.0.0.1:9',
  });
  const api = openApi(config);
  closing.push(api.close);
  const { run } = repeatAnnulments({ api, config });
  return {
    acquirer,
    run: () => run(new AbortController().signal),
    calls,
    async charged() {
      const { results } = await acquirer.get('/api/v2/payments?pageSize=50');
      return results
        .filter(({ status }) => status === 'approved')
        .map((one) => Object(one).id)
        .toSorted();
    },
  };
}

const pesoOf = (no: number) => ({ site_transaction_id: `T1-KA1B2C3D4-M${no}-1`, amount: 100 });
const otherOf = (no: number) => ({ site_transaction_id: `X-${no}` });

test('continues an interrupted run after the payments that it read', async () => {
  const others = Array.from({ length: 310 }, (_, no) => otherOf(no));
  let broken = 0;
  const site = await openSite([pesoOf(1), ...others], (call) => {
    const isBroken = call.includes('offset=200&') && broken === 0;
    broken += Number(isBroken);
    return isBroken;
  });
  await expect(site.run()).rejects.toThrow();
  const { status } = await site.acquirer.post('/api/v2/payments', {
    ...{
      site_transaction_id: 'T1-1',
      token: await tokenFrom(site.acquirer.url, '4507990000004905'),
    },
    ...{ payment_method_id: 1, bin: '450799', amount: 5_000, currency: 'ARS', installments: 1 },
    ...{ payment_type: 'single', sub_payments: [] },
  });
  expect(status).toBe(201);
  site.calls.length = 0;
  await site.run();
  const offsets = site.calls.flatMap((call) => /offset=(\d+)/.exec(call)?.[1] ?? []);
  expect(offsets).toEqual(['0', '201', '251', '301']);
  expect(site.calls).toContain('POST /api/v2/payments/1/refunds');
});

test('goes on after an annulment that fails, and repeats it in the next run', async () => {
  let broken = 0;
  const site = await openSite([pesoOf(1), pesoOf(2), otherOf(3)], (call) => {
    const isBroken = call.startsWith('POST') && broken === 0;
    broken += Number(isBroken);
    return isBroken;
  });
  await expect(site.run()).rejects.toThrow('may remain charged');
  expect(await site.charged()).toEqual([2, 3]);
  await site.run();
  expect(await site.charged()).toEqual([3]);
});
