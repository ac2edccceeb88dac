import type { Command } from 'commander';
import { alarmClosing, alarmList, closeMoneyAlarm } from '../../money/alarms/index.ts';
import { listCommand } from '../listing.ts';
import { operationCommand } from '../operation.ts';

export function alarmCommands(alarms: Command): void {
  listCommand(alarms, alarmList);
  operationCommand(
    alarms,
    alarmClosing,
    ({ base }) =>
      (closing, actor) =>
        closeMoneyAlarm({ ...base, actor }, closing),
  );
}
