import { expect, test } from 'vitest';
import { createLog } from '../../src/platform/log.ts';
import { watchBlockedSeals } from '../../src/seals/index.ts';
import { createTestDatabase } from '../harness/database.ts';

/** Minutes after the first look. */
let minutes = 0;
const wall = {
  nowMs: () => minutes * 60_000,
  now: () => Temporal.Instant.fromEpochMilliseconds(minutes * 60_000),
};

test('reports a transaction once if it blocks seals for ten minutes', async () => {
  const { sql, drop } = await createTestDatabase();
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  const look = watchBlockedSeals(sql, wall, log);
  await sql.begin(async (tx) => {
    const [open] = await tx<{ no: number }[]>`
      select pg_current_xact_id()::text::bigint as no`;
    const lookAt = async (minute: number): Promise<void> => {
      minutes = minute;
      await look();
    };
    // Wait for older transactions of other tests on this server to end.
    await expect
      .poll(
        async () => {
          const [row] = await sql<{ no: number }[]>`
            select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as no`;
          return row?.no;
        },
        { timeout: 20_000 },
      )
      .toBe(open?.no);
    await sql`select pg_current_xact_id()`;
    await lookAt(0);
    await lookAt(9);
    expect(lines).toEqual([]);
    await lookAt(10);
    await lookAt(30);
    expect(lines.map((line) => JSON.parse(line).transaction)).toEqual([open?.no]);
  });
  await drop();
});
