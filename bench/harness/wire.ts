import { connect, type Socket } from 'node:net';
import type { Request } from 'autocannon';

export interface WireAnswer {
  status: number;
  text: string;
}

/** Returns the answer at the beginning of `bytes`, or null if it is incomplete. */
export function answerIn(bytes: Buffer): WireAnswer | null {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const head = bytes.toString('latin1', 0, end).toLowerCase();
  const status = Number(head.slice(9, 12));
  const body = end + 4;
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1];
  if (length !== undefined) {
    const last = body + Number(length);
    return bytes.length < last ? null : { status, text: bytes.toString('utf8', body, last) };
  }
  if (status === 204 || status === 304) return { status, text: '' };
  if (!head.includes('\r\ntransfer-encoding: chunked')) {
    throw new Error(`An answer with ${status} has no length.`);
  }
  const text = chunksIn(bytes, body);
  return text === null ? null : { status, text };
}

function chunksIn(bytes: Buffer, from: number): string | null {
  const parts: Buffer[] = [];
  let next = from;
  for (;;) {
    const line = bytes.indexOf('\r\n', next);
    if (line < 0) return null;
    const size = Number.parseInt(bytes.toString('latin1', next, line), 16);
    const last = line + 2 + size;
    if (bytes.length < last + 2) return null;
    if (size === 0) return Buffer.concat(parts).toString();
    parts.push(bytes.subarray(line + 2, last));
    next = last + 2;
  }
}

export function bytesOf(host: string, { method, path, headers = {}, body = '' }: Request): Buffer {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const length = method === 'POST' ? `content-length: ${Buffer.byteLength(body)}\r\n` : '';
  return Buffer.from(
    `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\n${lines.join('')}${length}\r\n${body}`,
  );
}

interface Call {
  bytes: Buffer;
  resolve(answer: WireAnswer): void;
  reject(error: Error): void;
}

/**
 * Keep-alive connections with one call each at a time, first come first served. Node's clients take
 * twice the CPU time per call, which the server would lack.
 */
export class Wires {
  readonly #origin: URL;
  readonly #most: number;
  readonly #all = new Set<Socket>();
  readonly #free: Socket[] = [];
  readonly #calls = new Map<Socket, Call>();
  #waiting: Call[] = [];
  #next = 0;

  constructor(origin: string, connections: number) {
    this.#origin = new URL(origin);
    this.#most = connections;
  }

  send(bytes: Buffer): Promise<WireAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<WireAnswer>();
    this.#waiting.push({ bytes, resolve, reject });
    this.#go();
    return promise;
  }

  /** Drops calls in progress, which reject. */
  close(): void {
    for (const call of this.#waiting.splice(this.#next)) call.reject(new Error('not sent'));
    for (const socket of this.#all) socket.destroy();
  }

  #go(): void {
    while (this.#next < this.#waiting.length) {
      const socket = this.#free.pop() ?? (this.#all.size < this.#most ? this.#open() : null);
      if (socket === null) return;
      const call = this.#waiting[this.#next] as Call;
      this.#next += 1;
      if (this.#next === this.#waiting.length || this.#next > 10_000) {
        this.#waiting = this.#waiting.slice(this.#next);
        this.#next = 0;
      }
      this.#calls.set(socket, call);
      socket.write(call.bytes);
    }
  }

  #open(): Socket {
    const socket = connect(Number(this.#origin.port), this.#origin.hostname);
    socket.setNoDelay(true);
    this.#all.add(socket);
    let read: Buffer[] = [];
    let fault = new Error('The server closed the connection.');
    socket.on('data', (chunk: Buffer) => {
      read.push(chunk);
      try {
        const answer = answerIn(read.length === 1 ? chunk : Buffer.concat(read));
        if (answer === null) return;
        read = [];
        const call = this.#calls.get(socket);
        this.#calls.delete(socket);
        this.#free.push(socket);
        call?.resolve(answer);
        this.#go();
      } catch (error) {
        socket.destroy(error as Error);
      }
    });
    socket.on('error', (error) => {
      fault = error;
    });
    socket.on('close', () => {
      this.#all.delete(socket);
      const free = this.#free.indexOf(socket);
      if (free >= 0) this.#free.splice(free, 1);
      this.#calls.get(socket)?.reject(fault);
      this.#calls.delete(socket);
      this.#go();
    });
    return socket;
  }
}
