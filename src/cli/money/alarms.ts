import type { Command } from 'commander';
import { alarmClosing, alarmList, closeMoneyAlarm } from '../../money/alarms/index.ts';
import { listCommand } from '../listing.ts';
import { operationCommand } from '../operation.ts';

export function alarmCommands(program: Command): void {
  const alarms = program
    .command('alarms')
    .description('facts in which the books and a bank or acquirer differ');
  listCommand(alarms, alarmList);
  operationCommand(
    alarms,
    alarmClosing,
    ({ base }) =>
      (closing, actor) =>
        closeMoneyAlarm({ ...base, actor }, closing),
  );
}
