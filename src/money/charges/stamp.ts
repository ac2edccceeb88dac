import { operatorBooks } from '../../accounts/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { momentText, type Stamped, stampRow } from '../../seals/index.ts';

interface StampedAttempt {
  account_id: string;
  id: number;
  request_id: number;
  channel: string;
  connector: string;
  amount: number;
  started_at: Temporal.Instant;
  reference: string | null;
  details: object;
}

/** Stamps the columns of an attempt that never change, except when its payer is erased. */
export const stampedAttempts: Stamped = {
  kind: 'attempt',
  from: 'attempts',
  name: 't.id',
  columns: [
    't.account_id',
    't.id',
    't.request_id',
    't.channel',
    't.connector',
    't.amount',
    momentText('t.started_at'),
    't.reference',
    't.details',
  ],
  due: (sql, _accountId, { at, lastId }) => sql`
    t.id > ${lastId}::bigint and t.started_at > ${at}::timestamptz`,
};

export const stampAttempt = (sql: Queryable, row: StampedAttempt): Promise<Buffer> =>
  stampRow(sql, stampedAttempts.kind, [
    row.account_id,
    row.id,
    row.request_id,
    row.channel,
    row.connector,
    row.amount,
    row.started_at.epochMilliseconds,
    row.reference,
    JSON.stringify(row.details),
  ]);

const dueById: Stamped['due'] = (sql, _accountId, { lastId }) =>
  sql`t.attempt_id > ${lastId}::bigint`;

/**
 * Builds a relation for tables without an index by account, which are checked with the operator's
 * books.
 */
const ofOperator = (table: string, ...names: string[]): string => `(
  select '${operatorBooks}'::text as account_id, connector, ${names.join(', ')},
    account_id as whose, attempt_id, stamp from ${table})`;

export const stampedReferences: Stamped = {
  kind: 'reference of a charge',
  from: ofOperator('charge_references', 'reference'),
  name: 't.reference',
  columns: ['t.connector', 't.reference', 't.whose', 't.attempt_id'],
  due: dueById,
};

export const stampReference = (
  sql: Queryable,
  reference: string,
  { account_id, id, connector }: Pick<StampedAttempt, 'account_id' | 'id' | 'connector'>,
): Promise<Buffer> => stampRow(sql, stampedReferences.kind, [connector, reference, account_id, id]);

/** Stamps networks' references of payments. A payment that matches no request has no account. */
export const stampedNetworkCharges: Stamped = {
  kind: 'payment of a network',
  from: ofOperator('network_charges', 'trx', 'reversed_at'),
  name: 't.trx',
  columns: ['t.connector', 't.trx', 't.whose', 't.attempt_id'],
  due: dueById,
};

export const stampNetworkCharge = (
  sql: Queryable,
  { connector, trx }: { connector: string; trx: string },
  attempt: Pick<StampedAttempt, 'account_id' | 'id'> | null,
): Promise<Buffer> =>
  stampRow(sql, stampedNetworkCharges.kind, [
    connector,
    trx,
    attempt?.account_id ?? null,
    attempt?.id ?? null,
  ]);
