/** A placeholder for a value from an earlier response. */
export interface Earlier {
  variable: string;
  /** The earlier call, such as `POST /create-qr`. */
  call: string;
  /** JSON pointer into that response. */
  pointer: readonly (string | number)[];
  /** Extracts part of the value. */
  part?: RegExp;
}

export type ExampleValue = string | number | boolean | Earlier;

/** A runnable call, by its method and path, as in `GET /payment-request/{id}`. */
export interface Example {
  path?: Record<string, ExampleValue>;
  query?: Record<string, ExampleValue>;
  body?: object;
  /** Calls that set up data. The page omits their responses. */
  before?: readonly Prepared[];
}

/** A call that prepares another, as in `POST /debit-request`. */
export interface Prepared {
  call: string;
  path?: Record<string, string | number>;
  body: object;
}

/** Examples in an order that works in a new sandbox. */
export type Examples = Record<string, Example>;

export const isEarlier = (value: unknown): value is Earlier =>
  typeof value === 'object' && value !== null && 'variable' in value;
