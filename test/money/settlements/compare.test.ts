import { afterAll, beforeAll, expect, test } from 'vitest';
import { centavos } from '../../../src/kernel/money.ts';
import { judgeLines } from '../../../src/money/settlements/compare.ts';
import type { SettlementLine } from '../../../src/money/settlements/line.ts';
import { sentStatements } from '../../../src/platform/postgres/connection.ts';
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** Returns a line of a wallet's payment that matches no charge. */
const lineOf = (no: number): SettlementLine => ({
  ...{ name: `L${no}`, kind: 'sale', attempt: null, trx: `trx-${no}`, account_id: null },
  ...{ attempt_id: null, is_part: false },
  ...{ gross: centavos(100), fee: centavos(10), net: centavos(90) },
});

async function statementsFor(count: number): Promise<number> {
  let seen = 0;
  const hear = (): void => {
    seen += 1;
  };
  const lines = Array.from({ length: count }, (_, index) => lineOf(index));
  sentStatements.subscribe(hear);
  try {
    expect(await judgeLines(database.sql, 'bank', lines)).toHaveLength(count);
  } finally {
    sentStatements.unsubscribe(hear);
  }
  return seen;
}

test('compares a page of lines in as many statements as a single one', async () => {
  await statementsFor(1);
  expect(await statementsFor(50)).toBe(await statementsFor(1));
});
