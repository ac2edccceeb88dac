import { Readable } from 'node:stream';
import { Client, type Submittable } from 'pg';
import { databaseAddress, type TlsTerms } from '../postgres/address.ts';
import { deadlines } from '../postgres/deadlines.ts';
import { openPrimary, standbyQuestion } from '../postgres/servers.ts';
import { refusal } from './codes.ts';
import { writeLsn } from './lsn.ts';

type Connection = Client['connection'];
type Row = (string | null)[];

/** Members of the driver's connection that its types lack. */
interface CopyBoth {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** A command of the replication protocol, with its rows and streamed bytes. */
class Command implements Submittable {
  readonly rows: Row[] = [];
  readonly over: Promise<void>;
  readonly #outcome = Promise.withResolvers<void>();
  readonly #text: string;
  readonly #take: (chunk: Buffer) => void;
  readonly #begin: (connection: Connection & CopyBoth) => void;

  constructor(
    text: string,
    take: (chunk: Buffer) => void = () => {},
    begin: (connection: Connection & CopyBoth) => void = () => {},
  ) {
    this.#text = text;
    this.#take = take;
    this.#begin = begin;
    this.over = this.#outcome.promise;
    // Prevents an unhandled rejection. The stream's reader receives the error.
    this.over.catch(() => {});
  }

  submit(connection: Connection): void {
    connection.query(this.#text);
    this.#begin(connection as Connection & CopyBoth);
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { fields: Row }): void {
    this.rows.push(fields);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.#take(chunk);
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#outcome.resolve();
  }

  handleError(error: unknown): void {
    this.#outcome.reject(error);
  }
}

/** A running base backup: start, tar and end. */
export interface BaseStream {
  tar: Readable;
  /** Resolves when the server has sent everything. Rejects if the cluster has tablespaces. */
  ended: Promise<{ start: string; timeline: number; end: string }>;
}

export interface LogTerms {
  slot: string;
  timeline: number;
  from: bigint;
  /** Receives log bytes. They are valid until it returns. */
  onData(at: bigint, bytes: Buffer): void;
  /**
   * Returns the position up to which everything is stored, so that the server may discard earlier
   * log.
   */
  stored(): bigint;
  /** Returns true to pause reading. */
  isFull(): boolean;
  signal: AbortSignal;
}

/** Seconds between 1970 and 2000, where PostgreSQL's clock begins. */
const epoch2000 = 946_684_800n;
const statusEveryMs = 1_000;

function statusOf(stored: bigint, nowMs: number): Buffer {
  const message = Buffer.alloc(34);
  message.write('r', 0, 'latin1');
  for (const at of [1, 9, 17]) message.writeBigUInt64BE(stored, at);
  message.writeBigInt64BE(BigInt(Math.trunc(nowMs)) * 1000n - epoch2000 * 1_000_000n, 25);
  return message;
}

/** A connection that speaks the replication protocol of PostgreSQL. */
export interface Replication {
  /** Runs a command and returns its rows as text. */
  rows(command: string): Promise<Row[]>;
  base(label: string): BaseStream;
  /**
   * Streams the log. Resolves to false when the signal aborts, and to true if the server was
   * promoted and ended the timeline.
   */
  log(terms: LogTerms, nowMs: () => number): Promise<boolean>;
  close(): Promise<void>;
}

export async function openReplication(
  url: string,
  { production }: { production: boolean },
): Promise<Replication> {
  const { address, tls } = databaseAddress(url, { production });
  return await openPrimary(address, {
    open: (server) => openOne(server, tls),
    async isStandby(replication) {
      const [row] = await replication.rows(standbyQuestion);
      return row?.[0] === 'on';
    },
    close: (replication) => replication.close().catch(() => {}),
  });
}

async function openOne(address: string, tls: TlsTerms | null): Promise<Replication> {
  const options = {
    connectionString: address,
    ssl: tls ? { ...tls } : (false as const),
    application_name: 'recaudo backup',
    connectionTimeoutMillis: deadlines.connectMs,
    keepAlive: true,
    replication: 'true',
  };
  const client = new Client(options);
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => {});
  client.on('error', (error) => lost.reject(error));
  client.on('end', () => lost.reject(new Error('The server closed the connection of the backup.')));
  await client.connect();
  const run = async (command: Command): Promise<void> => {
    client.query(command);
    await Promise.race([command.over, lost.promise]);
  };
  return {
    async rows(text) {
      const command = new Command(text);
      await run(command);
      return command.rows;
    },
    base: (label) => baseOf(client, label, lost.promise),
    log: (terms, nowMs) => logOf(client, terms, { nowMs, run }),
    close: () => client.end(),
  };
}

function baseOf(client: Client, label: string, lost: Promise<never>): BaseStream {
  const { stream } = client.connection;
  const tar = new Readable({ read: () => void stream.resume() });
  let archives = 0;
  const text =
    `BASE_BACKUP (LABEL '${label}', CHECKPOINT 'fast', WAL true, MANIFEST 'no', ` +
    'TABLESPACE_MAP true)';
  const command = new Command(text, (chunk) => {
    const kind = String.fromCharCode(chunk[0] ?? 0);
    if (kind === 'n') archives += 1;
    if (kind === 'd' && !tar.push(Buffer.from(chunk.subarray(1)))) stream.pause();
  });
  client.query(command);
  const over = Promise.race([command.over, lost]).then(() => {
    const [[start = '', timeline = ''] = [], ...rest] = command.rows;
    const [end = ''] = rest.at(-1) ?? [];
    if (archives !== 1) {
      throw refusal('backup.tablespaces', {});
    }
    return { start: start ?? '', timeline: Number(timeline), end: end ?? '' };
  });
  const ended = over.then(
    (places) => {
      tar.push(null);
      return places;
    },
    (error: Error) => {
      tar.destroy(error);
      throw error;
    },
  );
  ended.catch(() => {});
  return { tar, ended };
}

async function logOf(
  client: Client,
  { slot, timeline, from, onData, stored, isFull, signal }: LogTerms,
  { nowMs, run }: { nowMs: () => number; run(command: Command): Promise<void> },
): Promise<boolean> {
  let connection: (Connection & CopyBoth) | null = null;
  let promoted = false;
  const { stream } = client.connection;
  const report = (): void => {
    connection?.sendCopyFromChunk(statusOf(stored(), nowMs()));
    if (!isFull()) stream.resume();
  };
  const onDone = (): void => {
    if (!signal.aborted) promoted = true;
    connection?.endCopyFrom();
  };
  const take = (chunk: Buffer): void => {
    const kind = String.fromCharCode(chunk[0] ?? 0);
    if (kind === 'w') onData(chunk.readBigUInt64BE(1), chunk.subarray(25));
    if (isFull()) stream.pause();
    // The server requests a reply, and disconnects silent readers.
    if (kind === 'k' && chunk[17] === 1) report();
  };
  const text = `START_REPLICATION SLOT ${slot} PHYSICAL ${writeLsn(from)} TIMELINE ${timeline}`;
  const command = new Command(text, take, (given) => {
    connection = given;
    given.once('copyDone', onDone);
  });
  const timer = setInterval(report, statusEveryMs);
  // Disconnect, because ending a two-way copy properly is complicated.
  const stop = (): void => void stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    await run(command);
    return promoted;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  } finally {
    clearInterval(timer);
    signal.removeEventListener('abort', stop);
  }
}
