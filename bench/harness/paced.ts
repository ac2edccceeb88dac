import type { Request } from 'autocannon';
import { idIn, type LoadOutcome } from './load.ts';
import { bytesOf, Wires } from './wire.ts';

/** An order to send at an even rate, however fast the answers arrive. */
export interface PacedOrder {
  kind: 'paced';
  origin: string;
  connections: number;
  seconds: number;
  /** Requests per second over all sending processes. */
  rate: number;
  /** This process's share: it sends every `of`th request. */
  part: { no: number; of: number };
  /** Due time of the very first request, in milliseconds of the machine's clock. */
  startAt: number;
  /** Sent in order and repeated. */
  requests: Request[];
  /** True if answers begin with the created id: `{"id":…`. */
  capture: boolean;
  /** Seconds to wait for answers after the last due time. */
  patience: number;
}

/** Calls `send` for each index when it is due, and returns the delay of each call. */
async function sendWhenDue(
  { rate, seconds, part }: PacedOrder,
  begun: number,
  sendOne: (index: number, due: number) => void,
): Promise<number[]> {
  const total = Math.floor(rate * seconds);
  const late: number[] = [];
  let next = part.no;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    const now = performance.now();
    while (next < total) {
      const due = begun + (next * 1000) / rate;
      if (due > now) break;
      late.push(performance.now() - due);
      sendOne(next, due);
      next += part.of;
    }
    if (next >= total) resolve();
  }, 1);
  await promise;
  clearInterval(timer);
  return late;
}

/**
 * Sends at an even rate and measures each answer from its request's due time, so waiting for a
 * connection or for earlier requests counts. Unanswered requests count up to the end of the wait.
 */
export async function runPaced(order: PacedOrder): Promise<LoadOutcome> {
  const { origin, connections, requests, capture } = order;
  const wires = new Wires(origin, Math.max(1, Math.ceil(connections / order.part.of)));
  const { host } = new URL(origin);
  const bytes = requests.map((request) => bytesOf(host, request));
  const begun = order.startAt - performance.timeOrigin;
  const waiting = new Map<number, number>();
  const latencies: number[] = [];
  const ids: number[] = [];
  const faults: string[] = [];
  let given = false;
  let allAnswered = Promise.withResolvers<void>();
  const ended = (index: number): void => {
    waiting.delete(index);
    if (waiting.size === 0) allAnswered.resolve();
  };
  const sendOne = async (index: number, due: number): Promise<void> => {
    waiting.set(index, due);
    try {
      const { status, text } = await wires.send(bytes[index % bytes.length] as Buffer);
      latencies[Math.floor(index / order.part.of)] = performance.now() - due;
      if (status < 200 || status > 299)
        faults.push(`an answer was ${status} ${text.slice(0, 200)}`);
      else if (capture) ids.push(idIn(text));
    } catch (error) {
      if (given) return;
      latencies[Math.floor(index / order.part.of)] = performance.now() - due;
      faults.push(String(error));
    }
    ended(index);
  };
  const late = await sendWhenDue(order, begun, (index, due) => void sendOne(index, due));
  if (waiting.size > 0) {
    allAnswered = Promise.withResolvers<void>();
    const timer = setTimeout(allAnswered.resolve, order.patience * 1000);
    await allAnswered.promise;
    clearTimeout(timer);
  }
  given = true;
  const unanswered = waiting.size;
  for (const [index, due] of waiting) {
    latencies[Math.floor(index / order.part.of)] = performance.now() - due;
  }
  const ms = performance.now() - begun;
  wires.close();
  return {
    count: latencies.length - unanswered,
    seconds: ms / 1000,
    ids,
    latencies,
    late,
    unanswered,
    fault: faults.length > 0 ? `${faults.length} faults, the first: ${faults[0]}` : null,
  };
}
