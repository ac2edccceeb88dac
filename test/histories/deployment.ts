import { setTimeout as sleep } from 'node:timers/promises';
import { type Service, serve } from '../../src/main.ts';
import { createLog } from '../../src/platform/log.ts';
import { type Office, signIn } from '../harness/portal.ts';
import { type Answer, call, startService } from '../harness/service.ts';
import { type Acquirer, openAcquirer } from './acquirer.ts';
import { bankConnector } from './bank.ts';
import { type Desk, type DeskParts, deskOf } from './desk.ts';

export interface Sent {
  body?: unknown;
  /** Sent as Idempotency-Key. */
  key?: string;
  /** The API key, where it is not the account's; null: none, as a payer calls. */
  as?: string | null;
  /** A form of a page, in place of a body. */
  form?: Record<string, string>;
  /** More headers, made afresh for each attempt. */
  headers?: () => Record<string, string>;
}

/** A deployment that plays a history: serving processes, and operators at their desks. */
export interface Deployment {
  /** A call to one of the processes, whichever; where it is gone, whatever its answer would be. */
  send(method: string, path: string, sent?: Sent): Promise<Answer | 'nobody knows'>;
  /** The same to every process. */
  each(method: string, path: string, sent?: Sent): Promise<(Answer | 'nobody knows')[]>;
  /** Does an operator's work; rejects if the database went away. */
  desk<T>(work: (desk: Desk, parts: DeskParts) => Promise<T>): Promise<T>;
  /** Takes DEBIN and keeps cards behind a connector; null: the simulator takes all. */
  acquirer: Acquirer | null;
  /** Operators at the portal's pages; none where processes are killed. */
  operators: readonly Office[];
  /** Somebody of the account's at its pages; null where processes are killed. */
  clerk: Office | null;
  /** True where processes are killed. */
  kills: boolean;
  /** Concurrent acts, at most. */
  crowd: number;
  /** Between two moments, in the first of which so much was done: something may be killed. */
  between(operations: number): Promise<void>;
  stop(): Promise<void>;
}

/** A call whose outcome may be unknown: no connection, or one that was cut, or a 503. */
export async function sendTo(
  origin: string,
  method: string,
  path: string,
  { body, key, as, form, headers }: Sent = {},
): Promise<Answer | 'nobody knows'> {
  try {
    const answer = await call(origin, method, path, {
      ...(body !== undefined && { body }),
      ...(form && { body: new URLSearchParams(form).toString() }),
      ...(as !== undefined && { key: as }),
      headers: {
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...headers?.(),
      },
    });
    return answer.status === 503 ? 'nobody knows' : answer;
  } catch {
    return 'nobody knows';
  }
}

/** Two services in this process, each with its own connections, clock and caches. */
export async function twoServices(choose: (n: number) => number): Promise<Deployment> {
  const acquirer = await openAcquirer();
  const connectors = [...JSON.parse(bankConnector), acquirer.entry];
  const env = {
    RATE_LIMIT: '100000',
    RATE_BURST: '100000',
    CONNECTORS: JSON.stringify(connectors),
    // On pages whatever the amount takes two people.
    PAYOUT_APPROVAL_ABOVE: '0',
    PAYOUT_CHANGE_DAYS: '0',
    CORRECTION_APPROVAL_ABOVE: '0',
  };
  const first = await startService(env);
  const second: Service = await serve({ ...first.config, PORT: 0 }, createLog('silent'));
  const origins = [first.origin, second.origin];
  const parts: DeskParts = {
    sql: first.sql,
    base: second.parts.base,
    config: first.config,
  };
  return {
    send: (method, path, sent) => sendTo(origins[choose(2)] ?? '', method, path, sent),
    each: (method, path, sent) =>
      Promise.all(origins.map((origin) => sendTo(origin, method, path, sent))),
    desk: (work) => work(deskOf(parts), parts),
    acquirer,
    operators: [
      await signIn(first, 'operator'),
      await signIn(first, 'operator'),
      await signIn(first, 'operator'),
    ],
    clerk: await signIn(first, 'collections'),
    kills: false,
    crowd: 4,
    between: () => sleep(0),
    async stop() {
      await second.stop();
      await first.stop();
      await acquirer.stop();
    },
  };
}
