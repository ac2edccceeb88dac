import type { Command } from 'commander';
import { isoDateTime } from '../../kernel/dates.ts';
import { decimalText } from '../../kernel/money.ts';
import { closeMoneyAlarm, listMoneyAlarms, type MoneyAlarmRow } from '../../money/alarms/index.ts';
import { idIn, type PageOptions, paged, reasonIn } from '../arguments.ts';
import { withBase } from '../command.ts';
import { type Answering, print, printRows } from '../print.ts';

const listed = ({ raised_at, closed_at, amount, ...row }: MoneyAlarmRow) => ({
  id: row.id,
  kind: row.kind,
  account: row.account_id,
  request: row.request_id,
  attempt: row.attempt_id,
  result: row.result_id,
  suspense: row.suspense_id,
  connector: row.connector,
  amount: amount === null ? null : decimalText(amount),
  message: row.message,
  raised_at: isoDateTime(raised_at),
  closed_at: closed_at && isoDateTime(closed_at),
  note: row.note,
});

export function alarmCommands(program: Command): void {
  const alarms = program
    .command('alarms')
    .description('facts in which the books and a bank or acquirer differ');

  paged(alarms.command('list'))
    .description('list the alarms that nobody closed, oldest first')
    .option('--all', 'also those that were closed')
    .action((options: PageOptions & { all?: boolean }) =>
      withBase('alarms list', async ({ sql }) => {
        const { all = false, after, limit } = options;
        printRows((await listMoneyAlarms(sql, { all, after, limit })).map(listed), options);
      }),
    );

  alarms
    .command('close')
    .description('close an alarm, once you settled what it names')
    .argument('<id>', 'the number that `alarms list` shows', idIn)
    .requiredOption('--reason <text>', 'how it was settled', reasonIn)
    .action((id: number, { reason: note, json = false }: Answering & { reason: string }) =>
      withBase('alarms close', async ({ base, actor }) => {
        const outcome = await closeMoneyAlarm({ ...base, actor }, { id, note });
        const done = outcome === 'closed' ? 'is closed' : 'was closed before';
        print(`the alarm ${id} ${done}`, { id, outcome }, { json });
      }),
    );
}
