// Longer than 300 lines: the life of one connection, from opening to its end, is one class.
import { channel } from 'node:diagnostics_channel';
import { connect as dial } from 'node:net';
import { Client, type ClientConfig, DatabaseError, type QueryResultRow } from 'pg';
import { from } from 'pg-copy-streams';
import { DatabaseAway } from '../errors.ts';
import { traced } from '../tracing.ts';
import type { TlsTerms } from './address.ts';
import { ask } from './ask.ts';
import type { RawResult } from './by-parts/run.ts';
import { CopyInto } from './copy.ts';
import { CopyOut, type TakeRow } from './copy-out.ts';
import { deadlines, statementSpan } from './deadlines.ts';
import { Description } from './description.ts';
import { nameOf, type Result, type Sendable } from './statement.ts';
import { encodeAll, readerOf } from './wire.ts';

/** Receives the text of each statement, for counters and traces. */
export const sentStatements = channel('recaudo.statement');

/** Receives the server's notices, for counters. */
export const serverNotices = channel('recaudo.notice');

export interface ConnectionTerms {
  url: string;
  applicationName: string;
  /** TLS options. Null disables encryption. */
  tls: TlsTerms | null;
  /** Prepares statements by name. False for poolers that lose them. */
  prepare: boolean;
  /** Makes transactions read-only by default. */
  readOnly: boolean;
  onNotice: (notice: { message: string | undefined }) => void;
}

function configOf({ url, applicationName, tls }: ConnectionTerms): ClientConfig {
  return {
    connectionString: url,
    // A copy, because the driver hides the key in its argument.
    ssl: tls ? { ...tls } : false,
    application_name: applicationName,
    connectionTimeoutMillis: deadlines.connectMs,
    keepAlive: true,
    types: { getTypeParser: readerOf },
  };
}

/** Returns session settings. Most make the server end sessions of hung or lost processes. */
const sessionOf = ({ readOnly }: ConnectionTerms): string =>
  [
    `TimeZone = 'UTC'`,
    `DateStyle = 'ISO'`,
    `idle_in_transaction_session_timeout = ${deadlines.hungMs}`,
    'tcp_keepalives_idle = 30',
    'tcp_keepalives_interval = 10',
    'tcp_keepalives_count = 9',
    `tcp_user_timeout = ${deadlines.hungMs}`,
    ...(readOnly ? ['default_transaction_read_only = on'] : []),
  ]
    .map((setting) => `set ${setting}`)
    .join('; ');

const asItIs = (text: string): string => text;

/** Parameter types by statement text, the same on every connection to a database. */
export type KnownTypes = Map<string, readonly number[]>;
const mostKnown = 10_000;

const numberOf = (client: Client, member: string): number | null => {
  const value: unknown = Reflect.get(client, member);
  return typeof value === 'number' ? value : null;
};

/** Cancels a connection's statement with a packet on a separate connection. */
function requestCancel(client: Client): Promise<void> {
  const pid = numberOf(client, 'processID');
  const secret = numberOf(client, 'secretKey');
  if (pid === null || secret === null) return Promise.resolve();
  const packet = Buffer.alloc(16);
  packet.writeInt32BE(16, 0);
  packet.writeInt32BE(80_877_102, 4);
  packet.writeInt32BE(pid, 8);
  packet.writeInt32BE(secret, 12);
  const { promise, resolve } = Promise.withResolvers<void>();
  const { host, port } = client;
  const socket = dial(
    host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port },
    // The server closes the connection after handling the request. A pooler drops the request if we
    // close first.
    () => socket.write(packet),
  );
  socket.setTimeout(deadlines.farewellMs, () => socket.destroy());
  socket.on('error', () => {});
  socket.on('close', () => resolve());
  socket.resume();
  return promise;
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message || error.name : String(error);

/**
 * Returns true if the session lacks the prepared statement or already has it (a pooler switched
 * sessions), or if its plan is outdated (after a migration).
 */
function isStalePlan(error: unknown): boolean {
  if (!(error instanceof DatabaseError)) return false;
  if (error.code === '26000' || error.code === '42P05') return true;
  return error.code === '0A000' && error.routine === 'RevalidateCachedQuery';
}

/** Error text of a commit that a node did not answer. Citus has no code for it. */
const commitUnanswered = /^could not commit transaction for shard /;

/**
 * Returns true if the server answers but has lost a node (SQLSTATE class 08 except protocol
 * violations, or 57P). The outcome is unknown, because the node may have committed the statement.
 */
const tellsOfLostNode = ({ code = '', message }: DatabaseError): boolean =>
  (/^(08|57P)/.test(code) && code !== '08P01') || commitUnanswered.test(message);

/**
 * A connection to the server. A statement that exceeds its deadline makes it unusable, because late
 * results could still arrive.
 */
export class Connection {
  readonly openedAtMs = performance.now();
  readonly #client: Client;
  readonly #prepare: boolean;
  readonly #known: KnownTypes;
  #failure: DatabaseAway | null = null;
  #onLost: () => void = () => {};
  /** Serializes statements, even if submitted concurrently. */
  #last: Promise<unknown> = Promise.resolve();
  #stale = false;

  private constructor(client: Client, prepare: boolean, known: KnownTypes) {
    this.#client = client;
    this.#prepare = prepare;
    this.#known = known;
  }

  /** Opens a connection. Rejects with `DatabaseAway` at the deadline. */
  static async open(terms: ConnectionTerms, known: KnownTypes): Promise<Connection> {
    const client = new Client(configOf(terms));
    const connection = new Connection(client, terms.prepare, known);
    client.on('error', (error) => connection.#lose(error));
    client.on('end', () => connection.#lose(null));
    client.on('notice', (notice) => {
      if (serverNotices.hasSubscribers) serverNotices.publish(notice.message);
      terms.onNotice(notice);
    });
    try {
      await client.connect();
      // Not as startup options, which older poolers refuse.
      await connection.simple(sessionOf(terms), deadlines.connectMs);
      return connection;
    } catch (error) {
      connection.destroy();
      if (error instanceof DatabaseAway) error.outcome = 'nothing done';
      throw error instanceof DatabaseAway ? error : cannotOpen(error);
    }
  }

  /** The listener is called once, when the connection becomes unusable. */
  set onLost(listener: () => void) {
    this.#onLost = listener;
  }

  set onNotification(listener: (topic: string, payload: string) => void) {
    this.#client.on('notification', ({ channel, payload = '' }) => listener(channel, payload));
  }

  get usable(): boolean {
    return this.#failure === null;
  }

  /** Returns true if it can return to the pool: no open transaction, no stale plan. */
  get clean(): boolean {
    return this.usable && !this.#stale && this.#client.getTransactionStatus() === 'I';
  }

  /** Rejects with the server's error, or with `DatabaseAway`. */
  async run(statement: Sendable, deadlineMs: number): Promise<Result> {
    if (statement.several || (statement.parameters.length === 0 && !statement.prepare)) {
      return await this.simple(statement.text, deadlineMs);
    }
    if (sentStatements.hasSubscribers) sentStatements.publish(statement.text);
    return await this.#inTurn(async () => {
      try {
        return await this.#runExtended(statement, this.#prepare && statement.prepare, deadlineMs);
      } catch (error) {
        if (!isStalePlan(error)) throw error;
        this.#stale = true;
        this.#known.delete(statement.text);
        // The server refused it before it ran. Retry, unless that aborted a transaction.
        if (this.#client.getTransactionStatus() !== 'I') throw error;
        return await this.#runExtended(statement, false, deadlineMs);
      }
    });
  }

  /**
   * Runs a statement and returns rows in the server's text format, for callers that pass them on.
   */
  async runRaw({ text, parameters, prepare }: Sendable, deadlineMs: number): Promise<RawResult> {
    if (sentStatements.hasSubscribers) sentStatements.publish(text);
    return await this.#inTurn(async () => {
      const name = this.#prepare && prepare ? nameOf(text) : '';
      const types = await this.#typesOf(text, parameters, name, deadlineMs);
      const values = await encodeAll(parameters, types);
      const query = {
        ...(name !== '' && { name }),
        text,
        values,
        rowMode: 'array',
        types: { getTypeParser: () => asItIs },
      };
      const { fields, rows } = await this.#within(deadlineMs, () =>
        ask<(string | null)[]>(this.#client, query),
      );
      const columns = fields.map((field) => ({ name: field.name, type: field.dataTypeID }));
      return { columns, rows };
    });
  }

  /** Runs text without parameters, possibly several statements. Returns the last one's rows. */
  simple(text: string, deadlineMs: number): Promise<Result> {
    if (sentStatements.hasSubscribers) sentStatements.publish(text);
    return this.#inTurn(async () => {
      const results = await this.#within(deadlineMs, () => ask(this.#client, { text }));
      const result = Array.isArray(results) ? results.at(-1) : results;
      return resultOf(result?.rows ?? [], result?.rowCount ?? 0);
    });
  }

  /** Opens a stream into `copy … from stdin`, which occupies the connection until its end. */
  copyInto(text: string, deadlineMs: number): Promise<CopyInto> {
    const { promise, resolve, reject } = Promise.withResolvers<CopyInto>();
    this.#inTurn(async () => {
      if (this.#failure) throw again(this.#failure);
      const copy = new CopyInto(this, this.#client.query(from(text)), deadlineMs);
      resolve(copy);
      await copy.over;
    }).catch(reject);
    return promise;
  }

  /** Runs `copy … to stdout` and passes each row to `take`. */
  copyOut(text: string, take: TakeRow, deadlineMs: number): Promise<void> {
    if (sentStatements.hasSubscribers) sentStatements.publish(text);
    return this.#inTurn(() =>
      this.#within(deadlineMs, () => this.#client.query(new CopyOut(text, take)).over),
    );
  }

  /** Abandons the connection: fails its statements and asks the server to cancel them. */
  giveUp(code: string, message: string): DatabaseAway {
    const failure = new DatabaseAway(code, message, 'unknown');
    if (this.#failure === null) {
      this.#failure = failure;
      void requestCancel(this.#client).finally(() => this.destroy());
      this.#onLost();
    }
    return failure;
  }

  destroy(): void {
    this.#client.connection.stream.destroy();
  }

  /** Closes the session. Disconnects if the server does not respond. */
  async close(): Promise<void> {
    // A lost or abandoned connection closes by itself.
    if (this.#failure) return;
    this.#failure = new DatabaseAway('CONNECTION_ENDED', 'The pool was closed.', 'nothing done');
    const timer = setTimeout(() => this.destroy(), deadlines.farewellMs);
    await this.#client.end().catch(() => {});
    clearTimeout(timer);
  }

  async #runExtended(
    { text, parameters }: Sendable,
    prepare: boolean,
    deadlineMs: number,
  ): Promise<Result> {
    const name = prepare ? nameOf(text) : '';
    const types = await this.#typesOf(text, parameters, name, deadlineMs);
    const values = await encodeAll(parameters, types);
    const { rows, rowCount } = await this.#within(deadlineMs, () =>
      ask(this.#client, { ...(prepare && { name }), text, values }),
    );
    return resultOf(rows, rowCount ?? 0);
  }

  async #typesOf(
    text: string,
    parameters: readonly unknown[],
    name: string,
    deadlineMs: number,
  ): Promise<readonly number[]> {
    if (parameters.length === 0) return [];
    const known = this.#known.get(text);
    if (known) return known;
    const types = await this.#within(deadlineMs, () => {
      const { types } = this.#client.query(new Description(text, name));
      return types;
    });
    if (this.#known.size >= mostKnown) this.#known.clear();
    this.#known.set(text, types);
    return types;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = traced(statementSpan(), () => this.#last.then(work));
    this.#last = next.catch(() => {});
    return next;
  }

  /** Sends a statement. Rejects with `DatabaseAway` on a timeout or lost connection. */
  #within<T>(deadlineMs: number, send: () => Promise<T>): Promise<T> {
    if (this.#failure) return Promise.reject(again(this.#failure));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const message = `The database did not answer within ${deadlineMs} ms.`;
        reject(this.giveUp('STATEMENT_TIMEOUT', message));
      }, deadlineMs);
      send().then(
        (value) => {
          clearTimeout(timer);
          resolve(value);
        },
        (error: unknown) => {
          clearTimeout(timer);
          reject(this.judge(error));
        },
      );
    });
  }

  /** Translates a driver's error. A fatal one ends the connection. */
  judge(error: unknown): unknown {
    if (error instanceof DatabaseAway) return error;
    if (
      error instanceof DatabaseError &&
      error.severity !== 'FATAL' &&
      error.severity !== 'PANIC'
    ) {
      return tellsOfLostNode(error)
        ? new DatabaseAway(codeOf(error), messageOf(error), 'unknown', error)
        : error;
    }
    // A column's parser rejected a value. The connection is fine.
    if (error instanceof RangeError || error instanceof TypeError || error instanceof SyntaxError) {
      return error;
    }
    this.#lose(error);
    return lost(error);
  }

  #lose(error: unknown): void {
    if (this.#failure) return;
    this.#failure = lost(error);
    this.destroy();
    this.#onLost();
  }
}

function resultOf(rows: QueryResultRow[], count: number): Result {
  return Object.defineProperty(rows, 'count', { value: count }) as Result;
}

/** Returns the error of a further statement on a lost connection. */
const again = (failure: DatabaseAway): DatabaseAway =>
  new DatabaseAway(failure.code, failure.message, 'nothing done', failure);

const lost = (cause: unknown): DatabaseAway =>
  new DatabaseAway(
    codeOf(cause) || 'CONNECTION_CLOSED',
    `The connection to the database was lost${cause ? `: ${messageOf(cause)}` : '.'}`,
    'unknown',
    cause,
  );

function cannotOpen(cause: unknown): unknown {
  const message = messageOf(cause);
  // The driver has no code for its timeout.
  const late = message === 'timeout expired';
  return new DatabaseAway(
    codeOf(cause) || (late ? 'CONNECT_TIMEOUT' : 'CONNECTION_CLOSED'),
    late
      ? `The database did not open a connection within ${deadlines.connectMs} ms.`
      : `The database cannot be reached: ${message}`,
    'nothing done',
    cause,
  );
}
