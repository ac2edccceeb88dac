import { readAlarms } from '../../src/connectors/index.ts';
import { listMoneyAlarms, type MoneyAlarmRow } from '../../src/money/alarms/index.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';

/** Reads a service's alarms about money and connectors, except those before the last `forget`. */
export function watchAlarms(sql: () => Sql) {
  let seen = 0;
  const money = (): Promise<MoneyAlarmRow[]> =>
    listMoneyAlarms(sql(), { all: false, after: seen, limit: 1_000 });
  return {
    money,
    kinds: async (): Promise<string[]> => [
      ...(await money()).map(({ kind }) => kind),
      ...(await readAlarms(sql())).map(({ kind }) => kind),
    ],
    /** Leaves out alarms about money raised up to now, and deletes those about connectors. */
    async forget(): Promise<void> {
      seen = (await money()).at(-1)?.id ?? seen;
      await sql()`delete from connector_alarms`;
    },
  };
}
