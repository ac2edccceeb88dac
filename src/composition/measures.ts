import { Gauge, type Registry } from 'prom-client';
import { countMoneyAlarms, moneyAlarmKinds } from '../money/alarms/index.ts';
import type { Base } from '../platform/base.ts';

/** Adds what is counted in the database when it is asked for; of processes one tells. */
export function measureMoney({ sql, log }: Pick<Base, 'sql' | 'log'>, registry: Registry): void {
  const gauge = new Gauge({
    name: 'recaudo_money_alarms_open',
    help: 'Alarms about money that no person closed, by kind',
    labelNames: ['kind'],
    registers: [registry],
    aggregator: 'max',
    async collect() {
      try {
        const open = new Map((await countMoneyAlarms(sql)).map((row) => [row.kind, row.count]));
        for (const kind of moneyAlarmKinds) gauge.set({ kind }, open.get(kind) ?? 0);
      } catch (error) {
        // The other measures are told all the same.
        log.error({ err: error }, 'the open alarms could not be counted');
      }
    },
  });
}
