import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { boundedJson, longestAnswer } from '../../src/cli/mcp/answers.ts';
import { readCodes } from '../../src/cli/mcp/reference.ts';
import { declaredCodes } from '../../tools/refusal-codes.ts';
import { inDays } from '../harness/builders/clock.ts';
import { adhesionBody } from '../harness/builders/mandates.ts';
import { bundledProgram } from '../harness/built.ts';
import { startService, type TestService, testKey } from '../harness/service.ts';
import { recaudo } from './run.ts';

vi.setConfig({ testTimeout: 60_000 });

interface Agent {
  ask(method: string, params?: object): Promise<Record<string, never>>;
  /** Calls a tool. The value is the parsed text, or null for an error or a cut answer. */
  // biome-ignore lint/suspicious/noExplicitAny: answers have every shape
  use(name: string, args?: object): Promise<{ failed: boolean; text: string; value: any }>;
  /** Everything that the process has written. */
  written(): string;
  /** Ends stdin and returns the exit code. */
  leave(): Promise<number | null>;
}

const children: ChildProcess[] = [];

/** Starts `recaudo mcp` as a separate process and exchanges JSON-RPC lines with it. */
async function startAgent(env: Record<string, string>, args: string[] = []): Promise<Agent> {
  const child = spawn(process.execPath, [...bundledProgram, 'mcp', ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  children.push(child);
  const closed = once(child, 'close');
  let written = '';
  child.stderr.on('data', (bytes) => {
    written += bytes;
  });
  const waiting = new Map<number, (message: Record<string, never>) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    written += `${line}\n`;
    const message = JSON.parse(line);
    waiting.get(message.id)?.(message);
  });
  let last = 0;
  const send = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);
  const ask: Agent['ask'] = (method, params) => {
    last += 1;
    const { promise, resolve } = Promise.withResolvers<Record<string, never>>();
    waiting.set(last, resolve);
    send({ jsonrpc: '2.0', id: last, method, params });
    return promise;
  };
  await ask('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  });
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    ask,
    async use(name, args = {}) {
      const { result, error } = (await ask('tools/call', { name, arguments: args })) as {
        result?: { isError?: boolean; content: { text: string }[] };
        error?: { message: string };
      };
      const text = result?.content[0]?.text ?? error?.message ?? '';
      const failed = result?.isError ?? result === undefined;
      const isWhole = !failed && !text.includes('… (cut: ');
      return { failed, text, value: isWhole ? JSON.parse(text) : null };
    },
    written: () => written,
    async leave() {
      child.stdin.end();
      const [code] = await closed;
      return code;
    },
  };
}

let service: TestService;
let agent: Agent;
beforeAll(async () => {
  service = await startService();
  agent = await startAgent({ RECAUDO_URL: service.origin, RECAUDO_KEY: testKey });
});
afterAll(async () => {
  for (const child of children) child.kill();
  await service?.stop();
});

const order = (more: object = {}) => ({
  description: 'Cuota de diciembre',
  payer_name: 'Ana Pérez',
  first_total: 1430.5,
  first_due_date: inDays(service, 10),
  ...more,
});

test('offers at most 15 described, strict tools, and marks the destructive and the read-only ones', async () => {
  const { result } = await agent.ask('tools/list');
  const { tools } = result as unknown as {
    tools: {
      name: string;
      description: string;
      inputSchema: { additionalProperties: boolean };
      annotations: Record<string, boolean>;
    }[];
  };
  expect(tools.length).toBeLessThanOrEqual(15);
  for (const { name, description, inputSchema } of tools) {
    expect([name, inputSchema.additionalProperties, description.length > 30]).toEqual([
      name,
      false,
      true,
    ]);
  }
  const named = (hint: string) =>
    tools.filter(({ annotations }) => annotations[hint]).map(({ name }) => name);
  expect(named('destructiveHint')).toEqual(['refund', 'create_debit', 'cancel']);
  expect(named('readOnlyHint')).toEqual([
    ...['explain_debit', 'find', 'get', 'get_balances', 'get_report', 'list_events'],
    'explain_code',
  ]);
});

test('creates, finds, pays, refunds and reports a payment', async () => {
  const asked = order({ external_reference: 'order 66', idempotency_key: 'order 66' });
  const [made, again] = [
    await agent.use('create_payment_request', asked),
    await agent.use('create_payment_request', asked),
  ];
  expect(again.value.id).toBe(made.value.id);
  const { id } = made.value;
  const found = await agent.use('find', {
    kind: 'payment_request',
    external_reference: 'order 66',
  });
  expect(found.value).toMatchObject({ data: [{ id, state: 'pending' }], more: false });
  const paid = await agent.use('sandbox_pay', { request_id: id, channel: 'credit_card' });
  expect(paid.value.state).toBe('paid');
  const refunded = await agent.use('refund', { kind: 'payment_request', id, amount: 30.5 });
  expect(refunded.value.amount).toBe(30.5);
  const read = await agent.use('get', { kind: 'payment_request', id });
  expect(read.value).toMatchObject({ state: 'paid', refunds: [{ amount: 30.5 }] });
  const { value: clock } = await agent.use('sandbox_clock');
  const report = await agent.use('get_report', {
    kind: 'collection',
    date: clock.now.slice(0, 10),
  });
  expect(report.value).toMatchObject({ rows: 1, sums: { amount_paid: 1430.5 } });
  const balances = await agent.use('get_balances');
  expect(balances.value.unavailable_balance).toBeGreaterThan(0);
});

test('continues lists after the last id', async () => {
  for (const no of [1, 2, 3]) {
    await agent.use(
      'create_payment_request',
      order({ external_reference: 'lote', payer_name: `${no}` }),
    );
  }
  const filters = { kind: 'payment_request', external_reference: 'lote', limit: 2 };
  const first = await agent.use('find', filters);
  expect([first.value.data.length, first.value.more]).toEqual([2, true]);
  const rest = await agent.use('find', { ...filters, after: first.value.next_after });
  expect([rest.value.data.length, rest.value.more]).toEqual([1, false]);
  expect(rest.value.data[0].payer_name).toBe('3');
});

test('explains why a debit was rejected, and shows no account number', async () => {
  const { adhesion } = adhesionBody();
  const mandate = await agent.use('create_mandate', adhesion);
  expect(mandate.value.cbu_number).toBe(`…${adhesion.cbu_number.slice(-4)}`);
  const debit = await agent.use('create_debit', {
    mandate: 'adhesion',
    mandate_id: mandate.value.id,
    amount: 100.91,
    description: 'Cuota',
    first_due_date: inDays(service, 20),
  });
  expect(debit.text).not.toContain(adhesion.cbu_number);
  await agent.use('sandbox_clock', { days: 30 });
  const why = await agent.use('explain_debit', { kind: 'debit_request', id: debit.value.id });
  expect(why.value).toMatchObject({
    state: 'rejected',
    refusals: [{ code: 'R10', Meaning: 'Insufficient funds.', Consequence: expect.any(String) }],
    mandate: { id: mandate.value.id, state: 'signed' },
  });
  const ended = await agent.use('cancel', { kind: 'adhesion', id: mandate.value.id });
  expect(ended.value.state).toBe('canceled');
});

test('creates a QR and reads its state', async () => {
  const made = await agent.use('create_qr', { ...order(), id: 'mesa-1', city: 'Rosario' });
  expect(made.value.qr_string).toMatch(/^000201/);
  const read = await agent.use('get', { kind: 'qr', id: made.value.id });
  expect(read.value.status).toBe('Pending');
});

test('rejects invalid calls with the argument, or with the field, code and remedy of a refusal', async () => {
  const faults = [
    await agent.use('get', { kind: 'payment_request' }),
    await agent.use('find', { kind: 'order' }),
    await agent.use('refund', { kind: 'qr', id: 'x', amonut: 1 }),
    await agent.use('create_debit', {
      mandate: 'adhesion',
      mandate_id: 1,
      amount: 1,
      description: 'x',
    }),
    await agent.use('create_payment_request', order({ first_due_date: '31-02-2030' })),
    await agent.use('get', { kind: 'debit_request', id: 987_654 }),
    await agent.use('no_such_tool'),
  ];
  expect(faults.map(({ failed }) => failed)).toEqual(faults.map(() => true));
  const texts = faults.map(({ text }) => text);
  expect(texts[0]).toContain("required property 'id'");
  expect(texts[1]).toMatch(/kind must be equal to one of the allowed values/);
  expect(texts[2]).toContain('must NOT have additional properties');
  expect(texts[3]).toContain('first_due_date');
  expect(texts[4]).toMatch(/first_due_date: .+\(.+\)\n.*explain_code explains invalid_fields/s);
  expect(texts[5]).toMatch(/debit.*404/);
  expect(texts[6]).toContain('no_such_tool');
});

test('explains each code of the service', async () => {
  const known = await readCodes();
  const declared = (await declaredCodes()).flatMap(({ codes }) =>
    Object.entries(codes).flatMap(([code, { kind }]) => (kind === 'part' ? [] : [code])),
  );
  expect(declared.filter((code) => !known.has(code))).toEqual([]);
  const found = await agent.use('explain_code', { code: 'payment_request.not_found' });
  expect(found.value).toMatchObject({ code: 'payment_request.not_found', Status: '404' });
  const missed = await agent.use('explain_code', { code: 'payment_request.not' });
  expect([missed.failed, missed.text]).toEqual([
    true,
    expect.stringContaining('payment_request.not_found'),
  ]);
});

test('limits the size of answers', async () => {
  const metadata = { note: 'y'.repeat(15_900) };
  const body = { payment_request: order({ external_reference: 'big', metadata }) };
  const ids: number[] = [];
  for (let no = 0; no < 2; no += 1) {
    ids.push((await service.call('POST', '/payment-request', { body })).body.id);
  }
  const read = await agent.use('get', { kind: 'payment_request', id: ids[0] });
  expect(read.text.length).toBeLessThan(longestAnswer + 200);
  expect(read.text).toContain('(cut: ');
  const found = await agent.use('find', { kind: 'payment_request', external_reference: 'big' });
  expect(found.value.data.map(({ id }: { id: number }) => id)).toEqual(ids);
  const many = Array.from({ length: 100 }, (_, id) => ({ id, text: 'x'.repeat(1000) }));
  const { data, left_out } = JSON.parse(boundedJson({ data: many }));
  expect(data.length + left_out).toBe(100);
  expect(data.length).toBeGreaterThan(5);
});

test('never writes the key, returns the idempotency key of an unanswered call, and exits with stdin', async () => {
  // A proxy that echoes the request.
  const echo = createServer((request, response) => {
    if (request.url === '/status') {
      response.setHeader('content-type', 'application/json');
      response.end('{"environment":"sandbox"}');
    } else {
      response.statusCode = 400;
      response.setHeader('content-type', 'application/json');
      const message = `refused ${request.headers.authorization}`;
      response.end(JSON.stringify({ error_code: 'x', message, errors: [message] }));
    }
  }).listen(0, '127.0.0.1');
  await once(echo, 'listening');
  const { port } = echo.address() as AddressInfo;
  const other = await startAgent({ RECAUDO_URL: `http://127.0.0.1:${port}`, RECAUDO_KEY: testKey });
  const refused = await other.use('get_balances');
  expect([refused.failed, refused.text]).toEqual([
    true,
    expect.stringContaining('refused Bearer …'),
  ]);
  echo.closeAllConnections();
  echo.close();
  const gone = await other.use('create_payment_request', order());
  expect(gone.text).toMatch(/not reached.+idempotency_key "[\w-]+"/);
  expect(await other.leave()).toBe(0);
  expect(other.written() + agent.written()).not.toContain(testKey);
});

test('refuses a production key, and calls to a production service, without --live', async () => {
  const live = 'rk_live_0123456789abcdefghijklmnopqrstuv';
  const refused = await recaudo(['mcp'], { RECAUDO_KEY: live });
  expect([refused.code, refused.stdout]).toEqual([2, '']);
  expect(refused.stderr).toMatch(/--live/);
  expect(refused.stderr).not.toContain(live.slice(8));
  for (const env of [{}, { RECAUDO_KEY: 'a b' }, { RECAUDO_KEY: 'a', RECAUDO_URL: 'ftp://x' }]) {
    expect((await recaudo(['mcp'], env)).code).toBe(2);
  }

  const seen: (string | undefined)[] = [];
  const production = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.setHeader('content-type', 'application/json');
    response.end('{"environment":"production","available_balance":5}');
  }).listen(0, '127.0.0.1');
  await once(production, 'listening');
  const { port } = production.address() as AddressInfo;
  const env = { RECAUDO_URL: `http://127.0.0.1:${port}`, RECAUDO_KEY: 'a-key' };
  const [careful, asked] = [await startAgent(env), await startAgent(env, ['--live'])];
  const stopped = await careful.use('get_balances');
  expect([stopped.failed, stopped.text]).toEqual([true, expect.stringContaining('--live')]);
  expect(seen).toEqual([undefined]);
  expect((await careful.use('explain_code', { code: 'R10' })).failed).toBe(false);
  expect((await asked.use('get_balances')).value.available_balance).toBe(5);
  expect((await asked.use('sandbox_clock', { days: 1 })).text).toContain('not found');
  production.close();
});
