import { noteOperator } from '../../events/index.ts';
import type { AcquirerDebt } from '../../money/settlements/index.ts';
import type { Acting } from '../../platform/base.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { recordset } from '../../platform/postgres/recordset.ts';
import type { DayReport } from './report.ts';

/** Stores a comparison, replacing an earlier one of the same day, and records the event. */
export async function keepReconciled(acting: Acting, report: DayReport): Promise<void> {
  const { connector, day, charges, transfers, settlements, unsettled, recorded, findings } = report;
  const eventId = await acting.recordIds.next();
  await acting.sql.begin(async (tx) => {
    // Lock first, so that of two comparisons of the same day one is stored as a whole.
    await tx`
      insert into reconciliations (connector, day, at, charges, transfers, recorded,
        unsettled_charges, unsettled)
      values (${connector}, ${day}::date, ${acting.clocks.business.now()}::timestamptz, ${charges},
        ${transfers}, ${recorded.length}, ${unsettled?.charges ?? null},
        ${unsettled?.amount ?? null})
      on conflict (connector, day) do update set at = excluded.at, charges = excluded.charges,
        transfers = excluded.transfers, recorded = excluded.recorded,
        unsettled_charges = excluded.unsettled_charges, unsettled = excluded.unsettled`;
    await tx`
      delete from reconciliation_findings where connector = ${connector} and day = ${day}::date`;
    await tx`
      insert into reconciliation_findings (connector, day, no, account_id, what)
      select ${connector}, ${day}::date, no, account_id, what from ${recordset(
        tx,
        'finding (account_id text, what text, no ordinality)',
        findings,
      )}`;
    await noteOperator(tx, acting, {
      eventId,
      entity: 'connector',
      entityId: connector,
      type: 'connector.reconciled',
      data: {
        day: day.toString(),
        charges,
        transfers,
        settlements,
        recorded: recorded.length,
        findings: findings.length,
      },
    });
  });
}

/** Returns the first day compared with a connector's payouts, or null. */
export async function firstSettled(
  sql: Queryable,
  connector: string,
): Promise<Temporal.PlainDate | null> {
  const [row] = await sql<{ day: Temporal.PlainDate | null }[]>`
    select min(day) as day from reconciliations
    where connector = ${connector} and unsettled_charges is not null`;
  return row?.day ?? null;
}

/**
 * Returns what each acquirer owed at its connector's last comparison. Omits connectors that list no
 * settlements.
 */
export const readOwed = (sql: Queryable): Promise<AcquirerDebt[]> => sql<AcquirerDebt[]>`
  select distinct on (connector) connector, day, unsettled_charges as charges, unsettled as amount
  from reconciliations where unsettled_charges is not null
  order by connector, day desc limit 1000`;
