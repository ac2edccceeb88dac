export {
  type MoneyAlarm,
  type MoneyAlarmKind,
  type MoneyAlarmRow,
  moneyAlarmKinds,
} from './alarm.ts';
export { type CloseMoneyAlarm, closeMoneyAlarm } from './close.ts';
export { hasForged, stampedClosings } from './closing.ts';
export { moneyAlarmEvidence } from './evidence.ts';
export { raiseForged } from './forged.ts';
export { countMoneyAlarms, listMoneyAlarms, readMoneyAlarm } from './list.ts';
export { alarmClosing, alarmList } from './operations.ts';
export { raiseMoneyAlarm } from './raise.ts';
