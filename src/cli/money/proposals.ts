import type { Command } from 'commander';
import { createFourEyes, type FourEyes } from '../../composition/four-eyes.ts';
import { isoDateTime } from '../../kernel/dates.ts';
import { decimalText } from '../../kernel/money.ts';
import {
  type Decision,
  isOfAccount,
  listWaiting,
  type Proposal,
  type ProposalApproving,
  type ProposalRejecting,
} from '../../money/proposals/index.ts';
import { namesOf } from '../../users/index.ts';
import { withBase } from '../command.ts';
import { operationCommand } from '../operation.ts';
import { type Answering, printRows } from '../print.ts';

/** One kind of proposal that takes two people. */
interface Kind {
  kind: 'payout' | 'correction';
  approving: ProposalApproving;
  rejecting: ProposalRejecting;
  approve(fourEyes: FourEyes, decision: Decision): Promise<Proposal>;
}

const mostListed = 1_000;

const rowOf = (row: Proposal, names: ReadonlyMap<number, string>) => ({
  id: row.id,
  account: row.account_id,
  reference: row.reference,
  amount: decimalText(row.amount),
  proposed_by: names.get(row.proposed_by) ?? String(row.proposed_by),
  proposed_for: isOfAccount(row) ? 'the account' : 'the service',
  proposed_at: isoDateTime(row.proposed_at),
  expires_at: row.expires_at && isoDateTime(row.expires_at),
});

/** Commands to list, approve and reject proposals, for operators without a browser. */
export function proposalCommands(parent: Command, of: Kind): void {
  const { kind } = of;
  parent
    .command('proposals')
    .description('list what waits for a second operator, oldest first')
    .option('--json', 'as JSON')
    .action((options: Answering) =>
      withBase(`${parent.name()} proposals`, async ({ sql }) => {
        const rows = await listWaiting(sql, kind, mostListed);
        const people = rows.map((row) => row.proposed_by);
        const names = await namesOf(sql, people);
        printRows(
          rows.map((row) => rowOf(row, names)),
          options,
        );
      }),
    );
  operationCommand(parent, of.approving, ({ base, config, sql, by }) => {
    const fourEyes = createFourEyes(base, config);
    return { sql, kind, by, approve: (decision) => of.approve(fourEyes, decision) };
  });
  operationCommand(parent, of.rejecting, ({ base, config, sql, by }) => ({
    sql,
    kind,
    by,
    reject: createFourEyes(base, config).reject,
  }));
}
