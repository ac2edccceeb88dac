import type { Base } from '../../platform/base.ts';
import { isForged, stampColumns } from '../../seals/index.ts';
import { raiseForged, raiseMoneyAlarm } from '../alarms/index.ts';
import type { AttemptRow } from './attempt.ts';
import { stampedAttempts, stampedNetworkCharges } from './stamp.ts';
import type { NetworkKey, NetworkRow } from './store-network.ts';

type Raising = Pick<Base, 'sql' | 'clocks' | 'recordIds' | 'log'>;

/**
 * Returns true, and raises an alarm, if no process of the service wrote the attempt, or someone
 * changed a stamped column since. Call this before booking an attempt's money.
 */
export async function isForgedAttempt(
  base: Raising,
  { account_id: accountId, id }: Pick<AttemptRow, 'account_id' | 'id'>,
): Promise<boolean> {
  const { sql } = base;
  const where = sql`t.account_id = ${accountId} and t.id = ${id}`;
  const [row] = await sql<{ stamp: Buffer | null; digest: Buffer }[]>`
    select ${stampColumns(sql, stampedAttempts)} from attempts t where ${where}`;
  if (!row || !(await isForged(sql, stampedAttempts, row, where))) return false;
  await raiseForged(base, [{ accountId, kind: stampedAttempts.kind, id }]);
  return true;
}

/**
 * Returns true, and raises an alarm, if the record that links a network's payment to its attempt is
 * forged in the same way.
 */
export async function isForgedPayment(
  base: Raising,
  { connector, trx }: NetworkKey,
  row: Pick<NetworkRow, 'stamp' | 'digest'>,
): Promise<boolean> {
  const { sql } = base;
  const where = sql`t.connector = ${connector} and t.trx = ${trx}`;
  if (!(await isForged(sql, stampedNetworkCharges, row, where))) return false;
  const fact = `${stampedNetworkCharges.kind} ${connector} ${trx}`;
  const message = `${fact} was not written by this service`;
  await raiseMoneyAlarm(base, { kind: 'forged_fact', fact, message, connector });
  return true;
}
