import type { Clock } from '../../platform/clocks.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import type { ApiCall } from './call.ts';
import { forgetBefore, keepNewest, writeCalls } from './store.ts';

/**
 * Maximum number of queued calls. The queue is written every second, so this limits a process's
 * rate. More would slow the calls themselves.
 */
const mostWaiting = 1_000;
/** Maximum per account, so that other accounts' calls are logged too. */
const mostOfAccount = 300;
/** Places reserved for failed calls, which people look for. */
const placesOfFailures = 100;
/** Maximum number of calls stored per account. */
const maxCalls = 100_000;
const retention = { hours: 14 * 24 };
const minuteMs = 60_000;

export interface CallLog {
  /** Queues a call, or counts it as omitted. Never waits. */
  note(call: ApiCall): void;
  flush(): Promise<void>;
  /** Deletes old calls, and excess ones of accounts that called recently. */
  clear(): Promise<void>;
}

interface Waiting {
  calls: ApiCall[];
  ofAccount: Map<string, number>;
  leftOut: Map<string, number>;
}

const nothing = (): Waiting => ({ calls: [], ofAccount: new Map(), leftOut: new Map() });

const add = (counts: Map<string, number>, name: string, count: number): void =>
  void counts.set(name, (counts.get(name) ?? 0) + count);

/** Logs this process's calls, bounded in memory and written later by COPY. */
export function createCallLog(
  sql: Sql,
  wall: Clock,
  tellLeftOut: (calls: number) => void,
): CallLog {
  let waiting = nothing();
  const called = new Set<string>();

  const leaveOut = (accountId: string, calls: number): void => {
    add(waiting.leftOut, accountId, calls);
    tellLeftOut(calls);
  };

  return {
    note(call) {
      const { accountId, status } = call;
      const queued = waiting.ofAccount.get(accountId) ?? 0;
      const spared = status < 400 ? placesOfFailures : 0;
      if (queued >= mostOfAccount - spared || waiting.calls.length >= mostWaiting - spared) {
        leaveOut(accountId, 1);
        return;
      }
      waiting.calls.push(call);
      waiting.ofAccount.set(accountId, queued + 1);
    },
    async flush() {
      const { calls, ofAccount, leftOut } = waiting;
      if (calls.length === 0 && leftOut.size === 0) return;
      waiting = nothing();
      const nowMs = wall.nowMs();
      const minute = Temporal.Instant.fromEpochMilliseconds(nowMs - (nowMs % minuteMs));
      try {
        await writeCalls(sql, calls, leftOut, minute);
        for (const accountId of ofAccount.keys()) called.add(accountId);
      } catch (error) {
        // No retry, because calls would pile up while the database is down.
        for (const [accountId, count] of leftOut) add(waiting.leftOut, accountId, count);
        for (const [accountId, count] of ofAccount) leaveOut(accountId, count);
        throw error;
      }
    },
    async clear() {
      for (const accountId of called) {
        called.delete(accountId);
        await keepNewest(sql, accountId, maxCalls);
      }
      while ((await forgetBefore(sql, wall.now().subtract(retention))) > 0);
    },
  };
}
