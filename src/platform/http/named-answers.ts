/** Meaning of each status in the reference. */
const meanings = {
  400: 'The call is not valid: what is wrong, and what is allowed',
  401: 'The API key is missing, unknown, revoked or expired',
  403: 'The API key does not have the permission, or the account may not do this',
  404: 'Not found in this account',
  409: 'The state does not allow it, or the first call with this Idempotency-Key still runs',
  413: 'The body is too large',
  415: 'The body is not JSON in UTF-8',
  422: 'The Idempotency-Key was used with another body',
  429: 'Too many calls, guesses, uploads or refused payments: repeat after Retry-After seconds; without it, no time helps',
  500: 'Something went wrong on our side',
  503: 'The database is unavailable or the service is overloaded; the message says whether it is safe to repeat',
} as const;

type Status = keyof typeof meanings;

/** Properties of a call that determine its possible errors. */
export interface Refusable {
  onlyReads: boolean;
  /** True if the path or query names an entity that may be missing. */
  namesThing: boolean;
  hasBody: boolean;
  creates: boolean;
}

function statusesOf({ onlyReads, namesThing, hasBody, creates }: Refusable): Status[] {
  return [
    400,
    401,
    403,
    ...(namesThing ? ([404] as const) : []),
    ...(onlyReads ? [] : ([409] as const)),
    ...(hasBody ? ([413, 415] as const) : []),
    ...(creates ? ([422] as const) : []),
    429,
    500,
    503,
  ];
}

const inShape = (
  descriptions: readonly (readonly [Status, string])[],
  errorSchema: string,
): Record<string, object> =>
  Object.fromEntries(
    descriptions.map(([status, description]) => [status, { description, $ref: `${errorSchema}#` }]),
  );

/** Returns a call's errors by status, in its service's shape. */
export const namedErrors = (call: Refusable, errorSchema: string): Record<string, object> =>
  inShape(
    statusesOf(call).map((status) => [status, meanings[status]] as const),
    errorSchema,
  );

/** Returns the responses of a public file: one of these types, or an error. */
export function fileAnswers(
  types: readonly string[],
  { errorSchema = 'ApiError', refuses }: { errorSchema?: string; refuses?: string } = {},
): Record<string, object> {
  const file = { schema: { type: 'string', format: 'binary' } };
  return {
    200: {
      description: 'The file',
      content: Object.fromEntries(types.map((type) => [type, file])),
    },
    304: { description: 'Not modified: If-None-Match matched the ETag', type: 'null' },
    ...inShape(
      [
        ...(refuses === undefined ? [] : ([[403, refuses]] as const)),
        [404, 'No file exists at this address'],
        [429, 'Too many calls from this address or to this link: repeat after Retry-After seconds'],
        [500, meanings[500]],
        [503, meanings[503]],
      ],
      errorSchema,
    ),
  };
}
