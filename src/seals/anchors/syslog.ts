import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect as connectTcp, isIPv6, type Socket } from 'node:net';
import { hostname } from 'node:os';
import { connect as connectTls } from 'node:tls';
import { type Receiver, sendWithinMs } from './receiver.ts';

/** Facility 13 (log audit), severity 5 (notice) */
const priority = 13 * 8 + 5;

/** Formats a message (RFC 5424) with the time of sending. */
const messageOf = (line: string, now: Temporal.Instant): string =>
  `<${priority}>1 ${now.toString({ fractionalSecondDigits: 3 })} ${hostname()} recaudo - anchor - ${line}`;

/** Frames messages by octet count (RFC 6587, RFC 5425), because line breaks do not end them. */
const framed = (message: string): string => `${Buffer.byteLength(message)} ${message}`;

const within = (): AbortSignal => AbortSignal.timeout(sendWithinMs);

async function sendDatagrams(host: string, port: number, messages: string[]): Promise<void> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  try {
    for (const message of messages) {
      await new Promise<void>((resolve, reject) => {
        socket.send(message, port, host, (error) => (error ? reject(error) : resolve()));
      });
    }
  } finally {
    socket.close();
  }
}

/** Writes everything, ends the stream, and waits until the peer has closed it too. */
async function sendStream(socket: Socket, ready: string, text: string): Promise<void> {
  const signal = within();
  try {
    await once(socket, ready, { signal });
    socket.resume();
    const closed = once(socket, 'end', { signal });
    socket.end(text);
    await closed;
  } finally {
    socket.destroy();
    socket.on('error', () => {});
  }
}

/** Ports of RFC 5426, RFC 6587 and RFC 5425 */
const ports: Record<string, number> = {
  'syslog+udp:': 514,
  'syslog+tcp:': 601,
  'syslog+tls:': 6514,
};

/** Sends each line as a message to a syslog server over UDP, TCP or TLS. */
export function syslogReceiver(url: URL, moment: () => Temporal.Instant): Receiver {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (ports[url.protocol] ?? 514);
  return {
    async send(lines) {
      const messages = lines.map((line) => messageOf(line, moment()));
      if (url.protocol === 'syslog+udp:') return await sendDatagrams(host, port, messages);
      const text = messages.map(framed).join('');
      if (url.protocol === 'syslog+tcp:') {
        return await sendStream(connectTcp({ host, port }), 'connect', text);
      }
      const servername = isIPv6(host) || /^[\d.]+$/.test(host) ? '' : host;
      return await sendStream(connectTls({ host, port, servername }), 'secureConnect', text);
    },
  };
}
