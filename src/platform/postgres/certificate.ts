import { once } from 'node:events';
import { connect as dial, isIP, type Socket } from 'node:net';
import { connect as secure } from 'node:tls';
import type { TlsTerms } from './address.ts';

const patienceMs = 5_000;
/** PostgreSQL's SSLRequest: length and code. */
const sslRequest = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]);

async function readCertificate(socket: Socket, host: string, tls: TlsTerms) {
  const signal = AbortSignal.timeout(patienceMs);
  await once(socket, 'connect', { signal });
  socket.write(sslRequest);
  const [answer] = (await once(socket, 'data', { signal })) as [Buffer];
  if (answer.toString('latin1', 0, 1) !== 'S') return null;
  // Only reads the date. The service's connections verify the certificate.
  const session = secure({
    ...tls,
    socket,
    ...(isIP(host) === 0 && { servername: host }),
    rejectUnauthorized: false,
  });
  await once(session, 'secureConnect', { signal });
  return session.getPeerCertificate();
}

/**
 * Returns when the server's certificate expires. Returns null for a socket, without encryption, if
 * the server refuses TLS, or if the date is unreadable.
 */
export async function certificateEnd(
  address: string,
  tls: TlsTerms | null,
): Promise<Temporal.Instant | null> {
  const { hostname: named, port: own, searchParams } = new URL(address);
  const hostname = searchParams.get('host') ?? named;
  const port = searchParams.get('port') ?? own;
  if (tls === null || hostname === '' || hostname.startsWith('/')) return null;
  const socket = dial(Number(port || 5432), hostname);
  socket.on('error', () => {});
  try {
    const certificate = await readCertificate(socket, hostname, tls);
    const endMs = certificate === null ? Number.NaN : Date.parse(certificate.valid_to);
    return Number.isNaN(endMs) ? null : Temporal.Instant.fromEpochMilliseconds(endMs);
  } finally {
    socket.destroy();
  }
}
