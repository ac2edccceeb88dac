import autocannon, { type Request } from 'autocannon';
import { type PacedOrder, runPaced } from './paced.ts';

export type { Request } from 'autocannon';

/** An order to send as fast as the connections allow. */
export interface FloodOrder {
  kind: 'flood';
  origin: string;
  connections: number;
  seconds: number;
  /** Distributed over the connections and repeated. */
  requests: Request[];
  /** True if answers begin with the created id: `{"id":…`. */
  capture: boolean;
}

export type LoadOrder = FloodOrder | PacedOrder;

export interface LoadOutcome {
  /** Number of answers. */
  count: number;
  seconds: number;
  /** Acknowledged ids, which must be in the database. */
  ids: number[];
  /** Milliseconds since a request was due, in sending order; for `paced`. */
  latencies: number[];
  /** The generator's own delay for each request in milliseconds; for `paced`. */
  late: number[];
  /** Requests without an answer in time; for `paced`. */
  unanswered: number;
  /** The first fault; null if every answer was 2xx. */
  fault: string | null;
}

export function idIn(body: string): number {
  const digits = /^\{"id":(\d+)[,}]/.exec(body)?.[1];
  return digits === undefined ? Number((JSON.parse(body) as { id: unknown }).id) : Number(digits);
}

async function flood(order: FloodOrder): Promise<LoadOutcome> {
  const { origin, connections, seconds, requests, capture } = order;
  const ids: number[] = [];
  let next = 0;
  const share = Math.max(1, Math.floor(requests.length / connections));
  const outcome = await autocannon({
    url: origin,
    connections,
    duration: seconds,
    sampleInt: 100,
    setupClient(client) {
      const own = requests.slice(next * share, (next + 1) * share);
      client.setRequests((own.length > 0 ? own : requests).map((one) => ({ ...one })));
      next += 1;
    },
    verifyBody(body) {
      if (capture) ids.push(idIn(body));
      return true;
    },
  });
  const count = outcome['2xx'];
  const { non2xx, errors, timeouts } = outcome;
  const codes = Object.keys(outcome.statusCodeStats ?? {}).join(', ');
  const faults = [
    non2xx > 0 && `${non2xx} answers were not 2xx (${codes})`,
    errors + timeouts > 0 && `${errors} errors, ${timeouts} timeouts`,
    capture && ids.length !== count && `${count} answers named ${ids.length} ids`,
  ].filter((fault) => fault !== false);
  return {
    count,
    seconds: outcome.duration,
    ids,
    latencies: [],
    late: [],
    unanswered: 0,
    fault: faults.length > 0 ? faults.join('; ') : null,
  };
}

export const runLoad = (order: LoadOrder): Promise<LoadOutcome> =>
  order.kind === 'flood' ? flood(order) : runPaced(order);
