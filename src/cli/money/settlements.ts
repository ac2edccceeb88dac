import type { Command } from 'commander';
import { readOwed } from '../../connectors/index.ts';
import { formatDay, isoDateTime } from '../../kernel/dates.ts';
import { decimalText } from '../../kernel/money.ts';
import {
  faultText,
  judgeLines,
  linesOf,
  listSettlements,
  type PayoutRow,
  readPayout,
  unexplainedOf,
} from '../../money/settlements/index.ts';
import { idIn } from '../arguments.ts';
import { refusal } from '../codes.ts';
import { withBase } from '../command.ts';
import { type Answering, printRows } from '../print.ts';

const listed = (row: PayoutRow) => ({
  id: row.id,
  connector: row.connector,
  payout: row.name,
  paid_on: formatDay(row.paid_on),
  paid: decimalText(row.net),
  lines: row.lines,
  gross: decimalText(row.gross),
  fee: decimalText(row.fee),
  net: decimalText(row.listed),
  recorded: decimalText(row.matched),
  elsewhere: decimalText(row.elsewhere),
  difference: decimalText(unexplainedOf(row)),
  faults: row.faults,
  compared_at: row.compared_at && isoDateTime(row.compared_at),
});

interface ListOptions extends Answering {
  connector?: string;
  before?: number;
}

function listCommand(settlements: Command): void {
  settlements
    .command('list')
    .description('list payouts with what the books have of their lines, the latest first')
    .option('--connector <name>', 'only of this connector')
    .option('--before <id>', 'go on behind this one', idIn)
    .option('--json', 'as JSON')
    .action((options: ListOptions) =>
      withBase('settlements list', async ({ sql }) => {
        const { connector = null, before = null } = options;
        const rows = await listSettlements(sql, { connector, before, limit: 100 });
        printRows(rows.map(listed), options);
      }),
    );
}

function linesCommand(settlements: Command): void {
  settlements
    .command('lines')
    .description('list the lines of a payout, each compared with the books as they are now')
    .argument('<id>', 'its number', idIn)
    .option('--after <line>', 'begin behind this line', '')
    .option('--json', 'as JSON')
    .action((id: number, options: Answering & { after: string }) =>
      withBase('settlements lines', async ({ sql }) => {
        const payout = await readPayout(sql, id);
        if (!payout) throw refusal('settlement.not_found', {});
        const lines = await linesOf(sql, id, { after: options.after, limit: 500 });
        const judged = await judgeLines(sql, payout.connector, lines);
        const rows = judged.map(({ line, charge, judgement }) => ({
          line: line.name,
          kind: line.kind,
          charge: line.attempt ?? line.trx,
          request: charge?.request_id ?? null,
          gross: decimalText(line.gross),
          fee: decimalText(line.fee),
          net: decimalText(line.net),
          recorded: charge?.collected ? decimalText(charge.collected.amount) : null,
          difference: 'fault' in judgement ? faultText(judgement.fault) : null,
        }));
        printRows(rows, options);
      }),
    );
}

function owedCommand(settlements: Command): void {
  settlements
    .command('owed')
    .description('what each acquirer still owed of its charges when it was compared last')
    .option('--json', 'as JSON')
    .action((options: Answering) =>
      withBase('settlements owed', async ({ sql }) => {
        const rows = (await readOwed(sql)).map(({ connector, day, charges, amount }) => ({
          connector,
          day: formatDay(day),
          charges,
          amount: decimalText(amount),
        }));
        printRows(rows, options);
      }),
    );
}

export function settlementCommands(settlements: Command): void {
  listCommand(settlements);
  linesCommand(settlements);
  owedCommand(settlements);
}
