import { setTimeout as pause } from 'node:timers/promises';
import type { Request } from 'autocannon';
import { bytesOf, type WireAnswer, Wires } from './wire.ts';

/** An order to run flows one after another on each lane, for a given time or at a given pace. */
export interface FlowOrder {
  origin: string;
  lanes: number;
  seconds: number;
  /** Starts this many flows at an even rate instead, whatever the time. */
  pace?: { perSecond: number; flows: number };
  /** Creating calls, used in turn. */
  creates: Request[];
  headers: Record<string, string>;
}

export interface FlowOutcome {
  /** Requests that were created, paid, and read as paid. */
  ids: number[];
  /** Net centavos of their payments for the account. */
  net: number;
  seconds: number;
  /** Milliseconds per flow. At a pace, since the flow was due. */
  latencies: number[];
}

interface Shown {
  id: number;
  state: string;
  request_result: { net_amount: number }[];
}

const good = ({ status, text }: WireAnswer, step: string): string => {
  if (status < 200 || status > 299) throw new Error(`${step}: ${status} ${text.slice(0, 200)}`);
  return text;
};

/** Repeats create, pay, read and balance; any other answer ends the run. */
export async function runFlows(order: FlowOrder): Promise<FlowOutcome> {
  const { origin, lanes, seconds, pace, creates, headers } = order;
  const { host } = new URL(origin);
  const wires = new Wires(origin, lanes);
  const bodies = creates.map((one) => bytesOf(host, one));
  const call = (method: 'GET' | 'POST', path: string, body?: string): Promise<WireAnswer> =>
    wires.send(bytesOf(host, { method, path, headers, ...(body !== undefined && { body }) }));
  const outcome: FlowOutcome = { ids: [], net: 0, seconds: 0, latencies: [] };
  let next = 0;
  const begun = performance.now();
  const flow = async (started: number): Promise<void> => {
    const created = await wires.send(bodies[next++ % bodies.length] as Buffer);
    const { id } = JSON.parse(good(created, 'create')) as Shown;
    good(await call('POST', `/sandbox/pay/${id}`, '{}'), 'pay');
    const read = JSON.parse(good(await call('GET', `/payment-request/${id}`), 'read')) as Shown;
    const [result] = read.request_result;
    if (read.id !== id || read.state !== 'paid' || !result) throw new Error(`${id}: not paid`);
    good(await call('GET', '/account/balances'), 'balance');
    outcome.ids.push(id);
    outcome.net += Math.round(result.net_amount * 100);
    outcome.latencies.push(performance.now() - started);
  };
  const timed = async (): Promise<void> => {
    while (performance.now() - begun < seconds * 1000) await flow(performance.now());
  };
  let due = 0;
  const paced = async ({ perSecond, flows }: NonNullable<typeof pace>): Promise<void> => {
    while (due < flows) {
      const at = begun + (due++ * 1000) / perSecond;
      const early = at - performance.now();
      if (early > 0) await pause(early);
      await flow(at);
    }
  };
  const lane = pace ? () => paced(pace) : timed;
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
  } finally {
    wires.close();
  }
  return { ...outcome, seconds: (performance.now() - begun) / 1000 };
}
