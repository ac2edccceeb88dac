import { expect, vi } from 'vitest';
import { evidences } from '../../src/audit/index.ts';
import { sealLagging } from '../../src/seals/index.ts';
import type { TestService } from './service.ts';

/**
 * Seals all written events, by the service's sealer or another one. Transactions of other databases
 * on the same server may delay the sealer for a moment.
 */
export async function sealEvents(
  { sql, service }: TestService,
  sealer = service.parts.sealer,
): Promise<void> {
  const { base } = service.parts;
  await vi.waitFor(
    async () => {
      await sealLagging(base.sql, sealer, evidences);
      const [row] = await sql<{ left: number }[]>`
        select count(*)::int as left from events
        where xid >= (select next_xid from seal_marks where account_id = '')`;
      expect(row?.left).toBe(0);
    },
    { timeout: 20_000, interval: 50 },
  );
}
