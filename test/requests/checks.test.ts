import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RequestKind, transitions } from '../../src/requests/index.ts';
import { createTestDatabase } from '../harness/database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const kinds = Object.keys(transitions) as RequestKind[];

/** Returns the states in the transition tables of these kinds. */
const statesOf = (some: readonly RequestKind[]): string[] => [
  ...new Set(
    some.flatMap((kind) =>
      Object.values(transitions[kind]).flatMap(({ from, to }) => [...from, to]),
    ),
  ),
];

let lastId = 0;

const isKept = async (kind: string, state: string): Promise<boolean> => {
  lastId += 1;
  try {
    await database.sql`
      insert into requests (account_id, id, kind, state, version, created_at, payer, description,
        due1, total1, last_due, details, place)
      values ('A1B2C3D4', ${lastId}, ${kind}, ${state}, 1, '2026-01-01', 'Ana', 'Cuota',
        '2026-01-01', 100, '2026-01-01', '{}', 0)`;
    return true;
  } catch (error) {
    expect(String(error)).toContain('requests_state_check');
    return false;
  }
};

test('stores only states that belong to the request’s kind', async () => {
  const all = statesOf(kinds);
  expect(all.length).toBeGreaterThan(8);
  for (const kind of kinds) {
    const kept: string[] = [];
    for (const state of all) if (await isKept(kind, state)) kept.push(state);
    expect(kept.toSorted()).toEqual(statesOf([kind]).toSorted());
  }
  expect(await isKept('loan', 'pending')).toBe(false);
  expect(await isKept('qr', 'gone')).toBe(false);
});
