import { userOf } from '../platform/actor.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { logged } from './log.ts';

/** Events that change an account's members or its bank account for payouts. */
const guarded = [
  'membership.created',
  'membership.invited',
  'membership.accepted',
  'membership.role_changed',
  'membership.ended',
  'account.payout_cbu_asked',
  'account.payout_cbu_canceled',
];

interface Changed {
  actor: string;
  user_id: string | null;
}

/** Authors of changes to members or bank account. */
export interface Changers {
  users: ReadonlySet<number>;
  /** True if a command without a named operator made a change, so that it may have been anyone. */
  anyone: boolean;
}

/**
 * Returns the authors of changes to an account's members or CBU since an instant of the business
 * clock.
 */
export async function changersOf(
  sql: Queryable,
  accountId: string,
  since: Temporal.Instant,
): Promise<Changers> {
  const rows = await sql<Changed[]>`
    select distinct actor, data->>'user_id' as user_id from events
    where account_id = ${accountId} and at >= ${since}::timestamptz and ${logged(sql)}
      and (actor like 'user:%' or actor like 'operator:%')
      and (type = any(${guarded}::text[]) or (type = 'account.changed'
        and (data->>'payout_cbu' is distinct from data->'before'->>'payout_cbu'
          or data->>'next_payout_cbu_dropped' is not null)))`;
  const named = rows.map(({ actor, user_id }) =>
    user_id !== null && actor.startsWith('operator:') ? [Number(user_id)] : userOf(actor),
  );
  return { users: new Set(named.flat()), anyone: named.some(({ length }) => length === 0) };
}

/**
 * Returns true if one of two people made the other an operator since an instant of the business
 * clock.
 */
export async function madeOperator(
  sql: Queryable,
  [one, other]: readonly [number, number],
  since: Temporal.Instant,
): Promise<boolean> {
  const rows = await sql`
    select 1 from operator_events
    where entity = 'user' and type in ('user.created', 'user.service_role_changed')
      and at >= ${since}::timestamptz and data->>'service_role' is not null
      and ((entity_id = ${String(one)} and actor = ${`user:${other}`})
        or (entity_id = ${String(other)} and actor = ${`user:${one}`}))
    limit 1`;
  return rows.length > 0;
}
