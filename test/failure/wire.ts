import {
  createServer,
  type IncomingMessage,
  request as open,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call, or its response, that is delayed until a test releases it. */
export interface Held {
  /** Resolves when the message is held. */
  reached: Promise<void>;
  /** Forwards the message, or loses it: the connection breaks on both sides. */
  release(what: 'on' | 'lost'): void;
}

/** A connection between two processes on which single messages can be held. */
export interface Wire {
  origin: string;
  /** Sets the target, which changes with each start of a process. */
  lead(to: string): void;
  /** Holds the next call whose `METHOD /path` matches, or its response. */
  hold(when: 'call' | 'answer', line: RegExp): Held;
  close(): Promise<void>;
}

interface Gate {
  when: 'call' | 'answer';
  line: RegExp;
  arrive: () => Promise<'on' | 'lost'>;
}

async function bytesOf(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

interface Passed {
  status: number;
  headers: IncomingMessage['headers'];
  body: Buffer;
}

const passOn = (to: URL, { method, headers }: IncomingMessage, body: Buffer): Promise<Passed> =>
  new Promise((resolve, reject) => {
    const { host: _host, connection: _kept, ...rest } = headers;
    const sent = open(to, { method, headers: { ...rest, connection: 'close' } }, (answer) => {
      bytesOf(answer).then(
        (told) => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: told }),
        reject,
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });

export async function openWire(): Promise<Wire> {
  const gates: Gate[] = [];
  let target = '';

  const at = async (when: Gate['when'], line: string): Promise<void> => {
    const index = gates.findIndex((gate) => gate.when === when && gate.line.test(line));
    const [gate] = index < 0 ? [] : gates.splice(index, 1);
    if ((await gate?.arrive()) === 'lost') throw new Error('lost');
  };

  async function carry(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '/' } = incoming;
    const line = `${method} ${url}`;
    const body = await bytesOf(incoming);
    await at('call', line);
    const passed = await passOn(new URL(url, target), incoming, body);
    await at('answer', line);
    const { connection: _kept, 'transfer-encoding': _chunks, ...headers } = passed.headers;
    response.writeHead(passed.status, headers).end(passed.body);
  }

  const server = createServer((incoming, response) => {
    carry(incoming, response).catch(() => incoming.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    lead: (to) => {
      target = to;
    },
    hold: (when, line) => {
      const here = Promise.withResolvers<void>();
      const told = Promise.withResolvers<'on' | 'lost'>();
      const arrive = (): Promise<'on' | 'lost'> => {
        here.resolve();
        return told.promise;
      };
      gates.push({ when, line, arrive });
      return { reached: here.promise, release: told.resolve };
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
