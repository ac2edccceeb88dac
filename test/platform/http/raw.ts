import { request } from 'node:http';
import type { Answer } from '../../harness/service.ts';

export interface RawCall {
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** Sent unchanged. A list is sent in chunks, without Content-Length. */
  body?: Buffer | Buffer[];
}

/** Sends a call exactly as given: fetch would set a Content-Type and normalize addresses. */
export function rawCall(origin: string, { method, path, headers, body }: RawCall): Promise<Answer> {
  const { hostname, port } = new URL(origin);
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const length = Buffer.isBuffer(body) ? { 'content-length': String(body.length) } : {};
  const call = request(
    { hostname, port, method, path, headers: { ...length, ...headers }, agent: false },
    (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(parts).toString('utf8');
        const isJson = response.headers['content-type']?.startsWith('application/json') ?? false;
        const entries = Object.entries(response.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]);
        resolve({
          status: response.statusCode ?? 0,
          headers: new Headers(entries),
          body: isJson && text !== '' ? JSON.parse(text) : null,
          text,
        });
      });
    },
  );
  // The server may answer and close the connection before the whole body is sent.
  call.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') reject(error);
  });
  for (const part of Array.isArray(body) ? body : body ? [body] : []) call.write(part);
  call.end();
  return promise;
}
