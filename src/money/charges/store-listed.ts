import type { Centavos } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import { type ResultRow, restoredSum, resultFrom, retakenSum } from '../collections/index.ts';
import { transferredSum } from '../refunds/index.ts';
import type { AttemptRow } from './attempt.ts';

/** A charge in our records, for comparison with an acquirer's list. */
export interface ListedCharge
  extends Pick<AttemptRow, 'account_id' | 'id' | 'request_id' | 'channel' | 'started_at'> {
  /** Expiry of the hold. Null if there was none. */
  held_until: Temporal.Instant | null;
  collected:
    | (Pick<ResultRow, 'amount' | 'refunded' | 'refunding' | 'charged_back'> & {
        /** Amount restored by the acquirer after disputes. */
        restored: Centavos;
        /** The part of `restored` that the acquirer took again. */
        retaken: Centavos;
        /** The parts of `refunded` and `refunding` that the operator, not the acquirer, pays. */
        transferred: Centavos;
        transferring: Centavos;
      })
    | null;
}

type Row = Omit<ListedCharge, 'collected'> & {
  [K in keyof NonNullable<ListedCharge['collected']>]: Centavos | null;
};

const listedOf = ({
  amount,
  refunded,
  refunding,
  charged_back,
  restored,
  retaken,
  transferred,
  transferring,
  ...row
}: Row): ListedCharge => ({
  ...row,
  collected:
    amount === null ||
    refunded === null ||
    refunding === null ||
    charged_back === null ||
    restored === null ||
    retaken === null ||
    transferred === null ||
    transferring === null
      ? null
      : {
          amount,
          refunded,
          refunding,
          charged_back,
          restored,
          retaken,
          transferred,
          transferring,
        },
});

const columns = (sql: Queryable) => sql`
  t.account_id, t.id, t.request_id, t.channel, t.started_at,
  (select expires_at from card_holds h where h.account_id = t.account_id and h.attempt_id = t.id)
    as held_until, result.amount, result.refunded,
  result.refunding, result.charged_back,
  case when result.id is not null then ${restoredSum(sql)} end as restored,
  case when result.id is not null then ${retakenSum(sql)} end as retaken,
  case when result.id is not null then ${transferredSum(sql, 'done')} end as transferred,
  case when result.id is not null then ${transferredSum(sql, 'requested')} end as transferring`;

/** Selects the collection of a charge. An approval after a refusal is a separate result. */
const collectedOf = (sql: Queryable, name: 'approved' | 'first') =>
  resultFrom(sql, {
    of: 't',
    sources: ['attempt'],
    ref: name === 'first' ? sql`t.id::text` : sql`t.id || ' approved'`,
  });

const joined = (sql: Queryable) => sql`
  left join lateral (
    (select result.* from (select 1) as one join ${collectedOf(sql, 'approved')}
      and result.type = 'collected')
    union all
    (select result.* from (select 1) as one join ${collectedOf(sql, 'first')}
      and result.type = 'collected')
    limit 1
  ) as result on true`;

/** Reads a connector's charges by account and id. Omits unknown ones. */
export async function readListed(
  sql: Queryable,
  connector: string,
  keys: readonly { accountId: string; attemptId: number }[],
): Promise<ListedCharge[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)}
    from ${recordset(sql, 'key (account_id text, attempt_id bigint)', keys)}
    join attempts t on t.account_id = key.account_id and t.id = key.attempt_id
      and t.connector = ${connector}
    ${joined(sql)}`;
  return rows.map(listedOf);
}

/**
 * Reads a page of up to 1,000 of a connector's charges that started between two times, oldest
 * first.
 */
export async function listedBetween(
  sql: Queryable,
  connector: string,
  {
    from,
    until,
    after,
  }: {
    from: Temporal.Instant;
    until: Temporal.Instant;
    after: Pick<ListedCharge, 'started_at' | 'id'> | null;
  },
): Promise<ListedCharge[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)}
    from attempts t ${joined(sql)}
    where t.connector = ${connector} and t.connector <> 'simulator'
      and (t.started_at, t.id) >
        (${after?.started_at ?? from}::timestamptz, ${after?.id ?? 0}::bigint)
      and t.started_at < ${until}::timestamptz
    order by t.started_at, t.id limit 1000`;
  return rows.map(listedOf);
}
