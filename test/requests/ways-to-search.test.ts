import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allOf } from '../../src/platform/postgres/lists.ts';
import { indexWords, noFilters } from '../../src/requests/index.ts';
import { conditionsOf, ownerIs, soughtIn } from '../../src/requests/list.ts';
import { findPassing, findWords, walkWords } from '../../src/requests/words/search.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { playerOf, withoutWorker } from '../scenarios/play.ts';

/** Compares the ways to search by words, from which the service chooses by the account's size. */
let service: TestService;
const payers = ['Ana Peña', 'José Peña', 'Ana Gómez', 'Ana Peñalva', 'Ana Peña', 'Ana Peña'];
const kind = 'payment_request';
const limit = 10;
const most = 100;
let ids: number[];

beforeAll(async () => {
  service = await startService(withoutWorker);
  const player = playerOf(service);
  ids = [];
  for (const [index, name] of payers.entries()) {
    ids.push(await player.create({ payer_name: name, first_total: 100 + index }));
  }
  await sealEvents(service);
  await indexWords(service.sql, testAccount);
  // Entries of another kind with the same words.
  await service.sql`
    insert into request_words (account_id, kind, id, words)
    select account_id, 'qr', id - 1, words from request_words`;
});
afterAll(() => service?.stop());

/** Searches by each way for payers with both words. Returns places in `payers`, newest first. */
async function findEachWay(filtered: boolean, before: number): Promise<number[][]> {
  const { sql } = service;
  const filters = { ...noFilters, totalFrom: filtered ? 10_300 : null };
  const today = service.service.parts.clocks.business.today();
  const all = allOf(sql, ownerIs(sql, testAccount, kind), conditionsOf(sql, kind, filters, today));
  const parts = ['ana', 'pen'];
  const search = {
    ...({ accountId: testAccount, kind, parts, before } as const),
    ...{ where: filtered ? all : null, passing: soughtIn(sql, kind, filters) },
  };
  const found = [
    await walkWords(sql, search, { limit, within: null }),
    await findWords(sql, search, { by: ['ana'], limit, most }),
    await findWords(sql, search, { by: ['pen'], limit, most }),
    await findWords(sql, search, { by: parts, limit, most }),
    ...(filtered ? [await findPassing(sql, search, { limit, most })] : []),
  ];
  return found.map((each) => each?.map((id) => ids.indexOf(id)) ?? []);
}

describe('each way to search', () => {
  test.each([
    ['without filters', false, null, [5, 4, 3, 0]],
    ['with filters', true, null, [5, 4, 3]],
    ['on a later page', false, 4, [3, 0]],
    ['on a later page with filters', true, 4, [3]],
  ])('finds the same requests %s', async (_how, filtered, before, places) => {
    const below = (before === null ? undefined : ids[before]) ?? Number.MAX_SAFE_INTEGER;
    for (const found of await findEachWay(filtered, below)) expect(found).toEqual(places);
  });
});
