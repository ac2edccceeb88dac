import { createHash } from 'node:crypto';
import type { Writable } from 'node:stream';
import { escapeIdentifier, type QueryResultRow } from 'pg';
import type { TakeRow } from './copy-out.ts';

/**
 * A statement's parameter: null, boolean, number, string, bytes, `Temporal.PlainDate`,
 * `Temporal.Instant`, JSON, or arrays of these. Another statement is inlined as a fragment.
 * `checkParameter` rejects other values at the call.
 */
export type Parameter = null | boolean | number | string | object;

export type Rows = readonly (object | undefined)[];

/** A statement's rows, and the number of affected rows. */
export type Result<T extends Rows = QueryResultRow[]> = T & { readonly count: number };

/** Text with parameters `$1` and on. */
export interface Sendable {
  text: string;
  parameters: readonly unknown[];
  /** Prepares it once per connection, named by a hash of the text. */
  prepare: boolean;
  /** Several statements in one text, without parameters. */
  several: boolean;
}

/** Runs statements: a pool, or one connection inside a transaction. */
export interface Runner {
  /** Returns rows, with `count`. */
  run(statement: Sendable): Promise<unknown>;
  cursor(statement: Sendable, rowsAtOnce: number): AsyncIterable<unknown>;
  copyInto(statement: Sendable): Promise<Writable>;
  copyOut(statement: Sendable, take: TakeRow): Promise<void>;
}

/** A quoted name of a table or column, as a fragment. */
export class Identifier {
  readonly text: string;

  constructor(name: string) {
    this.text = escapeIdentifier(name);
  }
}

interface Template {
  pieces: readonly string[];
  values: readonly unknown[];
}

interface Written {
  text: string;
  parameters: readonly unknown[];
}

/** A statement, sent once when awaited, or a fragment of another one. */
export class Statement<T extends Rows = QueryResultRow[]> implements Promise<Result<T>> {
  readonly [Symbol.toStringTag] = 'Statement';
  readonly source: Template | Written;
  readonly #runner: Runner;
  readonly #how: { prepare: boolean; several: boolean };
  #sent: Promise<Result<T>> | null = null;

  constructor(runner: Runner, source: Template | Written, how = { prepare: true, several: false }) {
    this.#runner = runner;
    this.source = source;
    this.#how = how;
  }

  sendable(): Sendable {
    return { ...('text' in this.source ? this.source : assemble(this.source)), ...this.#how };
  }

  #send(): Promise<Result<T>> {
    // The caller declares the row type.
    this.#sent ??= this.#runner.run(this.sendable()) as Promise<Result<T>>;
    return this.#sent;
  }

  // biome-ignore lint/suspicious/noThenProperty: statements are awaited
  then<A = Result<T>, B = never>(
    fulfilled?: ((rows: Result<T>) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#send().then(fulfilled, rejected);
  }

  catch<B = never>(rejected?: ((reason: unknown) => B | PromiseLike<B>) | null) {
    return this.#send().catch(rejected);
  }

  finally(settled?: (() => void) | null): Promise<Result<T>> {
    return this.#send().finally(settled);
  }

  /**
   * Streams any number of rows with DECLARE and FETCH, in this statement's transaction or a new
   * one.
   */
  cursor(rowsAtOnce: number): AsyncIterable<T> {
    return this.#runner.cursor(this.sendable(), rowsAtOnce) as AsyncIterable<T>;
  }

  /**
   * Returns the stream for the bytes of `copy … from stdin` in a transaction. Await its end, or
   * destroy it.
   */
  writable(): Promise<Writable> {
    return this.#runner.copyInto(this.sendable());
  }

  /**
   * Passes the bytes of each row of `copy … to stdout` to `take`. Needs a transaction and accepts
   * no parameters. Rethrows errors of `take` once the server is done.
   */
  takeRows(take: TakeRow): Promise<void> {
    return this.#runner.copyOut(this.sendable(), take);
  }
}

function isPart(value: unknown): value is Statement | Identifier {
  return value instanceof Statement || value instanceof Identifier;
}

function isListOfParts(value: unknown): value is Statement[] {
  return Array.isArray(value) && value[0] instanceof Statement;
}

/** Inlines fragments and numbers the parameters. */
function assemble(template: Template): { text: string; parameters: unknown[] } {
  const parameters: unknown[] = [];
  const put = ({ pieces, values }: Template): string => {
    let text = pieces[0] ?? '';
    for (let index = 0; index < values.length; index += 1) {
      text += putValue(values[index]);
      text += pieces[index + 1] ?? '';
    }
    return text;
  };
  const putValue = (value: unknown): string => {
    if (value instanceof Identifier) return value.text;
    if (value instanceof Statement) return putPart(value);
    if (isListOfParts(value)) return value.map(putPart).join(' ');
    return `$${parameters.push(value)}`;
  };
  const putPart = ({ source }: Statement): string => {
    if (!('text' in source)) return put(source);
    if (source.parameters.length === 0) return source.text;
    throw new TypeError('Text with parameters of its own cannot be a part of a statement.');
  };
  return { text: put(template), parameters };
}

const names = new Map<string, string>();
/** Texts come from a limited number of fragments. This bounds the memory in case that changes. */
const mostNames = 10_000;

/** Returns the prepared name of a text, the same in every process. */
export function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `r${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    if (names.size >= mostNames) names.clear();
    names.set(text, name);
  }
  return name;
}

const writes = new Map<string, boolean>();

/** Returns true unless the text is certainly a query without a writing part. */
export function isWrite(text: string): boolean {
  let known = writes.get(text);
  if (known === undefined) {
    known =
      !/^\s*(select|with|fetch|declare|close)\b/i.test(text) ||
      /\b(insert|update|delete|merge)\b/i.test(text);
    if (writes.size >= mostNames) writes.clear();
    writes.set(text, known);
  }
  return known;
}

function refuse(reason: string, statement: string): never {
  const start = statement.trim().replace(/\s+/g, ' ').slice(0, 60);
  throw new TypeError(`A parameter of the statement "${start}…" is ${reason}.`);
}

function checkScalar(value: unknown, statement: string): void {
  if (value === undefined) refuse('undefined; pass null for no value', statement);
  if (typeof value === 'bigint') refuse('a bigint; amounts and ids are numbers', statement);
  if (typeof value === 'number' && !Number.isFinite(value)) refuse('not finite', statement);
  if (typeof value !== 'object' || value === null) return;
  if (value instanceof Date) refuse('a Date; times are Temporal values', statement);
  if (value instanceof Promise) refuse('a promise; await it first', statement);
}

function checkElements(values: readonly unknown[], statement: string): void {
  for (const value of values) {
    if (Array.isArray(value)) checkElements(value, statement);
    else checkScalar(value, statement);
  }
}

/** Throws TypeError for a value that cannot be sent. */
export function checkParameter(value: unknown, statement: string): void {
  if (isPart(value) || isListOfParts(value)) return;
  if (Array.isArray(value)) {
    checkElements(value, statement);
    return;
  }
  checkScalar(value, statement);
  // Not inside arrays, because in JSON 1e20 is an ordinary number.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    refuse('an integer beyond 2^53', statement);
  }
}
