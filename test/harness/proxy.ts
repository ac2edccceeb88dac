import { createServer, connect as dial, type Socket } from 'node:net';

/** Treatment of new connections: forward, close at once, or never respond. */
type Manner = 'pass' | 'hang up' | 'silent';

/** A proxy to a database server that simulates failures of networks, poolers and servers. */
export interface FaultProxy {
  url: string;
  /** Returns the number of connections accepted so far. */
  accepted(): number;
  /** Sets the treatment of new connections. `silent` also silences open ones. */
  behave(manner: Manner): void;
  /** Ends all connections, gracefully (FIN) or abruptly (RST). */
  cut(how: 'end' | 'reset'): void;
  /** Ends connections that receive data after the server has sent this many more bytes. */
  cutAfter(bytes: number): void;
  close(): Promise<void>;
}

export async function openProxy(databaseUrl: string): Promise<FaultProxy> {
  const target = new URL(databaseUrl);
  const clients = new Set<Socket>();
  let manner: Manner = 'pass';
  let accepted = 0;
  let left = Number.POSITIVE_INFINITY;

  const join = (client: Socket): void => {
    const upstream = dial(Number(target.port), target.hostname);
    client.on('data', (bytes) => {
      if (manner !== 'silent') upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      if (manner === 'silent') return;
      left -= bytes.length;
      if (left > 0) client.write(bytes);
      else client.destroy();
    });
    client.on('end', () => upstream.end());
    upstream.on('end', () => client.end());
    for (const socket of [client, upstream]) {
      socket.on('error', () => {});
      socket.on('close', () => {
        clients.delete(client);
        client.destroy();
        upstream.destroy();
      });
    }
  };

  const server = createServer({ allowHalfOpen: false }, (client) => {
    accepted += 1;
    clients.add(client);
    client.on('error', () => {});
    client.on('close', () => clients.delete(client));
    if (manner === 'hang up') client.end();
    else if (manner === 'silent') client.resume();
    else join(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(address.port);
  const cut: FaultProxy['cut'] = (how) => {
    for (const client of clients) {
      if (how === 'end') client.destroy();
      else client.resetAndDestroy();
    }
  };
  return {
    url: url.href,
    accepted: () => accepted,
    behave(next) {
      manner = next;
    },
    cut,
    cutAfter(bytes) {
      left = bytes;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      cut('end');
      await closed;
    },
  };
}
