import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readStoredText } from '../../../src/platform/refusals.ts';
import { createBulkVerbs } from '../../../src/qr/index.ts';
import { fault } from '../../../src/webhooks/codes.ts';
import { testOperator } from '../../harness/actors.ts';
import { documentOf, item, items } from '../../harness/builders/imports.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { openAccount } from '../../webhooks/account.ts';

interface Message {
  accountId: string;
  entity: string;
  entityId: string;
  url: string;
}

const ctx = { accountId: testAccount, actor: testOperator };
const running = new AbortController().signal;
const url = 'https://example.com/imports';
/** An address that is not allowed. */
const closed = 'https://10.0.0.1/imports';

let service: TestService;
let told: Message[];
let bulk: ReturnType<typeof createBulkVerbs>;
/** Error thrown for the next message. */
let trouble: Error | null;
/** Answer of the name server of this host, which is silent by default. */
const slow = 'https://slow.example/imports';
let answer: Promise<null>;
let lookUps: string[];

beforeAll(async () => {
  // Without a worker, so that each test decides when work is done.
  service = await startService({ ROLES: 'qr' });
  const { base, links } = service.service.parts;
  bulk = createBulkVerbs(base, {
    links,
    s3: null,
    quota: { open: 20, bytes: 1024 * 1024 },
    notifyOnce: async (sql, message) => {
      const failing = trouble;
      trouble = null;
      // Written in the transaction that ends the batch, so a rollback undoes it too.
      await sql`insert into calendar_days (day, kind) values ('2031-01-01', 'bank')
        on conflict (day) do update set kind = ${message.entityId}`;
      if (failing) throw failing;
      told.push(message);
    },
    addressFault: async (address, accountId) => {
      if (address === slow) {
        lookUps.push(accountId);
        return await answer;
      }
      return address === closed ? fault('webhook.url_port', { first: 1024 }) : null;
    },
    onceSecret: (...names) => ({ secret: names.join(' '), keyNo: 1 }),
  });
});
beforeEach(() => {
  told = [];
  trouble = null;
  answer = new Promise(() => {});
  lookUps = [];
});
afterAll(() => service.stop());

/** Uploads a document. Returns the batch's id. */
async function uploaded(document: string, accountId = testAccount): Promise<string> {
  const opened = await bulk.open({ ...ctx, accountId });
  const key = { accountId, id: Number(opened.id) };
  async function* body() {
    yield Buffer.from(document);
  }
  await bulk.receive(key, body());
  return opened.id;
}

const stateOf = async (id: string): Promise<string> =>
  (await bulk.result(ctx, { id, page: 1 })).batch.state;

test('returns the secret that signs an import’s messages when it is opened', async () => {
  const { id, webhookSecret } = await bulk.open(ctx);
  expect(webhookSecret).toBe(`${testAccount} qr_batch ${id}`);
});

test('notifies a document’s webhook_url of the import’s end once', async () => {
  const id = await uploaded(documentOf(items(1_200, 'told'), { webhook_url: url }));
  expect(told).toEqual([]);
  await bulk.work(running);
  await bulk.work(running);
  expect(await stateOf(id)).toBe('completed');
  const entity = 'qr_batch';
  const webhook = {
    accountId: testAccount,
    id: expect.any(Number),
    entity,
    entityId: id,
    keyNo: 1,
  };
  expect(told).toEqual([{ ...webhook, url }]);
});

test('notifies the webhook_url of a failure too, unless the document is cut short', async () => {
  const id = await uploaded(documentOf([item('less')], { webhook_url: url, total_count: 7 }));
  await bulk.work(running);
  expect(await stateOf(id)).toBe('failed');
  expect(told.map(({ entityId }) => entityId)).toEqual([id]);
  await uploaded(documentOf([item('cut')], { webhook_url: url }).slice(0, -1));
  await bulk.work(running);
  expect(told.length).toBe(1);
});

test.each([undefined, null, ''])('sends nothing if webhook_url is %j', async (none) => {
  const id = await uploaded(documentOf([item(`none-${none}`)], { webhook_url: none }));
  await bulk.work(running);
  expect(await stateOf(id)).toBe('completed');
  expect(told).toEqual([]);
});

test('repeats the last step of an import as a whole if its notice could not be stored', async () => {
  const id = await uploaded(documentOf(items(3, 'again'), { webhook_url: url }));
  trouble = new Error('no message now');
  await bulk.work(running);
  expect(await stateOf(id)).toBe('processing');
  await service.sql`update batches set look_at = created_at where id = ${id}`;
  await bulk.work(running);
  expect(await stateOf(id)).toBe('completed');
  expect(told.length).toBe(1);
  const events = await service.sql`
    select type from events where entity = 'qr_batch' and entity_id = ${id} order by version`;
  expect(events).toEqual([{ type: 'qr_batch.opened' }, { type: 'qr_batch.completed' }]);
});

test('creates each item once, although workers lose their leases to each other', async () => {
  const id = await uploaded(documentOf(items(3_000, 'slow')));
  // Each worker claims the batch while another holds it, as after a long pause.
  const impatient = setInterval(() => {
    void service.sql`update batches set look_at = created_at where id = ${id} and look_at is not null`;
  }, 5);
  try {
    await Promise.all([bulk.work(running), bulk.work(running), bulk.work(running)]);
    await expect
      .poll(async () => {
        await bulk.work(running);
        return await stateOf(id);
      })
      .toBe('completed');
  } finally {
    clearInterval(impatient);
  }
  const { batch } = await bulk.result(ctx, { id, page: 1 });
  expect(batch).toMatchObject({ created: 3_000, rejected: 0, next_index: 3_000 });
  const events = await service.sql`
    select type from events where entity = 'qr_batch' and entity_id = ${id} order by version`;
  expect(events).toEqual([{ type: 'qr_batch.opened' }, { type: 'qr_batch.completed' }]);
});

test('hands a stopped worker’s batch to the next worker at once', async () => {
  const id = await uploaded(documentOf(items(2_500, 'left')));
  const stopping = new AbortController();
  const work = bulk.work(stopping.signal);
  await expect
    .poll(async () => (await bulk.result(ctx, { id, page: 1 })).batch.next_index, { interval: 1 })
    .toBeGreaterThan(0);
  stopping.abort();
  await work;
  await bulk.work(running);
  expect((await bulk.result(ctx, { id, page: 1 })).batch).toMatchObject({
    state: 'completed',
    created: 2_500,
  });
});

test('fails the import before creating anything if the address is not allowed', async () => {
  const { sql } = service.service.parts.base;
  const count = () => sql`select count(*) from requests`;
  const before = await count();
  const id = await uploaded(documentOf([item('closed')], { webhook_url: closed }));
  await bulk.work(running);
  const { batch } = await bulk.result(ctx, { id, page: 1 });
  expect(batch.state).toBe('failed');
  expect(String(readStoredText(batch.error ?? ''))).toBe(
    '"webhook_url" is not usable. This value must use port 443 or one from 1024 to 65535.',
  );
  expect(await count()).toEqual(before);
  expect(told).toEqual([]);
});

describe('a name server that does not answer', () => {
  /** Makes an import due, and works on what is due. */
  async function workOn(id: string): Promise<void> {
    await service.sql`update batches set look_at = created_at where id = ${id}`;
    await bulk.work(running);
  }

  test('delays no other account, and only its own import if it answers late', async () => {
    const id = await uploaded(documentOf([item('late')], { webhook_url: slow }));
    const other = await openAccount(service);
    const theirs = await uploaded(documentOf([item('other')]), other.id);
    await bulk.work(running);
    const result = await bulk.result({ ...ctx, accountId: other.id }, { id: theirs, page: 1 });
    expect(result.batch.state).toBe('completed');
    expect(lookUps).toEqual([testAccount]);
    expect(await stateOf(id)).toBe('processing');
    answer = Promise.resolve(null);
    await workOn(id);
    expect(await stateOf(id)).toBe('completed');
    expect(told.map(({ url }) => url)).toEqual([slow]);
  });

  test('fails its import after a few look-ups, before creating anything', async () => {
    const id = await uploaded(documentOf([item('never')], { webhook_url: slow }));
    for (let tries = 0; tries < 10 && (await stateOf(id)) === 'processing'; tries += 1) {
      await workOn(id);
    }
    const { batch } = await bulk.result(ctx, { id, page: 1 });
    expect(batch).toMatchObject({ state: 'failed', created: 0 });
    expect(String(readStoredText(batch.error ?? ''))).toBe(
      'The name servers of "webhook_url" do not answer.',
    );
    expect(lookUps).toHaveLength(5);
    expect(told).toEqual([]);
  });
});
