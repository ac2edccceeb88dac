import { keepLetter, type NoticeParts, tells } from '../connectors/http.ts';
import { raiseMoneyAlarm } from '../money/alarms/index.ts';
import { noteDispute } from '../money/disputes/index.ts';
import { reverseSuspense } from '../money/suspense/index.ts';
import type { Parts } from './parts.ts';

/** Collects the dependencies of notices, for the service and the reconciliation. */
export function noticePartsOf(parts: Parts): NoticeParts {
  const { base, clocks, attempts, qr, suspend, find, reverse, record, receiveTransfer } = parts;
  const { connectors } = parts;
  return {
    sql: base.sql,
    business: clocks.business,
    attempts,
    qr: qr.network,
    suspend,
    find,
    reverse,
    record,
    noteDispute: noteDispute(base),
    reverseSuspense: reverseSuspense(base),
    receiveTransfer,
    lookAtCard: parts.mandates.lookAtCard,
    mayTell: (name, type) => {
      const connector = connectors.all.find((one) => one.settings.name === name);
      return connector !== undefined && tells(connector, type);
    },
    oldestDays: (name) =>
      connectors.all.find((one) => one.settings.name === name)?.settings.oldestDays ?? 1,
    keepLetter: (name, message) => keepLetter(base, name, message),
    raise: (alarm) => raiseMoneyAlarm(base, alarm),
    alarm: connectors.alarm,
  };
}
