import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A call that a receiver got. */
export interface Received {
  path: string;
  headers: Record<string, string>;
  body: string;
  /** The parsed body. */
  event: {
    entity_name: string;
    type: string;
    event_type: string;
    entity_id: number | string;
    payload: { id: number | string; version?: number };
  };
}

export type Answer = (received: Received, response: ServerResponse) => void;

export interface Receiver {
  url: string;
  received: Received[];
  /** Returns the maximum number of concurrent calls. */
  mostAtOnce(): number;
  /** Sets the response from now on. */
  answer(how: Answer): void;
  close(): Promise<void>;
}

export const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_received, response) => {
    response.writeHead(code, headers).end();
  };

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Opens an integrator's real HTTP server on loopback. It responds 204 by default. */
export async function openReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  const sockets = new Set<Socket>();
  let how = status(204);
  let now = 0;
  let most = 0;
  const server = createServer(async (request, response) => {
    now += 1;
    most = Math.max(most, now);
    response.on('close', () => {
      now -= 1;
    });
    const body = await bodyOf(request).catch(() => '');
    if (body === '') return;
    const one: Received = {
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      body,
      event: JSON.parse(body),
    };
    received.push(one);
    how(one, response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    mostAtOnce: () => most,
    answer(next) {
      how = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
