import type { Sql } from './connect.ts';

/** Access to a database: direct, or through a pooler, with its effect on sessions. */
export type Pooling = 'none' | 'shared' | 'statements lost' | 'transactions refused';

const messageOf = (error: unknown): string =>
  String(error instanceof Error ? error.message : error);

const backendOf = async (sql: Pick<Sql, 'unsafe'>): Promise<number> => {
  const rows = await sql.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid', [], {
    prepare: true,
  });
  return rows[0]?.pid ?? 0;
};

/**
 * Detects a pooler: two open connections have separate sessions, unless a pooler shares one. `open`
 * opens a pool of one connection.
 */
export async function poolingOf(open: () => Sql): Promise<Pooling> {
  const [one, other] = [open(), open()];
  try {
    const first = await backendOf(one);
    return await other.begin(async (transaction) => {
      if ((await backendOf(transaction)) !== first) return 'none';
      // The transaction occupies that session, so the prepared name is looked up in another.
      return await backendOf(one).then(
        (): Pooling => 'shared',
        (error: unknown): Pooling =>
          /prepared statement/i.test(messageOf(error)) ? 'statements lost' : 'shared',
      );
    });
  } catch (error) {
    if (/statement pooling/i.test(messageOf(error))) return 'transactions refused';
    throw error;
  } finally {
    await Promise.all([one.end(), other.end()]);
  }
}
