import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Returns an error that explains a port that is in use or needs privileges. Returns other errors
 * unchanged.
 */
export function portTaken(error: unknown, variable: 'PORT' | 'METRICS_PORT'): unknown {
  if (!(error instanceof Error && 'code' in error && 'port' in error)) return error;
  const { code, port } = error;
  if (code === 'EADDRINUSE') {
    return new Error(
      `Another program listens on port ${port}: end it, or choose another port with ${variable}.`,
      { cause: error },
    );
  }
  return code === 'EACCES'
    ? new Error(`Port ${port} is not for this user: choose one above 1023 with ${variable}.`, {
        cause: error,
      })
    : error;
}

/** Returns `port`, or any free port for 0. Rejects if `port` is taken. */
export function portToListen(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error) => reject(portTaken(error, 'PORT')));
    server.listen(port, host, () => {
      const address = server.address();
      const found = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(found));
    });
  });
}

/** Ports below those that systems use for outgoing connections. */
const belowConnections = [20_000, 32_768] as const;

/**
 * Returns a free port for links that are created before the service listens. Prefers ports below
 * the ephemeral range, which no outgoing connection takes.
 */
export async function freePort(host: string, tries = 20): Promise<number> {
  if (tries === 0) return await portToListen(host, 0);
  const isFree = portToListen(host, randomInt(...belowConnections));
  return await isFree.catch(() => freePort(host, tries - 1));
}
