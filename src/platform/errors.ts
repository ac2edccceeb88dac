import type { LocalizedText } from '../language/localized-text.ts';

/** Faults of a field in the tree of a validation error. */
export interface FieldFaults {
  errors?: (string | LocalizedText)[];
  children?: FieldFaultsByName;
}
export interface FieldFaultsByName {
  [name: string]: FieldFaults;
}

/** A fault at one field of the tree. `path` lists the names from its root. */
export interface FoundFault {
  path: string[];
  message: string;
  /** The text in every language. Null or unset if it is in English only. */
  localized?: LocalizedText | null;
}

const localizedIn = (text: string | LocalizedText): LocalizedText | null =>
  typeof text === 'string' ? null : text;

/**
 * Flattens a tree of faults. If a field has faults, skips those of its direct children, because
 * lists of scalars repeat them.
 */
export const walkFaults = (children: FieldFaultsByName, path: string[] = []): FoundFault[] =>
  Object.entries(children).flatMap(([name, { errors, children: inner = {} }]) => {
    const here = [...path, name];
    if (!errors) return walkFaults(inner, here);
    const inherited = Object.entries(inner).filter(([, child]) => !child.errors);
    return [
      ...errors.map((text) => ({
        path: here,
        message: String(text),
        localized: localizedIn(text),
      })),
      ...walkFaults(Object.fromEntries(inherited), here),
    ];
  });

/** Presents a tree of faults. `codes` lists the coded ones. */
export const presentFaults = (children: FieldFaultsByName): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(children).map(([name, { errors, children: inner }]) => {
      const codes = errors?.flatMap((text) => localizedIn(text)?.key ?? []) ?? [];
      return [
        name,
        {
          ...(errors && { errors: errors.map(String) }),
          ...(codes.length > 0 && { codes }),
          ...(inner && { children: presentFaults(inner) }),
        },
      ];
    }),
  );

/** Kinds of refusals with their HTTP status. */
export const refusalStatuses = {
  malformed: 400,
  invalid: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  too_large: 413,
  unsupported_type: 415,
  unprocessable: 422,
  too_many_requests: 429,
  headers_too_large: 431,
  failed: 500,
  unavailable: 503,
} as const;

export type RefusalKind = keyof typeof refusalStatuses;

/** An error with a message and status for the caller. */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  readonly children: FieldFaultsByName | undefined;
  /** Further members of the response, such as the work done before the refusal. */
  readonly details: Readonly<Record<string, unknown>> | undefined;
  /** The text in every language. Null if it is in English only. */
  readonly localized: LocalizedText | null;

  constructor(
    kind: RefusalKind,
    message: string | LocalizedText,
    children?: FieldFaultsByName,
    details?: Readonly<Record<string, unknown>>,
  ) {
    super(String(message));
    this.name = 'Refusal';
    this.kind = kind;
    this.localized = localizedIn(message);
    this.children = children;
    this.details = details;
  }

  get status(): number {
    return refusalStatuses[this.kind];
  }

  /** Stable, for programs. `docs/reference/errors.md` lists them. */
  get errorCode(): string | undefined {
    return this.localized?.key;
  }
}

/**
 * Returns a refusal's faults at their fields, or the refusal itself as one fault without a field.
 */
export const faultsOf = ({ children, message, localized }: Refusal): FoundFault[] =>
  children ? walkFaults(children) : [{ path: [], message, localized }];

/** A 429: too many requests, or too much data in store. */
export class TooMany extends Refusal {
  /** Seconds for Retry-After. Null if waiting does not help. */
  readonly retryAfterSeconds: number | null;

  constructor(message: string | LocalizedText, retryAfterSeconds: number | null) {
    super('too_many_requests', message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** `unknown` if a failed write may have been committed. */
export type Outcome = 'nothing done' | 'unknown';

/** The database is unreachable, timed out, or disconnected during a statement. */
export class DatabaseAway extends Error {
  /** SQLSTATE, Node's socket error code, or one of ours. */
  readonly code: string;
  outcome: Outcome;

  constructor(code: string, message: string, outcome: Outcome, cause?: unknown) {
    super(message, { cause });
    this.name = 'DatabaseAway';
    this.code = code;
    this.outcome = outcome;
  }
}

const hasCode = (error: unknown, codes: RegExp): boolean =>
  error instanceof Error && 'code' in error && codes.test(String(error.code));

/** Returns true if the database is read-only: a standby, or configured so. */
export const isReadOnly = (error: unknown): boolean => hasCode(error, /^25006$/);

/** Returns true if a conflict with another transaction aborted the statement. */
export const isOverruled = (error: unknown): boolean => hasCode(error, /^40(001|P01)$/);

/**
 * Returns true if the database is unreachable, at its limits (SQLSTATE classes 08, 53, 57P) or
 * read-only.
 */
export const isConnectionFailure = (error: unknown): boolean =>
  error instanceof DatabaseAway || hasCode(error, /^(08|53|57P)/) || isReadOnly(error);
