import { createServer, connect as dial, type Socket } from 'node:net';

/** A way to a database server that can be cut, as when the server or the network dies. */
export interface CutProxy {
  url: string;
  /** Ends all connections: in order (FIN) or not (RST). */
  cut(how: 'end' | 'reset'): void;
  close(): Promise<void>;
}

export async function openCutProxy(databaseUrl: string): Promise<CutProxy> {
  const target = new URL(databaseUrl);
  const clients = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = dial(Number(target.port), target.hostname);
    clients.add(client);
    client.pipe(upstream).pipe(client);
    for (const socket of [client, upstream]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        clients.delete(client);
        client.destroy();
        upstream.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const url = new URL(databaseUrl);
  url.port = String(address.port);
  const cut: CutProxy['cut'] = (how) => {
    for (const client of clients) {
      if (how === 'end') client.destroy();
      else client.resetAndDestroy();
    }
  };
  return {
    url: url.href,
    cut,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      cut('end');
      await closed;
    },
  };
}
