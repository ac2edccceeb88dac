/** The part of autocannon that the load generator uses; the package ships no types. */
declare module 'autocannon' {
  interface Request {
    method: 'GET' | 'POST';
    path: string;
    headers?: Record<string, string>;
    body?: string;
  }

  interface Client {
    setRequests(requests: Request[]): void;
  }

  interface Options {
    url: string;
    connections: number;
    duration: number;
    /** Sampling interval in milliseconds; a run ends with a sample. */
    sampleInt: number;
    setupClient(client: Client): void;
    /** Called with the body of each answer that counts. */
    verifyBody(body: string): boolean;
  }

  interface Outcome {
    '2xx': number;
    non2xx: number;
    errors: number;
    timeouts: number;
    mismatches: number;
    duration: number;
    statusCodeStats?: Record<string, { count: number }>;
  }

  export default function autocannon(options: Options): PromiseLike<Outcome>;
}
