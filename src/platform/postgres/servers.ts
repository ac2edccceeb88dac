import { DatabaseAway } from '../errors.ts';
import { Connection, type ConnectionTerms, type KnownTypes } from './connection.ts';
import { deadlines } from './deadlines.ts';

/** Asks a session whether its server is a standby. Works on replication connections too. */
export const standbyQuestion = 'show in_hot_standby';

/**
 * Splits an address of several servers (libpq's `host=a,b&port=5432,5433`) into one address each.
 * One port applies to all servers.
 */
export function serversOf(address: string): string[] {
  // Null for `postgres://user@/database`, which only the driver can parse.
  const parameters = URL.parse(address)?.searchParams;
  const hosts = (parameters?.get('host') ?? '').split(',');
  if (hosts.length === 1) return [address];
  const ports = parameters?.get('port')?.split(',') ?? [];
  return hosts.map((host, index) => {
    const server = new URL(address);
    server.searchParams.set('host', host);
    const port = ports.length === 1 ? ports[0] : ports[index];
    if (port !== undefined) server.searchParams.set('port', port);
    return server.href;
  });
}

/** The server that last accepted writes, by address. New connections try it first. */
const lastPrimaries = new Map<string, string>();

interface Opening<C> {
  open(server: string): Promise<C>;
  isStandby(connection: C): Promise<boolean>;
  close(connection: C): unknown;
}

/**
 * Opens a connection to the server of an address that accepts writes. With one server, opens it
 * whatever it is. Rejects with the error of the last server that did not answer, or with 25006 if
 * all are standbys.
 */
export async function openPrimary<C>(
  address: string,
  { open, isStandby, close }: Opening<C>,
): Promise<C> {
  const servers = serversOf(address);
  if (servers.length === 1) return await open(address);
  const last = lastPrimaries.get(address);
  let failure: unknown;
  for (const server of servers.toSorted((a, b) => Number(b === last) - Number(a === last))) {
    try {
      const connection = await open(server);
      const standby = await isStandby(connection).catch((error: unknown) => {
        close(connection);
        throw error;
      });
      if (!standby) {
        lastPrimaries.set(address, server);
        return connection;
      }
      close(connection);
      failure ??= new DatabaseAway('25006', 'No server accepts writes.', 'nothing done');
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}

/**
 * Opens a connection. If the address has several servers, it goes to the one that accepts writes,
 * or to the first that answers if the connection only reads.
 */
export const openConnection = (terms: ConnectionTerms, known: KnownTypes): Promise<Connection> =>
  openPrimary(terms.url, {
    open: (url) => Connection.open({ ...terms, url }, known),
    isStandby: async (connection) => {
      if (terms.readOnly) return false;
      const [row] = await connection.simple(standbyQuestion, deadlines.connectMs);
      return row?.in_hot_standby === 'on';
    },
    close: (connection) => connection.destroy(),
  });
