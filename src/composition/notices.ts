import type { NoticeParts } from '../connectors/http.ts';
import { raiseMoneyAlarm } from '../money/alarms/index.ts';
import { reverseSuspense } from '../money/suspense/index.ts';
import type { Parts } from './parts.ts';

/** What connectors tell is written down with: by who serves, and by who compares lists. */
export function noticePartsOf(parts: Parts): NoticeParts {
  const { base, clocks, attempts, qr, suspend, find, reverse, receiveTransfer } = parts;
  return {
    sql: base.sql,
    business: clocks.business,
    attempts,
    qr: qr.network,
    suspend,
    find,
    reverse,
    reverseSuspense: reverseSuspense(base),
    receiveTransfer,
    raise: (alarm) => raiseMoneyAlarm(base, alarm),
  };
}
