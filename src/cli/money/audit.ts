import type { Command } from 'commander';
import { accountRefusal, listAccounts, operatorBooks } from '../../accounts/index.ts';
import {
  type AuditOptions,
  type AuditReport,
  auditSteps,
  reportAccount,
} from '../../audit/index.ts';
import { auditSealKeys } from '../../composition/keys.ts';
import { midnightOf } from '../../kernel/dates.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import { workExpected } from '../../platform/progress.ts';
import { noteAudit } from '../../platform/sweep-runs.ts';
import { checkAnchors } from '../../seals/index.ts';
import { dayIn } from '../arguments.ts';
import { withBase } from '../command.ts';
import { exits } from '../failure.ts';
import { exitWith } from '../invocation.ts';
import { printRows, say } from '../print.ts';
import { withProgress } from '../progress.ts';

interface Options {
  account?: string;
  since?: Temporal.PlainDate;
  anchors?: string;
  json?: boolean;
}

const rowsOf = (findings: AuditReport['faults'], kind: string) =>
  findings.map(({ accountId, what }) => ({ account: accountId, kind, what }));

/** Prints faults, then remarks, each with its kind. */
function show(
  { faults, remarks }: AuditReport,
  { json, audited }: { json: boolean; audited: number },
): void {
  const rows = [...rowsOf(faults, 'fault'), ...rowsOf(remarks, 'remark')];
  if (json || rows.length > 0) printRows(rows, { json });
  if (!json && faults.length === 0) say(`${audited} accounts add up`);
}

/**
 * Compares the chains with an anchor file. Throws if it has no lines, because it is the wrong file.
 */
async function anchorFaults(sql: Sql, file: string, mine: (accountId: string) => boolean) {
  const { lines, faults } = await checkAnchors(sql, file, mine);
  if (lines === 0) throw new Error(`The file ${file} contains no anchors.`);
  return faults;
}

export async function auditAccounts(
  sql: Sql,
  accounts: readonly string[],
  { today, options }: { today: Temporal.PlainDate; options: AuditOptions },
): Promise<AuditReport> {
  const all: AuditReport = { faults: [], remarks: [] };
  workExpected(accounts.length * auditSteps(options));
  for (const id of accounts) {
    const { faults, remarks } = await reportAccount(sql, id, today, options);
    all.faults.push(...faults);
    all.remarks.push(...remarks);
  }
  return all;
}

export function auditCommand(program: Command): void {
  program
    .command('audit')
    .description(
      'recompute everything, compare it with the books and list mismatches; exits 1 if any',
    )
    .option('--account <id>', 'only this account')
    .option(
      '--since <day>',
      'compare only digests sealed from this day on, dd-mm-yyyy or yyyy-mm-dd',
      dayIn,
    )
    .option(
      '--anchors <file>',
      'also compare the seals with a file of the lines that the service sent to ANCHORS; docs/how-to/audit.md',
    )
    .option('--json', 'as JSON')
    .action(({ account, since, anchors, json = false }: Options) =>
      withBase('audit', async ({ config, sql, clocks }) => {
        const holders = (await listAccounts(sql)).map(({ id }) => id);
        const known = [operatorBooks, ...holders];
        const accounts = known.filter((id) => account === undefined || id === account);
        if (accounts.length === 0) throw accountRefusal('account.not_found', {});
        const options = {
          keys: await auditSealKeys(config, sql),
          since: since === undefined ? null : midnightOf(since),
        };
        const today = clocks.business.today();
        const beganMs = clocks.wall.nowMs();
        const whole = await withProgress({ json }, () =>
          auditAccounts(sql, accounts, { today, options }),
        );
        if (anchors !== undefined) {
          const mine = (id: string) => account === undefined || id === account;
          whole.faults.push(...(await anchorFaults(sql, anchors, mine)));
        }
        if (account === undefined) {
          const ended = { beganMs, accounts: holders.length, faults: whole.faults.length };
          await noteAudit(sql, clocks.wall, ended);
        }
        show(whole, { json, audited: account === undefined ? holders.length : 1 });
        if (whole.faults.length > 0) exitWith(exits.failed);
      }),
    );
}
