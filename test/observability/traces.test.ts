import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { contextOf, createTracer } from '../../src/platform/tracing.ts';
import { type Played, playConnector } from '../connectors/played.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { startService, type TestService } from '../harness/service.ts';
import { playerOf } from '../scenarios/play.ts';

interface ReceivedSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, string> }[];
}

const traceId = '0af7651916cd43dd8448eb211c80319c';
const parent = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${parent}-01`;

let server: Server;
let spans: ReceivedSpan[];
let status: number;
const headersSeen: string[] = [];

/** Starts a receiver of OTLP and of webhooks. */
beforeAll(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.url === '/hook') headersSeen.push(String(request.headers.traceparent));
    if (request.url === '/v1/traces') {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      for (const { scopeSpans } of body.resourceSpans) {
        for (const scope of scopeSpans) spans.push(...scope.spans);
      }
    }
    response.writeHead(request.url === '/v1/traces' ? status : 200).end('{}');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => void server.close());
beforeEach(() => {
  spans = [];
  status = 200;
});

const receiver = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

describe('a service with a receiver of traces', () => {
  let service: TestService;
  let bank: Played;
  beforeAll(async () => {
    bank = await playConnector('bank', ['DEBIN']);
    service = await startService({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver()}/`,
      CONNECTORS: JSON.stringify([bank.configured()]),
    });
  });
  afterAll(async () => {
    await service?.stop();
    await bank?.stop();
  });
  const ofTrace = () => spans.filter((span) => span.traceId === traceId);
  const create = (headers: Record<string, string>) =>
    service.call('POST', '/payment-request', { body: paymentRequestBody(service), headers });

  test('continues a caller’s trace, through the batch to the database', async () => {
    expect((await create({ traceparent })).status).toBe(201);
    await expect.poll(() => ofTrace().length, { timeout: 10_000 }).toBeGreaterThanOrEqual(3);
    const [root] = ofTrace().filter(({ name }) => name === 'POST /payment-request');
    expect(root).toMatchObject({ parentSpanId: parent, kind: 2 });
    expect(BigInt(root?.endTimeUnixNano ?? 0) >= BigInt(root?.startTimeUnixNano ?? 1)).toBe(true);
    const [batch] = ofTrace().filter(({ name }) => name === 'batch');
    expect(batch?.parentSpanId).toBe(root?.spanId);
    expect(ofTrace()).toContainEqual(
      expect.objectContaining({ name: 'statement', parentSpanId: batch?.spanId, kind: 3 }),
    );
  });

  test('exports no unsampled trace, and begins a new one for a malformed header', async () => {
    await create({ traceparent: traceparent.replace(/1$/, '0') });
    await create({ traceparent: `${traceparent}x` });
    const roots = () => spans.filter(({ name }) => name === 'POST /payment-request');
    await expect.poll(() => roots().length, { timeout: 10_000 }).toBe(1);
    expect(roots()[0]).not.toHaveProperty('parentSpanId');
    expect(ofTrace()).toEqual([]);
  });

  test('traces calls to connectors, sends a trace context with webhooks, and exports no SQL or keys', async () => {
    await service.call('POST', '/webhook', {
      body: { webhook: { url: `${receiver()}/hook`, event_types: ['payment_request.paid'] } },
    });
    const id = await playerOf(service).create();
    const paid = await service.call('POST', `/sandbox/pay/${id}`, {
      body: { channel: 'DEBIN' },
      headers: { traceparent },
    });
    expect(paid.status).toBe(200);
    await expect
      .poll(() => ofTrace().map(({ name }) => name), { timeout: 10_000 })
      .toContain('PUT connector');
    await expect.poll(() => headersSeen.length, { timeout: 10_000 }).toBeGreaterThan(0);
    expect(contextOf(headersSeen[0])).toMatchObject({ sampled: true });
    const words = JSON.stringify(spans);
    expect(words).not.toMatch(/insert into|test-key|\/sandbox\/pay\/\d/);
  });
});

describe('an exporter', () => {
  let dropped: number;
  const tracerAt = (endpoint: string, ratio = 1) =>
    createTracer({
      ...{ endpoint, ratio, version: '1', nowMs: Date.now },
      drop: (spans) => {
        dropped += spans;
      },
    });
  beforeEach(() => {
    dropped = 0;
  });
  afterEach(() => {
    spans = [];
  });

  test('drops and counts spans if the receiver refuses, is unreachable, or is slow', async () => {
    status = 503;
    for (const endpoint of [receiver(), 'http://127.0.0.1:1']) {
      const tracer = tracerAt(endpoint);
      tracer.begin('a', 'server').end();
      await tracer.close();
    }
    expect(dropped).toBe(2);
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const tracer = tracerAt(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    for (let no = 0; no < 4_000; no += 1) tracer.begin('a', 'server').end();
    // 512 are being sent, and 2,048 are queued.
    expect(dropped).toBe(2 + 4_000 - 512 - 2_048);
    silent.closeAllConnections();
    silent.close();
    await tracer.close();
  });

  test('exports every span when it closes, or counts it as dropped', async () => {
    const tracer = tracerAt(receiver());
    for (let no = 0; no < 1_800; no += 1) tracer.begin('a', 'server').end();
    await tracer.close();
    tracer.begin('late', 'server').end();
    expect(spans.length + dropped).toBe(1_801);
  });

  test('exports a sample of the traces that the service begins itself', async () => {
    const tracer = tracerAt(receiver(), 0.25);
    for (let no = 0; no < 1_000; no += 1) tracer.begin('a', 'server').end();
    await tracer.close();
    expect(spans.length).toBeGreaterThan(150);
    expect(spans.length).toBeLessThan(350);
  });
});

test.each([
  [traceparent, true],
  [traceparent.replace(/^00/, '01'), true],
  [`${traceparent.replace(/^00/, 'cc')}-more`, true],
  [traceparent.replace(/^00/, 'ff'), false],
  [`${traceparent}-more`, false],
  [traceparent.toUpperCase(), false],
  [`00-${'0'.repeat(32)}-${parent}-01`, false],
  [`00-${traceId}-${'0'.repeat(16)}-01`, false],
  ['', false],
  [undefined, false],
])('treats traceparent %s as valid: %s', (text, taken) => {
  expect(contextOf(text) !== null).toBe(taken);
});
