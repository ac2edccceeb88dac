import type { Writable } from 'node:stream';
import type { QueryResultRow } from 'pg';
import { DatabaseAway } from '../errors.ts';
import { type PartsRunner, runParts } from './by-parts/run.ts';
import type { Connection } from './connection.ts';
import type { TakeRow } from './copy-out.ts';
import { currentErrand, statementMs } from './deadlines.ts';
import { type Layout, noteFailure, partsToRun } from './distributed/engine.ts';
import { isWrite, type Result, type Runner, type Sendable } from './statement.ts';

/**
 * Runs the statements of a transaction. A failed one rolls back everything, even if its error was
 * caught.
 */
export class TransactionRunner implements Runner {
  readonly #connection: Connection;
  readonly #layout: Layout;
  #firstError: unknown = null;
  #wrote = false;
  #over = false;
  #cursors = 0;

  constructor(connection: Connection, layout: Layout) {
    this.#connection = connection;
    this.#layout = layout;
  }

  async run(statement: Sendable): Promise<Result> {
    this.#check();
    this.#wrote ||= isWrite(statement.text);
    const parted = partsToRun(this.#layout, statement);
    if (parted) return await runParts(this.#parts, statement, parted);
    return await this.#send(statement);
  }

  async copyInto({ text }: Sendable): Promise<Writable> {
    this.#check();
    this.#wrote = true;
    return await this.#watched(async () => {
      const copy = await this.#connection.copyInto(text, statementMs());
      this.#watched(() => copy.over).catch(() => {});
      return copy;
    });
  }

  async copyOut({ text }: Sendable, take: TakeRow): Promise<void> {
    this.#check();
    await this.#watched(() => this.#connection.copyOut(text, take, statementMs()));
  }

  async *cursor(statement: Sendable, rowsAtOnce: number): AsyncGenerator<QueryResultRow[]> {
    this.#cursors += 1;
    const name = `rows_${this.#cursors}`;
    const plain = (text: string): Promise<Result> =>
      this.run({ text, parameters: [], prepare: false, several: false });
    const text = `declare ${name} no scroll cursor for ${statement.text}`;
    await this.run({ ...statement, text, prepare: false });
    for (;;) {
      const rows = await plain(`fetch ${rowsAtOnce} from ${name}`);
      if (rows.length > 0) yield rows;
      if (rows.length < rowsAtOnce) break;
    }
    await plain(`close ${name}`);
  }

  async begin(options: string): Promise<void> {
    // A read-only transaction blocks no other, so it may stay idle for any time.
    const patient = options.includes('read only')
      ? '; set local idle_in_transaction_session_timeout = 0'
      : '';
    await this.#connection.simple(`begin ${options}${patient}`, statementMs());
  }

  /** Commits. Rejects if a statement failed. */
  async commit(): Promise<void> {
    if (this.#firstError !== null) throw this.#firstError;
    this.#over = true;
    const { trace } = currentErrand();
    try {
      await this.#connection.simple('commit', statementMs());
      trace.wrote ||= this.#wrote;
    } catch (error) {
      if (error instanceof DatabaseAway) {
        if (!this.#wrote) error.outcome = 'nothing done';
        trace.wrote ||= error.outcome === 'unknown';
      }
      throw error;
    }
  }

  /**
   * Rolls back. Returns `error`, or the first failed statement's error if `error` only follows from
   * it.
   */
  async rollback(error: unknown): Promise<unknown> {
    this.#over = true;
    if (this.#connection.usable) {
      await this.#connection.simple('rollback', statementMs()).catch(() => {});
    }
    return isConsequence(error) ? (this.#firstError ?? error) : error;
  }

  #send(statement: Sendable): Promise<Result> {
    return this.#watched(() => this.#connection.run(statement, statementMs()));
  }

  readonly #parts: PartsRunner = {
    run: (statement) => this.#send(statement),
    runRaw: (statement) => this.#watched(() => this.#connection.runRaw(statement, statementMs())),
  };

  #check(): void {
    if (this.#over) throw new Error('A statement was sent after its transaction had ended.');
  }

  async #watched<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      noteFailure(this.#layout, error);
      if (error instanceof DatabaseAway) error.outcome = 'nothing done';
      this.#firstError ??= error;
      throw error;
    }
  }
}

/** Returns true for the server's refusal of any statement after a failed one. */
const isConsequence = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '25P02';
