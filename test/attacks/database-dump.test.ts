import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLinks } from '../../src/platform/links.ts';
import { createSecrets } from '../../src/webhooks/subscriptions/secret.ts';
import {
  adhesionBody,
  cardAdhesionBody,
  card as cardNumber,
  signingUrl,
} from '../harness/builders/mandates.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { ringOf } from '../harness/keys.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';

let service: TestService;
let checkout: string;
let webhook: { id: number; secret: string };
let adhesion: number;
let cardAdhesion: number;
let batchSecret: string;
let dump: string[];

/** Returns every row of every table, as a backup has it. */
async function dumpAll(): Promise<string[]> {
  const { sql } = service;
  const tables = await sql<{ name: string }[]>`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const rows = await Promise.all(
    tables.map(({ name }) =>
      sql.unsafe<{ text: string }[]>(`select row_to_json(t)::text as text from ${name} t`),
    ),
  );
  return rows.flat().map(({ text }) => text);
}

beforeAll(async () => {
  // Without a worker, e-mails stay queued: a backup may be taken at any moment.
  service = await startService({ ROLES: 'payments,qr' });
  const post = async (path: string, body: unknown) => {
    const answer = await service.call('POST', path, { body });
    expect(answer.status, answer.text).toBe(201);
    return answer.body;
  };
  const unsigned = { email: 'ana+nosign@example.com' };
  ({ checkout_url: checkout } = await post('/payment-request', paymentRequestBody(service)));
  ({ id: adhesion } = await post('/adhesion', adhesionBody(unsigned)));
  ({ id: cardAdhesion } = await post('/card-adhesion', cardAdhesionBody(unsigned)));
  const event_types = ['payment_request.paid'];
  const body = { webhook: { url: 'http://127.0.0.1:9/', event_types } };
  const headers = { 'Idempotency-Key': 'kept with its answer' };
  ({ body: webhook } = await service.call('POST', '/webhook', { body, headers }));
  ({
    body: { webhook_secret: batchSecret },
  } = await service.call('GET', '/bucket-url'));
  await service.call('GET', '/card-adhesion/public-key');
  dump = await dumpAll();
});
afterAll(() => service.stop());

const tokenIn = (url: string): string => url.split('/').at(-1) ?? '';

/** Returns every text and every run of bytes in the dump, as candidates for a key. */
function candidates(): string[] {
  const found = new Set<string>();
  for (const [text] of dump.join('\n').matchAll(/[\w+/=-]{16,}/g)) {
    found.add(text);
    for (const encoding of ['hex', 'base64', 'base64url'] as const) {
      const bytes = Buffer.from(text.replace(/^x/, ''), encoding);
      if (bytes.length < 16) continue;
      found.add(bytes.toString('hex'));
      found.add(bytes.subarray(0, 32).toString('hex'));
      found.add(bytes.subarray(-32).toString('hex'));
    }
  }
  return [...found];
}

test('keeps out of a dump every key that could forge links for checkout or signing', () => {
  const wanted = new Set([
    tokenIn(checkout),
    tokenIn(signingUrl(service, 'adhesion', adhesion)),
    tokenIn(signingUrl(service, 'card_adhesion', cardAdhesion)),
  ]);
  const keys = candidates();
  expect(keys.length).toBeGreaterThan(50);
  const { no } = { no: Number.parseInt(tokenIn(checkout).split('-')[2] ?? '', 36) };
  expect(no).toBe(1);
  for (const key of keys) {
    const forged = createLinks('https://x.example', ringOf(key));
    for (const [purpose, id] of [
      ['request', Number.parseInt(tokenIn(checkout).split('-')[1] ?? '', 36)],
      ['adhesion', adhesion],
      ['card_adhesion', cardAdhesion],
    ] as const) {
      expect(wanted).not.toContain(forged.tokenOf({ accountId: testAccount, id }, purpose));
    }
  }
});

test('keeps signing links out of a dump, even while their e-mails are queued', () => {
  const text = dump.join('\n');
  expect(text).toContain('Autorizá el débito automático');
  for (const [kind, id] of [
    ['adhesion', adhesion],
    ['card_adhesion', cardAdhesion],
  ] as const) {
    const mac = tokenIn(signingUrl(service, kind, id)).slice(-22);
    expect(text).not.toContain(mac);
  }
});

test('keeps out of a dump every secret or key that could forge webhook signatures', () => {
  const text = dump.join('\n');
  for (const secret of [webhook.secret, batchSecret]) {
    const bytes = Buffer.from(secret.replace('whsec_', ''), 'base64');
    expect(bytes).toHaveLength(32);
    for (const form of [secret, bytes.toString('hex'), bytes.toString('base64url')]) {
      expect(text).not.toContain(form);
    }
  }
  for (const key of candidates()) {
    const forged = createSecrets(ringOf(key)).secretOf({
      accountId: testAccount,
      webhookId: webhook.id,
      no: 1,
      keyNo: 1,
    });
    expect(forged).not.toBe(webhook.secret);
    const plain = createHmac('sha256', Buffer.from(key, 'hex'))
      .update(`webhook|${testAccount}|${webhook.id}|1`)
      .digest('base64');
    expect(`whsec_${plain}`).not.toBe(webhook.secret);
  }
});

test('keeps card numbers and private keys out of a dump', () => {
  const text = dump.join('\n');
  for (const form of [cardNumber, Buffer.from(cardNumber).toString('hex'), 'PRIVATE KEY']) {
    expect(text).not.toContain(form);
    expect(text).not.toContain(Buffer.from(form).toString('hex'));
  }
});
