import { isConnectionFailure } from '../errors.ts';

/** The part of a postgres.js `sql` that the guard touches. */
interface Guardable {
  typed(value: unknown, oid: number): unknown;
}

type Call = (...args: unknown[]) => unknown;

function isTemplate(value: unknown): value is TemplateStringsArray {
  return Array.isArray(value) && 'raw' in value;
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
  // Fragments are promises too, of the driver's own class.
  if (Object.getPrototypeOf(value) === Promise.prototype) {
    refuse('a promise; await it first', statement);
  }
  // What sql.json and sql.typed make.
  if ('value' in value && 'array' in value && value.value === undefined) {
    refuse('undefined; pass null for no value', statement);
  }
}

function checkElements(values: readonly unknown[], statement: string): void {
  for (const value of values) {
    if (Array.isArray(value)) checkElements(value, statement);
    else checkScalar(value, statement);
  }
}

function check(value: unknown, statement: string): void {
  if (Array.isArray(value)) {
    checkElements(value, statement);
    return;
  }
  checkScalar(value, statement);
  // Not inside arrays: in one for JSON, 1e20 is a number like any other.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    refuse('an integer beyond 2^53', statement);
  }
}

const typeOfTheStatement = 0;

function checked(sql: Guardable, value: unknown, statement: string): unknown {
  check(value, statement);
  const isList = Array.isArray(value) && !(value[0] instanceof Promise); // of fragments
  // The driver would guess from the first element, and take [true] for a single boolean.
  return isList ? sql.typed(value, typeOfTheStatement) : value;
}

/** Helpers such as `sql(row, 'a', 'b')`: the members that will become parameters. */
function checkHelper(first: unknown, rest: readonly unknown[]): void {
  const statement = 'sql(…)';
  if (Array.isArray(first)) {
    for (const row of first) checkHelper(row, rest);
  } else if (typeof first === 'object' && first !== null) {
    const row: Record<string, unknown> = { ...first };
    const names = rest.length > 0 ? rest.flat() : Object.keys(row);
    for (const name of names) check(row[String(name)], statement);
  } else {
    check(first, statement);
  }
}

const lost = (): Error =>
  Object.assign(new Error('The connection of this transaction was lost.'), {
    code: 'CONNECTION_CLOSED',
  });

const lookAgainMs = 10;
const longestMs = 1_000;

async function untilOver(isOver: () => boolean): Promise<void> {
  for (let waitedMs = 0; !isOver() && waitedMs < longestMs; waitedMs += lookAgainMs) {
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

/**
 * `begin`. When a connection is lost the driver fails the transaction, but its callback goes on, and
 * what it sends then, as the driver's own commit or rollback, would reach another's transaction
 * once the connection is open again. So nothing is sent once the transaction has failed, and a
 * callback that met a lost connection ends only if it was another's.
 */
function guardBegin(target: Guardable, method: Call): Call {
  return (...args) => {
    const body = args.at(-1) as (sql: Guardable) => unknown;
    let over = false;
    const isOver = (): boolean => over;
    const guarded = async (inner: Guardable): Promise<unknown> => {
      try {
        const result = await body(guard(inner, isOver));
        if (!over) return result;
      } catch (error) {
        if (isConnectionFailure(error)) await untilOver(isOver);
        if (!over) throw error;
      }
      return await new Promise<never>(() => {});
    };
    const outcome = Reflect.apply(method, target, [...args.slice(0, -1), guarded]);
    (outcome as Promise<unknown>).catch(() => {
      over = true;
    });
    return outcome;
  };
}

/**
 * Wraps a postgres.js `sql` so that a parameter that cannot be sent throws TypeError at the call.
 * The driver finds it only while it writes; with other statements in flight on that connection it
 * then fails one of those instead, and leaves the rest waiting for ever.
 */
export function guard<T extends Guardable>(sql: T, isOver: () => boolean = () => false): T {
  return new Proxy(sql, {
    apply(target, _self, [first, ...rest]: unknown[]) {
      if (isOver()) throw lost();
      if (!isTemplate(first)) {
        checkHelper(first, rest);
        return Reflect.apply(target as unknown as Call, undefined, [first, ...rest]);
      }
      const statement = first[0] ?? '';
      const values = rest.map((value) => checked(target, value, statement));
      return Reflect.apply(target as unknown as Call, undefined, [first, ...values]);
    },
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      const method = member as Call;
      if (name === 'begin') return guardBegin(target, method);
      if (name !== 'unsafe') return member;
      return (statement: string, values: unknown[] = [], ...rest: unknown[]) => {
        if (isOver()) throw lost();
        return method(
          statement,
          values.map((value) => checked(target, value, statement)),
          ...rest,
        );
      };
    },
  });
}
