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
  /** The API key, if not the account's; null calls without one, like a payer. */
  as?: string | null;
  /** Fields of a page's form, instead of a body. */
  form?: Record<string, string>;
  /** Additional headers, created for each attempt. */
  headers?: () => Record<string, string>;
}

/** Runs a history on serving processes, with operators. */
export interface Deployment {
  /** Sends a call to one of the processes. Returns 'nobody knows' if the outcome is unknown. */
  send(method: string, path: string, sent?: Sent): Promise<Answer | 'nobody knows'>;
  /** Sends a call to every process. */
  each(method: string, path: string, sent?: Sent): Promise<(Answer | 'nobody knows')[]>;
  /** Runs an operator's command. Rejects if the database goes away. */
  desk<T>(work: (desk: Desk, parts: DeskParts) => Promise<T>): Promise<T>;
  /** Acquirer of DEBIN and cards behind a connector; null if the simulator handles all charges. */
  acquirer: Acquirer | null;
  /** Operators on the portal's pages; empty if processes are killed. */
  operators: readonly Office[];
  /** A user of the account on its pages; null if processes are killed. */
  clerk: Office | null;
  /** True if processes are killed. */
  kills: boolean;
  /** Maximum number of concurrent acts. */
  crowd: number;
  /** Runs after each moment, with its number of operations. May kill a process. */
  between(operations: number): Promise<void>;
  stop(): Promise<void>;
}

/** Sends a call. Returns 'nobody knows' if the connection fails, or for a 503. */
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

/** Starts two services in this process, each with separate connections, clock and caches. */
export async function twoServices(choose: (n: number) => number): Promise<Deployment> {
  const acquirer = await openAcquirer();
  const connectors = [...JSON.parse(bankConnector), acquirer.entry];
  const env = {
    RATE_LIMIT: '100000',
    RATE_BURST: '100000',
    CONNECTORS: JSON.stringify(connectors),
    // In the portal, payouts and corrections of any amount need a second person.
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
