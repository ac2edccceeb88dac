import type { Command } from 'commander';
import { alarmClosing, alarmList } from '../../money/alarms/operations.ts';
import { listCommand } from '../listing.ts';
import { operationCommand } from '../operation.ts';

export function alarmCommands(alarms: Command): void {
  listCommand(alarms, alarmList);
  operationCommand(alarms, alarmClosing, ({ base }) => async (closing, actor) => {
    const { closeMoneyAlarm } = await import('../../money/alarms/index.ts');
    return await closeMoneyAlarm({ ...base, actor }, closing);
  });
}
