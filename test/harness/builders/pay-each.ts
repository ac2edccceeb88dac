import { createBase } from '../../../src/composition/base.ts';
import { createMoneyWing } from '../../../src/composition/money.ts';
import { system } from '../../../src/platform/actor.ts';
import { createLog } from '../../../src/platform/log.ts';
import type { Sql } from '../../../src/platform/postgres/connect.ts';
import { type RequestKey, readRequests } from '../../../src/requests/index.ts';

/**
 * Records the first total of each request as paid at a cash network, all in one statement, like the
 * payments of a file. Returns the outcomes.
 */
export async function payEach(sql: Sql, keys: RequestKey[], name: string): Promise<string[]> {
  const { base, clocks } = await createBase(sql, createLog('silent'));
  const { recordFacts } = createMoneyWing(base);
  const rows = await readRequests(sql, keys);
  const outcomes = await recordFacts(
    rows
      .filter((row) => row !== null)
      .map((request) => ({
        request,
        type: 'collected' as const,
        channel: 'non_banking' as const,
        label: 'Rapipago',
        amount: request.total1,
        paidAt: clocks.business.now(),
        source: 'rapipago',
        sourceRef: `${name}:${request.id}`,
        actor: system,
        attemptId: null,
        details: {},
      })),
  );
  return outcomes.map(({ outcome }) => outcome);
}
