/** A value taken from an earlier answer: its name, its place, and the call. */
export interface Earlier {
  variable: string;
  /** The call with that answer, as in `POST /create-qr`. */
  call: string;
  /** JSON pointer into that answer. */
  pointer: readonly (string | number)[];
  /** Matches the relevant part, unless it is the whole. */
  part?: RegExp;
}

export type ExampleValue = string | number | boolean | Earlier;

/** A runnable call, by its method and path, as in `GET /payment-request/{id}`. */
export interface Example {
  path?: Record<string, ExampleValue>;
  query?: Record<string, ExampleValue>;
  body?: object;
  /** Calls that set up data first; the page leaves their answers out. */
  before?: readonly Prepared[];
}

/** A call that prepares another, as in `POST /debit-request`. */
export interface Prepared {
  call: string;
  path?: Record<string, string | number>;
  body: object;
}

/** In the order in which they can be sent to a new sandbox, each once. */
export type Examples = Record<string, Example>;

export const isEarlier = (value: unknown): value is Earlier =>
  typeof value === 'object' && value !== null && 'variable' in value;
