import { noteOperator } from '../../events/index.ts';
import type { Acting } from '../../platform/base.ts';
import type { Reconciled } from './report.ts';

/** Keeps what a comparison came to, in the place of the one before, with its event. */
export async function keepReconciled(acting: Acting, report: Reconciled): Promise<void> {
  const { connector, day, charges, transfers, recorded, findings } = report;
  const eventId = await acting.recordIds.next();
  await acting.sql.begin(async (tx) => {
    // Held first: of two that compare the same day one is kept, whole.
    await tx`
      insert into reconciliations (connector, day, at, charges, transfers, recorded)
      values (${connector}, ${day}::date, ${acting.clocks.business.now()}::timestamptz, ${charges},
        ${transfers}, ${recorded.length})
      on conflict (connector, day) do update set at = excluded.at, charges = excluded.charges,
        transfers = excluded.transfers, recorded = excluded.recorded`;
    await tx`
      delete from reconciliation_findings where connector = ${connector} and day = ${day}::date`;
    await tx`
      insert into reconciliation_findings (connector, day, no, account_id, what)
      select ${connector}, ${day}::date, no, account_id, what from unnest(
        ${findings.map(({ accountId }) => accountId)}::text[], ${findings.map(({ what }) => what)}::text[]
      ) with ordinality as finding (account_id, what, no)`;
    await noteOperator(tx, acting, {
      eventId,
      entity: 'connector',
      entityId: connector,
      type: 'connector.reconciled',
      data: {
        day: day.toString(),
        charges,
        transfers,
        recorded: recorded.length,
        findings: findings.length,
      },
    });
  });
}
