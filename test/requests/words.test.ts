import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  beginningsOf,
  entriesOf,
  haveParts,
  searchWordsOf,
} from '../../src/kernel/search-words.ts';
import type { PaymentRequestRow } from '../../src/payment-requests/index.ts';
import {
  eraseRequests,
  findRequestsByWords,
  indexWords,
  noFilters,
  type RequestQuery,
} from '../../src/requests/index.ts';
import { lockWords } from '../../src/requests/words/lock.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../scenarios/play.ts';

describe('a text’s words', () => {
  test.each([
    ['Peña, JOSÉ  María', ['pena', 'jose', 'maria']],
    ['ana.perez+x@example.com', ['ana', 'perez', 'x', 'example', 'com']],
    ['FAC-2026/001 fac', ['fac', '2026', '001']],
    ['Straße ﬁn Ⅳ Łódź', ['straße', 'fin', 'iv', 'łodz']],
    ["'; drop:* & | ! \\ <->", ['drop']],
    [' \u{1f600}\t\n', []],
    ['Юрий 王小明', ['юрии', '王小明']],
  ])('extracts the words of %j', (text, words) => expect(searchWordsOf(text)).toEqual(words));

  test('cuts words to 40 letters, and keeps the first 100', () => {
    expect(searchWordsOf('é'.repeat(500))).toEqual(['e'.repeat(40)]);
    expect(searchWordsOf(Array.from({ length: 300 }, (_, no) => `w${no}`).join(' '))).toHaveLength(
      100,
    );
    expect(searchWordsOf('\u{20000}'.repeat(50))).toEqual(['\u{20000}'.repeat(40)]);
  });

  test('extracts the same words from any text as the general rule', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const folded = text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
        const found = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
        const words = found.map((word) => [...word].slice(0, 40).join(''));
        expect(searchWordsOf(text)).toEqual([...new Set(words)]);
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', maxLength: 200 }), (text) => {
        expect(searchWordsOf(text)).toEqual([
          ...new Set(
            text
              .toLowerCase()
              .split(/[^a-z0-9]+/)
              .filter((word) => word !== '')
              .map((word) => word.slice(0, 40)),
          ),
        ]);
      }),
    );
  });

  test('requires every part to be in a word, and parts of one or two letters to begin one', () => {
    expect(haveParts(['maria', 'pena'], ['mar', 'pe'])).toBe(true);
    expect(haveParts(['maria', 'pena'], ['mar', 'aria'])).toBe(true);
    expect(haveParts(['maria', 'pena'], ['mar', 'ri'])).toBe(false);
    expect(haveParts(['maria', 'pena'], ['iapen'])).toBe(false);
  });

  test('finds a part by the beginning of an index entry if and only if a word contains it', () => {
    const letter = fc.constantFrom('a', 'b', 'c', '\u{20000}');
    const word = (most: number) =>
      fc.array(letter, { minLength: 1, maxLength: most }).map((all) => all.join(''));
    fc.assert(
      fc.property(word(8), word(4), (whole, part) => {
        const found = entriesOf(whole).some((entry) =>
          beginningsOf(part).some((begin) => entry.startsWith(begin)),
        );
        expect(found).toBe(haveParts([whole], [part]));
      }),
      { numRuns: 2_000 },
    );
  });
});

let service: TestService;
let player: Player;
const ids: Record<string, number> = {};

const nameOf = (id: number) => Object.entries(ids).find(([, known]) => known === id)?.[0];

async function search(
  text: string,
  more: Partial<RequestQuery<'payment_request'>> = {},
): Promise<(string | undefined)[]> {
  const rows = await findRequestsByWords<PaymentRequestRow>(service.sql, {
    accountId: testAccount,
    kind: 'payment_request',
    text,
    filters: noFilters,
    before: null,
    limit: 25,
    today: service.service.parts.clocks.business.today(),
    ...more,
  });
  return rows.map(({ id }) => nameOf(id));
}

const requests: Record<string, Record<string, unknown>> = {
  jose: {
    payer_name: 'José Peña',
    external_reference: 'FAC-2026-001',
    payer_email: 'jpena@socios.example.com',
    description: 'Cuota de diciembre\nPlan Único',
  },
  maria: { payer_name: 'MARÍA JOSÉ Gómez', external_reference: 'FAC-2026-002' },
  ana: { payer_name: 'Ana Penalva', description: 'Matrícula' },
};

beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
  for (const [name, fields] of Object.entries(requests)) ids[name] = await player.create(fields);
});
afterAll(() => service.stop());

const writtenWords = async (): Promise<number> => {
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::int as count from request_words where account_id = ${testAccount}`;
  return row?.count ?? -1;
};

const sealAndIndex = async (): Promise<void> => {
  await sealEvents(service);
  await indexWords(service.sql, testAccount);
};

/** Repeats the tests before any words are written, with some of them, and with all. */
describe.each([
  ['nothing is sealed', 0, async () => {}],
  ['all is sealed and no words are written', 0, () => sealEvents(service)],
  [
    'all words except those of the last request are written',
    3,
    async () => {
      await sealAndIndex();
      ids.last = await player.create({ payer_name: 'Inés Último', first_total: 999 });
    },
  ],
])('if %s', (_what, written, prepare) => {
  test('finds words by parts, regardless of case and accents', async () => {
    await prepare();
    expect(await writtenWords()).toBe(written);
    expect(await search('jose')).toEqual(['maria', 'jose']);
    expect(await search('JOSÉ pe')).toEqual(['jose']);
    expect(await search('pena')).toEqual(['ana', 'jose']);
    expect(await search('peñA')).toEqual(['ana', 'jose']);
    expect(await search('fac-2026-002')).toEqual(['maria']);
    expect(await search('jpena@socios.example.com')).toEqual(['jose']);
    expect(await search('unico plan')).toEqual(['jose']);
    // Inside of words, from three letters on.
    expect(await search('trícu')).toEqual(['ana']);
    expect(await search('2026 ómez')).toEqual(['maria']);
    expect(await search('026 001')).toEqual(['jose']);
    expect(await search('om')).toEqual([]);
    expect(await search('josemez')).toEqual([]);
    expect(await search('matri')).toEqual(['ana']);
    expect(await search('atricula')).toEqual(['ana']);
    expect(await search('  ')).toHaveLength(3 + (ids.last === undefined ? 0 : 1));
    expect(await search(':* | !')).toEqual([]);
    expect(await search("o'neill \\ 'jose':*")).toEqual([]);
    expect(await search(String(ids.ana))).toEqual(['ana']);
    expect(await search('ines ult')).toEqual(ids.last === undefined ? [] : ['last']);
  });

  test('combines words with filters, page by page', async () => {
    const filters = { ...noFilters, totalFrom: 100_000 };
    expect(await search('jose', { filters })).toEqual(['maria', 'jose']);
    expect(await search('jose', { filters: { ...noFilters, totalUntil: 1 } })).toEqual([]);
    expect(await search('', { filters: { ...noFilters, state: 'paid' } })).toEqual([]);
    expect(await search('pena', { limit: 1 })).toEqual(['ana']);
    expect(await search('pena', { limit: 1, before: ids.ana ?? 0 })).toEqual(['jose']);
    expect(await search('', { limit: 2, before: ids.ana ?? 0 })).toEqual(['maria', 'jose']);
    expect(await search(String(ids.ana), { before: ids.ana ?? 0 })).toEqual([]);
  });

  test('finds nothing of another account', async () => {
    expect(await search('jose', { accountId: 'B1B2C3D4' })).toEqual([]);
    expect(await search(String(ids.ana), { accountId: 'B1B2C3D4' })).toEqual([]);
  });
});

test('writes words once with concurrent writers, and completes them after a crash', async () => {
  await sealEvents(service);
  // An abort after the first part keeps the written words, and the seal is read again.
  await indexWords(service.sql, testAccount, AbortSignal.abort());
  const [left] = await service.sql`select from request_word_marks where seal_no = 0`;
  expect(left).toBeUndefined();
  await Promise.all([1, 2, 3].map(() => indexWords(service.sql, testAccount)));
  expect(await writtenWords()).toBe(4);
  expect(await search('ines')).toEqual(['last']);
});

test('rewrites lost words, and finds requests without them in the meantime', async () => {
  await service.sql`delete from request_words`;
  await service.sql`delete from request_word_marks`;
  expect(await search('jose')).toEqual(['maria', 'jose']);
  await indexWords(service.sql, testAccount);
  expect(await writtenWords()).toBe(4);
  expect(await search('jose')).toEqual(['maria', 'jose']);
});

test('writes no words of texts that an erasure removes meanwhile', async () => {
  const { sql } = service;
  const { base } = service.service.parts;
  const id = await player.create({ payer_name: 'Olga Borrada' });
  await sealEvents(service);
  const eventId = await base.recordIds.next();
  const { writing } = await sql.begin(async (tx) => {
    await lockWords(tx);
    // Reads the texts, and waits before it writes.
    const waiting = indexWords(sql, testAccount);
    // Outside the transaction, which keeps its first list of sessions.
    await expect
      .poll(
        () => sql`
          select 1 from pg_stat_activity
          where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`,
      )
      .not.toHaveLength(0);
    const at = base.clocks.business.now();
    const none = { resultIds: [], refundIds: [], disputeIds: [] };
    const erasing = { accountId: testAccount, at, actor: 'system', reason: 'EX-1' };
    await eraseRequests(tx, erasing, [{ id, eventId, ...none }]);
    return { writing: waiting };
  });
  await writing;
  expect(await sql`select from request_words where id = ${id}`).toEqual([]);
  await sealAndIndex();
  const [row] = await sql<{ words: string }[]>`
    select words::text from request_words where id = ${id}`;
  expect(row?.words).toContain('dato');
  expect(row?.words).not.toContain('olga');
});

test('writes the words of requests that the worker seals itself', async () => {
  const working = await startService({ ROLES: 'payments,worker' });
  try {
    await playerOf(working).create({ payer_name: 'Zoe Uno' });
    await expect
      .poll(async () => (await working.sql`select from request_words`).length, { timeout: 20_000 })
      .toBe(1);
  } finally {
    await working.stop();
  }
});
