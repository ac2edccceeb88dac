import { wallClock } from '../../src/platform/clocks.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { openSession } from '../../src/users/sign-in/sessions.ts';
import { Void } from '../cases/case.ts';
import { accountId } from './rows.ts';
import { reserveIds } from './store.ts';

/** Opens a session for an account's owner and returns its cookie. */
export async function signedIn(sql: Sql): Promise<string> {
  const [owner] = await sql<{ user_id: number }[]>`
    select user_id from memberships where account_id = ${accountId} and role = 'owner' limit 1`;
  if (!owner) throw new Void('The account has no owner.');
  const id = await reserveIds(sql, 'record_ids', 1);
  const browser = { address: '127.0.0.1', userAgent: 'recaudo bench' };
  const session = { id, userId: owner.user_id, browser, factorDue: false };
  return `recaudo_session=${await openSession(sql, session, wallClock.now())}`;
}
