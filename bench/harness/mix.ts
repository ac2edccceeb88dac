import { dayOf } from '../../src/kernel/dates.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import type { Member } from './accounts.ts';
import type { Request } from './load.ts';
import { creatingRequests } from './rows.ts';
import type { Filled } from './store.ts';

/** Calls per hundred in a day. */
export const mix = {
  create: 30,
  read: 30,
  'QR status': 15,
  pay: 10,
  list: 8,
  balance: 5,
  report: 2,
} as const;

export type Act = keyof typeof mix;

/** The same hundred calls in scattered order, identical in each round. */
const hundred: Act[] = Object.entries(mix)
  .flatMap(([act, count]) => Array.from({ length: count }, (_none, no) => ({ act, no, count })))
  .toSorted((a, b) => (a.no + 0.5) / a.count - (b.no + 0.5) / b.count)
  .map(({ act }) => act as Act);

export interface Busy extends Member {
  stored: Filled;
  qrs: string[];
  /** The next unpaid request. */
  nextUnpaid: number;
}

export interface Call {
  act: Act;
  accountId: string;
  request: Request;
}

/** Builds `count` calls, accounts in turn. Each payment pays a different request. */
export function callsOf(members: Busy[], count: number): Call[] {
  const today = dayOf(wallClock.now());
  const creates = new Map(members.map(({ key }) => [key, creatingRequests(key, today)]));
  return Array.from({ length: count }, (_none, index) => {
    const member = members[index % members.length] as Busy;
    const act = hundred[Math.floor(index / members.length) % hundred.length] as Act;
    const { key, accountId, stored, qrs } = member;
    const authorization = `Bearer ${key}`;
    const some = stored.first + ((index * 7_919) % stored.count);
    const get = (path: string): Request => ({ method: 'GET', path, headers: { authorization } });
    const paying = (): Request => ({
      method: 'POST',
      path: `/sandbox/pay/${stored.first + member.nextUnpaid++}`,
      headers: { authorization, 'content-type': 'application/json' },
      body: '{}',
    });
    const requests: Record<Act, () => Request> = {
      create: () => creates.get(key)?.[index % 1_280] as Request,
      read: () => get(`/payment-request/${some}`),
      'QR status': () => get(`/status/${qrs[index % qrs.length]}`),
      pay: paying,
      list: () => get(`/payment-request?limit=25&after=${some}`),
      balance: () => get('/account/balances'),
      report: () => get(`/report/collection/${today}`),
    };
    return { act, accountId, request: requests[act]() };
  });
}
