import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Commands to a receiver. */
export type ReceiverOrder =
  | { kind: 'open' }
  /**
   * Replies once `count` events have arrived since the last reply, with the arrival time of each
   * id.
   */
  | { kind: 'await'; count: number; seconds: number };

/**
 * `arrivals`: milliseconds of the machine's clock by `webhook-id`. `origin`: the reply to `open`.
 */
export type ReceiverReply = { origin: string } | { arrivals: Map<string, number> };

const arrivals = new Map<string, number>();
let arrived: (() => void) | null = null;

const moment = (): number => performance.timeOrigin + performance.now();

async function open(): Promise<ReceiverReply> {
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    if (!arrivals.has(id)) arrivals.set(id, moment());
    request.resume();
    request.on('end', () => response.writeHead(204).end());
    arrived?.();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function awaitEvents(count: number, seconds: number): Promise<ReceiverReply> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(() => {
    reject(new Error(`Only ${arrivals.size} of ${count} events arrived within ${seconds} s.`));
  }, seconds * 1000);
  arrived = () => {
    if (arrivals.size >= count) resolve();
  };
  arrived();
  await promise;
  clearTimeout(timer);
  arrived = null;
  const taken = new Map(arrivals);
  arrivals.clear();
  return { arrivals: taken };
}

/** An integrator's server that accepts everything and records arrival times. */
export const runReceiver = (order: ReceiverOrder): Promise<ReceiverReply> =>
  order.kind === 'open' ? open() : awaitEvents(order.count, order.seconds);
