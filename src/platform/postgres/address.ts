import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import type { ConnectionOptions } from 'node:tls';

export type TlsTerms = Pick<
  ConnectionOptions,
  'rejectUnauthorized' | 'ca' | 'cert' | 'key' | 'checkServerIdentity'
>;

/** libpq's deterministic modes. `allow` and `prefer` depend on the network. */
const modes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof modes)[number];

const isMode = (text: string): text is Mode => modes.some((mode) => mode === text);

const ownParameters = ['ssl', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;

/**
 * Returns `sslmode`, or the mode that `ssl` stands for. Returns null if the address has neither.
 */
function namedMode({ searchParams }: URL): string | null {
  const named = searchParams.get('sslmode');
  if (named !== null) return named;
  const ssl = searchParams.get('ssl');
  if (ssl === null) return null;
  return /^(false|0)$/.test(ssl) ? 'disable' : 'verify-full';
}

/** Returns a readable name of a database and its server, without credentials. */
export function databaseName(text: string): string {
  const { pathname, host, searchParams } = new URL(text);
  const server = host || (searchParams.get('host') ?? '');
  return `${decodeURIComponent(pathname.slice(1))}${server && ` on ${server}`}`.trim();
}

const mostServers = 8;

/** Returns the fault of an address's list of servers, or null. */
function serversFault({ hostname, searchParams }: URL): string | null {
  if (hostname.includes(',')) return 'must list several servers at its end, as ?host=db1,db2';
  const hosts = (searchParams.get('host') ?? '').split(',');
  const ports = searchParams.get('port')?.split(',') ?? [];
  if (hosts.length === 1 && ports.length <= 1) return null;
  if (hosts.length > mostServers || (hosts.length > 1 && hosts.includes(''))) {
    return `must list up to ${mostServers} servers as its host, without gaps`;
  }
  return ports.length <= 1 || ports.length === hosts.length
    ? null
    : 'must have one port for all servers, or one for each';
}

/** Returns the fault of an address's TLS mode or servers, or null. */
export function addressFault(text: string): string | null {
  const url = new URL(text);
  const mode = namedMode(url);
  if (mode === null || isMode(mode)) return serversFault(url);
  return `must have one of ${modes.join(', ')} as its sslmode, or none`;
}

/** Returns true if connections stay on this machine: a socket, or a loopback address. */
function staysHere(url: URL): boolean {
  const hosts = decodeURIComponent(url.searchParams.get('host') ?? url.hostname).split(',');
  return hosts.every(isHere);
}

function isHere(host: string): boolean {
  if (host === '' || host.startsWith('/') || host === 'localhost' || host === '[::1]') return true;
  return host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/**
 * Returns true if the address's mode lets connections leave this machine unencrypted, or trust any
 * server that answers. False without a mode, because `databaseAddress` then chooses one.
 */
export function isUnprotected(text: string): boolean {
  const url = new URL(text);
  const mode = namedMode(url);
  if (mode === null || staysHere(url)) return false;
  return mode === 'disable' || (mode === 'require' && !url.searchParams.has('sslrootcert'));
}

function termsOf(mode: Mode, { searchParams }: URL): TlsTerms | null {
  if (mode === 'disable') return null;
  const file = (name: string): Buffer | undefined => {
    const path = searchParams.get(name);
    return path === null || path === 'system' ? undefined : readFileSync(path);
  };
  const [ca, cert, key] = [file('sslrootcert'), file('sslcert'), file('sslkey')];
  return {
    // With a root, `require` verifies the chain, as in libpq.
    rejectUnauthorized: mode !== 'require' || searchParams.has('sslrootcert'),
    ...(ca && { ca }),
    ...(cert && { cert }),
    ...(key && { key }),
    ...(mode !== 'verify-full' && { checkServerIdentity: () => undefined }),
  };
}

/**
 * Parses a database address. In production, connections that leave the machine use TLS with a
 * verified certificate, unless the address sets a mode. Removes the parameters read here, so that
 * no driver interprets them differently.
 */
export function databaseAddress(
  text: string,
  { production }: { production: boolean },
): { address: string; tls: TlsTerms | null } {
  const url = new URL(text);
  const named = namedMode(url);
  const usual = production && !staysHere(url) ? 'verify-full' : 'disable';
  const mode = named !== null && isMode(named) ? named : usual;
  const tls = termsOf(mode, url);
  for (const name of ownParameters) url.searchParams.delete(name);
  return { address: url.href, tls };
}
