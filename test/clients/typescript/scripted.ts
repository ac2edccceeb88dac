import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Heard {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

export type Step = (response: ServerResponse, heard: Heard) => void;

export interface Scripted {
  origin: string;
  heard: Heard[];
  close(): Promise<void>;
}

/** Starts a server that plays one step per call and repeats the last one. */
export async function scripted(...steps: Step[]): Promise<Scripted> {
  const heard: Heard[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, body };
    heard.push(one);
    steps[Math.min(heard.length, steps.length) - 1]?.(response, one);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    heard,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const jsonType = 'application/json; charset=utf-8';

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Step =>
  (response) => {
    response.writeHead(status, { 'content-type': jsonType, ...headers });
    response.end(JSON.stringify(body));
  };

/** Returns an error in the format of the payments service. */
export const refused = (
  status: number,
  error_code: string,
  headers?: Record<string, string>,
): Step => json(status, { code: status, message: 'No.', errors: ['No.'], error_code }, headers);

export const html =
  (
    status: number,
    text = '<html>502 Bad Gateway</html>',
    headers: Record<string, string> = {},
  ): Step =>
  (response) => {
    response.writeHead(status, { 'content-type': 'text/html', ...headers });
    response.end(text);
  };

/** Ends the connection before any response. */
export const hangUp: Step = (response) => response.destroy();

/** Sends half of a text, then ends the connection. */
export const cut =
  (text: string): Step =>
  (response) => {
    response.writeHead(200, { 'content-type': jsonType, 'content-length': text.length });
    response.write(text.slice(0, text.length / 2), () => response.destroy());
  };

/** Never responds. */
export const silence: Step = () => {};
