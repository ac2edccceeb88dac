import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Largest request body. */
export const mostBodyBytes = 64 * 1024;
/** Room for an account's settings, which travel in the query of a GET. */
const mostHeaderBytes = 48 * 1024;
const requestTimeoutMs = 15_000;
/** Maximum number of concurrent calls. Further callers must retry later. */
const mostAtOnce = 512;

export interface Request {
  method: string;
  /** Raw path and query, for signatures. */
  address: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage['headers'];
  body: string;
}
export interface Answer {
  status: number;
  headers?: Record<string, string>;
  body: string | Buffer;
}

/** Answers a call; `drop` breaks the connection instead of answering. */
export type Handle = (request: Request) => Promise<Answer | 'drop'>;

export const json = (status: number, value: unknown): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
});
export const fault = (status: number, message: string): Answer =>
  json(status, { message: message.slice(0, 500) });

class TooLarge extends Error {}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBodyBytes) throw new TooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  if (response.destroyed) return;
  response.writeHead(status, {
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...headers,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
}

const tooLarge = fault(413, `A body has at most ${mostBodyBytes} bytes.`);

async function answerTo(incoming: IncomingMessage, handle: Handle): Promise<Answer | 'drop'> {
  const address = incoming.url ?? '/';
  const url = URL.parse(address, 'http://connector');
  if (!url || !address.startsWith('/')) return fault(400, 'The address is not one.');
  if (Number(incoming.headers['content-length'] ?? 0) > mostBodyBytes) return tooLarge;
  try {
    const body = await readBody(incoming);
    const { pathname: path, searchParams: query } = url;
    const { method = 'GET', headers } = incoming;
    return await handle({ method, address, path, query, headers, body });
  } catch (error) {
    if (error instanceof TooLarge) return tooLarge;
    throw error;
  }
}

export interface Listening {
  origin: string;
  /** Answers calls in progress, then closes. */
  stop: () => Promise<void>;
}

const listen = (server: Server, host: string, port: number): Promise<AddressInfo> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve(server.address() as AddressInfo);
    });
  });

export interface CallLine {
  method: string;
  path: string;
  status: number;
  ms: number;
  error?: string;
}

/** Opens a small server with bounded bodies and timeouts, and one log line per call. */
export async function openHttp(
  { host, port }: { host: string; port: number },
  handle: Handle,
  tell: (line: CallLine) => void = () => {},
): Promise<Listening> {
  let atWork = 0;
  const server = createServer(
    {
      maxHeaderSize: mostHeaderBytes,
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      keepAliveTimeout: 60_000,
      connectionsCheckingInterval: 5_000,
    },
    (incoming, response) => {
      const began = performance.now();
      const path = (incoming.url ?? '').split('?', 1)[0] ?? '';
      const logCall = (status: number, error?: string): void =>
        tell({
          method: incoming.method ?? '',
          path,
          status,
          ms: Math.round(performance.now() - began),
          ...(error !== undefined && { error }),
        });
      const finish = (answer: Answer | 'drop', error?: string): void => {
        atWork -= 1;
        if (answer === 'drop') {
          incoming.socket.destroy();
          logCall(0, 'dropped');
          return;
        }
        if (answer === tooLarge) response.setHeader('connection', 'close');
        send(response, answer);
        logCall(answer.status, error);
      };
      atWork += 1;
      if (atWork > mostAtOnce) {
        finish(fault(503, 'Too many calls at once. Come again.'));
        return;
      }
      answerTo(incoming, handle).then(
        (answer) => finish(answer),
        (error: unknown) => {
          const text = error instanceof Error ? error.message : String(error);
          finish(fault(500, 'Something failed here; what came of the call is not known.'), text);
        },
      );
    },
  );
  const { port: taken } = await listen(server, host, port);
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}
