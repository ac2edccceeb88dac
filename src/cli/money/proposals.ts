import type { Command } from 'commander';
import { createFourEyes, type FourEyes } from '../../composition/four-eyes.ts';
import { isoDateTime } from '../../kernel/dates.ts';
import { decimalText } from '../../kernel/money.ts';
import {
  type Decision,
  findProposal,
  isOfAccount,
  listWaiting,
  noProposal,
  type Proposal,
} from '../../money/proposals/index.ts';
import { namesOf } from '../../users/index.ts';
import { idIn, reasonIn } from '../arguments.ts';
import { type BaseContext, withBase } from '../command.ts';
import { type Answering, print, printRows } from '../print.ts';
import { operatorNamed } from './operator.ts';

/** What of one kind takes two people. */
interface Kind {
  kind: 'payout' | 'correction';
  /** The command under which they stand: `payouts`. */
  under: string;
  approve(fourEyes: FourEyes, decision: Decision): Promise<Proposal>;
}

interface Deciding extends Answering {
  operator: string;
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

/** Whose decision it is, on a proposal that is named by its number alone. */
async function decisionOf(
  { base, sql, actor }: BaseContext,
  kind: Kind['kind'],
  { id, operator }: { id: number; operator: string },
): Promise<Decision> {
  const row = await findProposal(sql, kind, id);
  if (!row) throw noProposal();
  const by = await operatorNamed(base, operator);
  return { accountId: row.account_id, id, by: by ?? 0, actor };
}

/** What waits for a second person, approved or rejected by an operator who has no browser. */
export function proposalCommands(parent: Command, { kind, under, approve }: Kind): void {
  const who = ['--operator <email>', 'whose decision it is: not who proposed it'] as const;
  const answer = ({ id, account_id, amount }: Proposal, state: string, json = false) =>
    print(
      `proposal ${id} of ${decimalText(amount)} is ${state}`,
      { id, state, account: account_id, amount: decimalText(amount) },
      { json },
    );

  parent
    .command('proposals')
    .description('list what waits for a second operator, oldest first')
    .option('--json', 'as JSON')
    .action((options: Answering) =>
      withBase(`${under} proposals`, async ({ sql }) => {
        const rows = await listWaiting(sql, kind, mostListed);
        const people = rows.map((row) => row.proposed_by);
        const names = await namesOf(sql, people);
        printRows(
          rows.map((row) => rowOf(row, names)),
          options,
        );
      }),
    );

  parent
    .command('approve')
    .description('approve what waits as the second operator, and do it')
    .argument('<id>', `the number that \`${under} proposals\` shows`, idIn)
    .requiredOption(...who)
    .action((id: number, { operator, json }: Deciding) =>
      withBase(`${under} approve`, async (context) => {
        const decision = await decisionOf(context, kind, { id, operator });
        const fourEyes = createFourEyes(context.base, context.config);
        const row = await approve(fourEyes, decision);
        const waits = row.state === 'waiting';
        answer(row, waits ? 'approved by one of two operators' : 'approved and done', json);
      }),
    );

  parent
    .command('reject')
    .description('reject what waits, or take back what one proposed oneself')
    .argument('<id>', `the number that \`${under} proposals\` shows`, idIn)
    .requiredOption(...who)
    .requiredOption('--reason <text>', 'why', reasonIn)
    .action((id: number, { operator, reason, json }: Deciding & { reason: string }) =>
      withBase(`${under} reject`, async (context) => {
        const decision = await decisionOf(context, kind, { id, operator });
        const fourEyes = createFourEyes(context.base, context.config);
        answer(await fourEyes.reject(kind, { ...decision, reason }), 'rejected', json);
      }),
    );
}
