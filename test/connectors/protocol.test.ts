import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { cardNumbersIn } from '../../connectors/protocol/card-number.ts';
import type { Connector } from '../../connectors/protocol/connector.ts';
import {
  createJournal,
  createNotes,
  createRecentNotes,
  journalTables,
  type Notes,
} from '../../connectors/protocol/journal.ts';
import type { Outcome } from '../../connectors/protocol/messages.ts';
import { type Served, serve } from '../../connectors/protocol/serve.ts';
import { bodyFor, sign, signedText } from '../../connectors/protocol/signature.ts';
import { openStore, type Store } from '../../connectors/protocol/store.ts';
import { type Caller, callerOf, newAttempt, newSecret, orderOf } from './caller.ts';

/** Creates a connector that answers charges once the test lets it, and records their attempts. */
function createWallet() {
  const sent: string[] = [];
  let answer = Promise.withResolvers<void>();
  const wallet: Connector = {
    manifest: {
      protocol: 1,
      name: 'wallet',
      version: '1',
      channels: [
        {
          channel: 'credit_card',
          refunds: [],
          cancel: false,
          answers_within_s: 40,
          settles_within_s: 600,
        },
      ],
      notices: ['charge.changed'],
    },
    charge: async ({ attempt, amount, account }) => {
      sent.push(attempt);
      await answer.promise;
      if (account.settings.broken) throw new Error('the line went dead');
      return { outcome: 'approved', reference: attempt, amount };
    },
    inquire: async () => null,
    list: async () => ({ charges: [] }),
  };
  return {
    wallet,
    sent,
    answers: () => answer.resolve(),
    hangs: () => {
      answer = Promise.withResolvers();
    },
  };
}

let folder: string;
let served: Served;
let office: ReturnType<typeof createWallet>;
let service: Caller;
const [older, newer] = [newSecret(), newSecret()];

const open = (secrets: string[], serviceUrl: string | null = null): Promise<Served> =>
  serve(() => office.wallet, { host: '127.0.0.1', port: 0, dataDir: folder, secrets, serviceUrl });

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-protocol-'));
  office = createWallet();
  office.answers();
  served = await open([older]);
  service = callerOf(() => served.origin, older);
});
afterEach(async () => {
  office.answers();
  await served.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('a charge in progress', () => {
  test('charges once for concurrent calls, and refuses other content', async () => {
    office.hangs();
    const attempt = newAttempt();
    const order = orderOf(attempt);
    const first = service.call('PUT', `/charges/${attempt}`, order);
    await expect.poll(() => office.sent).toEqual([attempt]);
    const second = service.call('PUT', `/charges/${attempt}`, order);
    const changed = await service.call('PUT', `/charges/${attempt}`, { ...order, amount: 1 });
    expect(changed.status).toBe(409);
    expect((await service.ask(`/charges/${attempt}`)).body.outcome).toBe('pending');
    office.answers();
    expect((await first).body).toEqual((await second).body);
    expect(office.sent).toEqual([attempt]);
  });

  test('reports an unknown outcome as pending, then unheard, without resending', async () => {
    const attempt = newAttempt();
    const order = orderOf(attempt, { account: { id: '00A1B2C3', settings: { broken: true } } });
    const address = `/charges/${attempt}`;
    expect((await service.call('PUT', address, order)).status).toBe(502);
    const again = await service.call('PUT', address, order);
    expect(again.body).toEqual({ outcome: 'pending', ask_after_s: 60 });
    const later = new Date(Date.now() + 600_000).toISOString();
    expect((await service.ask(address, later)).body).toEqual({ outcome: 'unheard' });
    expect(office.sent).toEqual([attempt]);
  });

  test('recognizes a repetition with other payer data and a later time', async () => {
    const attempt = newAttempt();
    const first = await service.call('PUT', `/charges/${attempt}`, orderOf(attempt));
    const payer = { name: 'Ana Pérez', email: 'ana@example.com', ip: '198.51.100.1' };
    const business_time = '2027-01-01T00:00:00Z';
    const later = orderOf(attempt, { payer, business_time });
    expect((await service.call('PUT', `/charges/${attempt}`, later)).body).toEqual(first.body);
  });
});

describe('the end of a hold with a lost answer', () => {
  const sent: string[] = [];
  let shown: Outcome | null = null;
  const dies = (end: string) => async () => {
    sent.push(end);
    throw new Error('the line went dead');
  };
  const capture = (attempt: string, business_time = new Date().toISOString()) =>
    service.call('PUT', `/charges/${attempt}/capture`, {
      ...{ attempt, business_time, reference: attempt, amount: 150_075, currency: 'ARS' },
      account: { id: '00A1B2C3', settings: {} },
    });
  const inTwelveMinutes = () => new Date(Date.now() + 12 * 60_000).toISOString();

  beforeEach(async () => {
    sent.length = 0;
    shown = null;
    const { manifest } = office.wallet;
    Object.assign(office.wallet, {
      manifest: {
        ...manifest,
        channels: manifest.channels.map((one) => ({ ...one, captures: true })),
      },
      charge: async ({ attempt, amount }: { attempt: string; amount: number }) => ({
        ...{ outcome: 'authorized', reference: attempt, amount },
        expires_at: '2030-01-01T00:00:00Z',
      }),
      inquire: async () => shown,
      holds: { capture: dies('capture'), void: dies('void') },
    });
    await served.stop();
    served = await open([older]);
  });

  const begun = async (): Promise<string> => {
    const attempt = newAttempt();
    const { body } = await service.call(
      'PUT',
      `/charges/${attempt}`,
      orderOf(attempt, { authorize_only: true }),
    );
    expect(body.outcome).toBe('authorized');
    expect((await capture(attempt)).status).toBe(502);
    return attempt;
  };

  test('does not repeat an order before the acquirer’s list would show it', async () => {
    const attempt = await begun();
    expect((await capture(attempt)).body).toEqual({ outcome: 'pending', ask_after_s: 60 });
    shown = { outcome: 'approved', reference: attempt, amount: 150_075 };
    expect((await capture(attempt)).body).toEqual(shown);
    expect(sent).toEqual(['capture']);
  });

  test('repeats an order if the acquirer’s list should show it by now and does not', async () => {
    const attempt = await begun();
    expect((await capture(attempt, inTwelveMinutes())).status).toBe(502);
    expect(sent).toEqual(['capture', 'capture']);
  });

  test('inquires first if the journal was lost', async () => {
    shown = { outcome: 'approved', reference: 'S1', amount: 150_075 };
    expect((await capture(newAttempt())).body).toEqual(shown);
    expect(sent).toEqual([]);
  });
});

describe('rejects bodies that violate the protocol, with the reason', () => {
  test.each([
    [{ amount: 1.5 }, 'amount must be integer'],
    [{ channel: 'gold' }, 'channel must be equal to one of the allowed values: credit_card'],
    [{ instrument: { type: 'token' } }, 'instrument must have required properties token'],
    [{ account: { id: 'x', settings: {} } }, 'account.id must match pattern'],
    [{ attempt: 'another' }, 'as in the path'],
  ])('rejects a body with %j', async (change, said) => {
    const attempt = newAttempt();
    const order = orderOf(attempt, change);
    const { status, body } = await service.call('PUT', `/charges/${attempt}`, order);
    expect(status).toBe(400);
    expect(body.message).toContain(said);
    expect(office.sent).toEqual([]);
  });

  test('rejects invalid queries and unknown methods', async () => {
    const bad = await service.call('GET', '/charges/1?account=1&business_time=now');
    expect(bad).toMatchObject({ status: 400 });
    expect(bad.body.message).toContain('account must match pattern');
    const query = 'account=00A1B2C3&business_time=2026-11-22T00:00:00Z&settings=bm90IGpzb24';
    const settings = await service.call('GET', `/charges/1?${query}`);
    expect(settings.body.message).toContain('settings');
    const wrong = await service.call('DELETE', '/charges/1');
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('PUT, GET');
  });

  test('answers 422 for a channel that it does not offer, and sends nothing', async () => {
    const attempt = newAttempt();
    const order = orderOf(attempt, { channel: 'qr', instrument: { type: 'wallet' } });
    expect((await service.call('PUT', `/charges/${attempt}`, order)).status).toBe(422);
    expect(office.sent).toEqual([]);
  });
});

describe('a call', () => {
  const sent = async (method: string, path: string, body: string, headers: object) =>
    (await service.call(method, path, body, headers)).status;

  test('executes a call once, even after a restart', async () => {
    const path = `/charges/${newAttempt()}`;
    const body = bodyFor('PUT', path, orderOf(path.slice(9)));
    const headers = sign([older], body);
    expect(await sent('PUT', path, body, headers)).toBe(200);
    await served.stop();
    served = await open([older]);
    expect(await sent('PUT', path, body, headers)).toBe(401);
    expect(office.sent).toHaveLength(1);
  });

  test('binds a call to one method and address, so that it cannot be replayed as another', async () => {
    const attempt = newAttempt();
    const path = `/charges/${attempt}`;
    const body = bodyFor('PUT', path, { ...orderOf(attempt), refund: '1' });
    for (const other of ['/cancel', '/refunds/1']) {
      const method = other === '/cancel' ? 'POST' : 'PUT';
      expect(await sent(method, path + other, body, sign([older], body))).toBe(401);
    }
    const headers = sign([older], body);
    expect(await sent('PUT', `/charges/${newAttempt()}`, body, headers)).toBe(401);
    // A refused signature does not consume the id: the genuine call still succeeds.
    expect(await sent('PUT', path, body, headers)).toBe(200);
  });

  test('covers the method in the signature of a call without a body', async () => {
    const headers = sign([older], signedText({ method: 'GET', path: '/manifest', body: '' }));
    expect((await service.call('POST', '/test/instruments', '', headers)).status).toBe(404);
    expect((await service.call('PUT', '/charges/1', '', headers)).status).toBe(401);
  });

  test('forgets the ids of calls that are too old to be replayed', async () => {
    await served.stop();
    let ahead = 0;
    const options = { host: '127.0.0.1', port: 0, dataDir: folder, secrets: [older] };
    const now = () => Date.now() + ahead;
    served = await serve(() => office.wallet, { ...options, serviceUrl: null, now });
    expect((await service.call('GET', '/manifest')).status).toBe(200);
    ahead = 700_000;
    const seconds = Math.floor(now() / 1000);
    const text = signedText({ method: 'GET', path: '/manifest', body: '' });
    const headers = sign([older], text, { seconds });
    expect((await service.call('GET', '/manifest', undefined, headers)).status).toBe(200);
    await served.stop();
    const file = new DatabaseSync(path.join(folder, 'journal.sqlite'));
    const heard = file.prepare('select id from heard').all();
    file.close();
    served = await open([older]);
    expect(heard).toEqual([{ id: headers['webhook-id'] }]);
  });
});

describe('secrets', () => {
  test('accepts both secrets during a rotation, and only the new one afterwards', async () => {
    await served.stop();
    served = await open([newer, older]);
    const known = (secret: string) => callerOf(() => served.origin, secret);
    expect((await known(older).call('GET', '/manifest')).status).toBe(200);
    expect((await known(newer).call('GET', '/manifest')).status).toBe(200);
    await served.stop();
    served = await open([newer]);
    expect((await known(older).call('GET', '/manifest')).status).toBe(401);
    expect((await known(newer).call('GET', '/manifest')).status).toBe(200);
  });

  test('checks a GET’s signature against its address, whatever body it carries', async () => {
    const { port } = new URL(served.origin);
    const { request } = await import('node:http');
    const status = await new Promise((resolve) => {
      const body = JSON.stringify({ for: 'GET /manifest' });
      const headers = { ...sign([older], body), 'content-length': body.length };
      const sent = request({ port, path: '/manifest', method: 'GET', headers }, (answer) =>
        resolve(answer.statusCode),
      );
      sent.end(body);
    });
    expect(status).toBe(401);
  });
});

test('resends a notice until it is accepted, even from a restarted process', async () => {
  const heard: string[] = [];
  let taking = false;
  const server = createServer(async (incoming, response) => {
    let text = '';
    for await (const chunk of incoming) text += String(chunk);
    heard.push(text);
    response.writeHead(taking ? 200 : 503).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    await served.stop();
    served = await open([older], url);
    await served.notices.tell({ type: 'charge.changed', attempt: 'A-1' });
    await expect.poll(() => heard.length, { timeout: 10_000 }).toBeGreaterThan(0);
    expect(served.notices.waiting()).toBe(1);
    await served.stop();
    taking = true;
    served = await open([older], url);
    await expect.poll(() => served.notices.waiting(), { timeout: 20_000 }).toBe(0);
    const told = { type: 'charge.changed', attempt: 'A-1' };
    const sent = bodyFor('POST', '/connectors/wallet/notices', told);
    expect(new Set(heard)).toEqual(new Set([sent]));
  } finally {
    server.close();
  }
});

test('forgets accepted notices after 60 days while it runs', async () => {
  await served.stop();
  let ageMs = 0;
  let heard = 0;
  const server = createServer((request, response) => {
    heard += 1;
    request.resume();
    response.writeHead(200).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    served = await serve(() => office.wallet, {
      host: '127.0.0.1',
      port: 0,
      dataDir: folder,
      secrets: [older],
      serviceUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      now: () => Date.now() + ageMs,
      pruneEveryMs: 20,
    });
    const notice = { type: 'charge.changed', attempt: 'A-60' } as const;
    const tell = async () => {
      await served.notices.tell(notice);
      return served.notices.waiting();
    };
    await tell();
    await expect.poll(tell, { timeout: 20_000 }).toBe(0);
    expect(heard).toBe(1);
    ageMs = 61 * 86_400_000;
    await expect.poll(tell).toBe(1);
    await expect.poll(() => served.notices.waiting(), { timeout: 20_000 }).toBe(0);
    expect(heard).toBe(2);
  } finally {
    server.close();
  }
});

test('deletes old notes while it runs', async () => {
  await served.stop();
  let ageMs = 0;
  let notes: Pick<Notes, 'keep' | 'read'> | undefined;
  served = await serve(
    (given) => {
      notes = given.notes;
      return office.wallet;
    },
    {
      host: '127.0.0.1',
      port: 0,
      dataDir: folder,
      secrets: [older],
      serviceUrl: null,
      now: () => Date.now() + ageMs,
      pruneEveryMs: 20,
    },
  );
  await notes?.keep('old', 'text');
  expect(notes?.read('old')).toBe('text');
  ageMs = 551 * 86_400_000;
  await expect.poll(() => notes?.read('old')).toBe(null);
});

test('keeps only the most recent notes, each with its first text', async () => {
  const store = openStore(folder, 'recent.sqlite', journalTables);
  try {
    const notes = createRecentNotes(store, Date.now, 3);
    await notes.keep('a', 'first');
    await notes.keep('a', 'second');
    expect(notes.read('a')).toBe('first');
    await Promise.all(['b', 'c', 'd', 'd', 'e'].map((name) => notes.keep(name, name)));
    expect(['a', 'b', 'c', 'd', 'e'].map(notes.read)).toEqual([null, null, 'c', 'd', 'e']);
  } finally {
    store.close();
  }
});

describe('pruning', () => {
  let store: Store;
  const statements: string[] = [];
  beforeEach(() => {
    store = openStore(folder, 'pruned.sqlite', journalTables);
    const prepare = store.database.prepare.bind(store.database);
    statements.length = 0;
    store.database.prepare = (text) => {
      statements.push(text);
      return prepare(text);
    };
  });
  afterEach(() => store.close());

  test('deletes old notes in parts, and lets orders through between them', async () => {
    const notes = createNotes(store, () => 10);
    const count = () => store.database.prepare('select count(*) as n from notes').get()?.n;
    store.database.exec(`
      insert into notes with recursive n(i) as (select 1 union all select i + 1 from n where i < 2500)
        select 'old-' || i, '', 9 from n`);
    const pruning = notes.prune(10);
    await notes.keep('new', 'text');
    expect(count()).toBe(1501);
    await pruning;
    expect([count(), notes.read('new')]).toEqual([1, 'text']);
  });

  test('deletes old answered orders of one kind only', async () => {
    const charges = createJournal<string, string>(store, 'charge', () => 1);
    const refunds = createJournal<string, string>(store, 'refund', () => 1);
    for (const [journal, key] of [
      [charges, 'answered'],
      [charges, 'open'],
      [refunds, 'answered'],
    ] as const) {
      await journal.begin(key, { digest: '', begunAt: '', kept: '' });
      if (key === 'answered') await journal.answer(key, 'paid');
    }
    const left = () =>
      [charges.read('answered'), charges.read('open'), refunds.read('answered')].map(
        (entry) => entry !== null,
      );
    await charges.prune(1);
    expect(left()).toEqual([true, true, true]);
    await charges.prune(2);
    expect(left()).toEqual([false, true, true]);
  });

  test('finds old rows by an index', () => {
    createNotes(store, Date.now);
    createRecentNotes(store, Date.now, 3);
    createJournal(store, 'charge', Date.now);
    const plans = statements
      .filter((text) => text.startsWith('delete') && !text.includes(' no <='))
      .map((text) =>
        store.database
          .prepare(`explain query plan ${text}`)
          .all()
          .map(({ detail }) => detail)
          .join('; '),
      );
    expect(plans).toEqual(
      ['notes_kept_at', 'recent_notes_kept_at', 'entries_answered'].map((index) =>
        expect.stringMatching(new RegExp(`INDEX ${index} `)),
      ),
    );
    expect(plans.join()).not.toContain('SCAN');
  });
});

test('recognizes card numbers, even with digits in groups, but not ids or CVUs', () => {
  const number = ['4507', '9900', '0000', '4905'];
  expect(cardNumbersIn(`pan=${number.join('')}.`)).toHaveLength(1);
  expect(cardNumbersIn(`"${number.join(' ')}"`)).toHaveLength(1);
  expect(cardNumbersIn(number.join('-'))).toHaveLength(1);
  expect(cardNumbersIn('0000003100000000000001 1795329718335')).toEqual([]);
  expect(cardNumbersIn('4b7f9900-0000-4905-8123-450799000000')).toEqual([]);
  expect(cardNumbersIn('4507990000004906')).toEqual([]);
});
