import type { Log } from './log.ts';
import type { Sql } from './postgres/connect.ts';
import type { Topics } from './postgres/listener.ts';

/**
 * Subscribes to notifications. If the database cannot send any, logs this and relies on short cache
 * times.
 */
export async function subscribe(sql: Sql, topics: Topics, log: Log): Promise<void> {
  try {
    await sql.listen(topics);
  } catch (error) {
    log.warn(
      { err: error },
      'no notifications from the database: revoked keys and clock moves take up to 5 seconds',
    );
  }
}
