import type { Command } from 'commander';
import { isoDateTime } from '../kernel/dates.ts';
import { decimalText } from '../kernel/money.ts';
import { listHolds, type OpenHold } from '../money/charges/index.ts';
import { type PageOptions, paged } from './arguments.ts';
import { withBase } from './command.ts';
import { printRows } from './print.ts';

const listed = (row: OpenHold) => ({
  attempt: row.attempt_id,
  account: row.account_id,
  request: row.request_id,
  connector: row.connector,
  reference: row.reference,
  amount: decimalText(row.amount),
  ordered: row.ordered,
  why: row.why,
  authorized_at: isoDateTime(row.authorized_at),
  expires_at: isoDateTime(row.expires_at),
});

/** `connectors holds`. */
export function holdCommands(connectors: Command): void {
  paged(connectors.command('holds'))
    .description('list charges that are authorised and not yet captured or voided, oldest first')
    .action((options: PageOptions) =>
      withBase('connectors holds', async ({ sql }) => {
        printRows((await listHolds(sql, options)).map(listed), options);
      }),
    );
}
