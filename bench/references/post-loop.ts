import { Agent } from 'undici';

export interface PostLoopOrder {
  url: string;
  /** Sent in turn, each with its own id. */
  bodies: string[];
  concurrency: number;
}

const post = (agent: Agent, url: URL, id: string, body: string): Promise<void> =>
  new Promise((resolve, reject) => {
    agent.dispatch(
      {
        origin: url.origin,
        path: url.pathname,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'webhook-id': id },
        body,
      },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });

/** Posts bodies over keep-alive connections; returns the rate per second. */
export async function runPostLoop({ url, bodies, concurrency }: PostLoopOrder): Promise<number> {
  const agent = new Agent();
  const target = new URL(url);
  const begun = performance.now();
  const waiting = bodies.entries();
  const lane = async (): Promise<void> => {
    for (const [index, body] of waiting) await post(agent, target, `loop_${index}`, body);
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  const rate = (bodies.length * 1000) / (performance.now() - begun);
  await agent.close();
  return rate;
}
