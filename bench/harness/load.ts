import { Agent, request as httpRequest } from 'node:http';
import autocannon, { type Request } from 'autocannon';

export type { Request } from 'autocannon';

/** `flood`: as fast as the connections allow. `paced`: so many requests a second, evenly. */
export interface LoadOrder {
  kind: 'flood' | 'paced';
  origin: string;
  connections: number;
  seconds: number;
  /** For `paced`: requests a second. */
  rate: number;
  /** Dealt out to the connections and sent over and over. */
  requests: Request[];
  /** Whether answers name what they created: `{"id":…`. */
  capture: boolean;
}

export interface LoadOutcome {
  /** Answers with 2xx. */
  count: number;
  seconds: number;
  /** Ids that answers named: acknowledged, so they must be in the database. */
  ids: number[];
  /** Milliseconds from the moment a request was due, for `paced`. */
  latencies: number[];
  /** What went wrong; null when every answer was 2xx. */
  fault: string | null;
}

function idIn(body: string): number {
  const digits = /^\{"id":(\d+)[,}]/.exec(body)?.[1];
  return digits === undefined ? Number((JSON.parse(body) as { id: unknown }).id) : Number(digits);
}

async function flood(order: LoadOrder): Promise<LoadOutcome> {
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
  const faults = [
    non2xx > 0 && `${non2xx} answers were not 2xx`,
    errors + timeouts > 0 && `${errors} errors, ${timeouts} timeouts`,
    capture && ids.length !== count && `${count} answers named ${ids.length} ids`,
  ].filter((fault) => fault !== false);
  return {
    count,
    seconds: outcome.duration,
    ids,
    latencies: [],
    fault: faults.length > 0 ? faults.join('; ') : null,
  };
}

function send(origin: URL, agent: Agent, { method, path, headers, body }: Request) {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const call = httpRequest(
    { host: origin.hostname, port: origin.port, agent, method, path, headers },
    (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    },
  );
  call.on('error', reject);
  call.end(body);
  return promise;
}

/**
 * Sends at an even rate whatever the answers do, and measures from the moment a request was due.
 * autocannon's own rate limit sends each second's share at once and then rests: not half load.
 */
async function paced(order: LoadOrder): Promise<LoadOutcome> {
  const { connections, seconds, rate, requests, capture } = order;
  const origin = new URL(order.origin);
  const agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  const total = Math.floor(rate * seconds);
  const latencies: number[] = [];
  const ids: number[] = [];
  const faults: string[] = [];
  const begun = performance.now();
  const sendOne = async (index: number): Promise<void> => {
    const due = begun + (index * 1000) / rate;
    try {
      const { status, text } = await send(
        origin,
        agent,
        requests[index % requests.length] as Request,
      );
      latencies.push(performance.now() - due);
      if (status < 200 || status > 299) faults.push(`an answer was ${status}`);
      else if (capture) ids.push(idIn(text));
    } catch (error) {
      faults.push(String(error));
    }
  };
  const pending: Promise<void>[] = [];
  const { promise: allSent, resolve } = Promise.withResolvers<void>();
  const timer = setInterval(() => {
    const due = Math.min(total, Math.floor(((performance.now() - begun) * rate) / 1000) + 1);
    while (pending.length < due) pending.push(sendOne(pending.length));
    if (pending.length >= total) resolve();
  }, 1);
  await allSent;
  clearInterval(timer);
  await Promise.all(pending);
  agent.destroy();
  return {
    count: latencies.length,
    seconds: (performance.now() - begun) / 1000,
    ids,
    latencies,
    fault: faults.length > 0 ? `${faults.length} faults, the first: ${faults[0]}` : null,
  };
}

export const runLoad = (order: LoadOrder): Promise<LoadOutcome> =>
  order.kind === 'flood' ? flood(order) : paced(order);
