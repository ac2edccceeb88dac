type Json = Record<string, unknown>;

/** A field of a refused form and, recursively, its members. */
export const apiErrorFieldSchema = {
  $id: 'ApiErrorField',
  type: 'object',
  properties: {
    errors: {
      type: 'array',
      description: 'Faults of the field, one sentence each',
      items: { type: 'string' },
    },
    codes: {
      type: 'array',
      description: 'Stable codes for `errors`, such as field.required',
      items: { type: 'string' },
    },
    children: {
      type: 'object',
      description: 'Members of the field, or list items by index',
      additionalProperties: { $ref: 'ApiErrorField#' },
    },
  },
};

/** The JSON schema of every error of the payments service. */
export const apiErrorSchema = {
  $id: 'ApiError',
  type: 'object',
  required: ['code', 'message', 'errors', 'error_code'],
  properties: {
    code: { type: 'integer', description: 'The HTTP status' },
    message: { type: 'string', description: 'One sentence: what is wrong and what is allowed' },
    errors: {
      type: 'array',
      description: 'Its messages; those of fields include their path',
      items: { type: 'string' },
    },
    error_code: {
      type: 'string',
      description:
        'Stable code with one meaning and one status; `invalid_fields` if fields have their own codes. ' +
        'docs/reference/errors.md lists them; new codes may be added',
    },
    children: {
      type: 'object',
      description: 'For invalid fields: every field of the form; a valid one is an empty object',
      additionalProperties: { $ref: 'ApiErrorField#' },
    },
  },
};

const header = (description: string, type: 'string' | 'integer', example: string | number) => ({
  description,
  schema: { type },
  example,
});

const headers = {
  'Request-Id': header('Identifies the call in the log', 'string', '9f0c7a52-7c0e-4ce5-9a2b-3f1d'),
  'RateLimit-Limit': header('Most calls the key may make in one burst', 'integer', 200),
  'RateLimit-Remaining': header('Calls left in the current window', 'integer', 199),
  'RateLimit-Reset': header('Seconds until the limit is fully restored', 'integer', 1),
  'Idempotency-Replayed': header('`true` if this repeats the first answer', 'string', 'true'),
  'Retry-After': header(
    'Seconds to wait before repeating; absent if waiting does not help',
    'integer',
    1,
  ),
  'WWW-Authenticate': header('How to send the key', 'string', 'Bearer'),
};

type HeaderName = keyof typeof headers;

/** Names of shared answers, by status. */
const sharedNames: Readonly<Record<string, string>> = {
  400: 'InvalidCall',
  401: 'NoValidKey',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  413: 'BodyTooLarge',
  415: 'NotJson',
  422: 'KeyReused',
  429: 'TooManyCalls',
  500: 'InternalError',
  503: 'Unavailable',
};

interface Operation {
  security?: object[];
  parameters?: object[];
  responses?: Record<string, Json>;
}

function headersOf(status: string, { security = [], parameters = [] }: Operation): HeaderName[] {
  const idempotent = parameters.some((one) => 'name' in one && one.name === 'Idempotency-Key');
  return [
    'Request-Id',
    ...(security.length > 0 && status !== '401'
      ? (['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'] as const)
      : []),
    ...(idempotent && status.startsWith('2') ? (['Idempotency-Replayed'] as const) : []),
    ...(security.length > 0 && status === '401' ? (['WWW-Authenticate'] as const) : []),
    ...(status === '429' || status === '503' ? (['Retry-After'] as const) : []),
  ];
}

function shapeOf(response: Json): string {
  const content = response.content as Record<string, { schema?: { $ref?: string } }> | undefined;
  return content?.['application/json']?.schema?.$ref?.split('/').at(-1) ?? '';
}

/** Examples of error answers: by shape, then by status. */
export type ErrorExamples = Readonly<Record<string, Readonly<Record<string, object>>>>;

const isError = (status: string): boolean => /^[45]/.test(status);

function showError(response: Json, status: string, examples: ErrorExamples): void {
  const example = examples[shapeOf(response)]?.[status];
  const content = response.content as Record<string, Json> | undefined;
  const media = content?.['application/json'];
  if (media && example) Object.assign(media, { example });
}

/** Adds headers, examples of errors, and names of shared answers. */
export function nameAnswers(
  operations: readonly Operation[],
  components: Json,
  examples: ErrorExamples,
): void {
  const shared: Record<string, string> = {};
  const responses: Record<string, Json> = {};
  for (const operation of operations) {
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      response.headers = Object.fromEntries(
        headersOf(status, operation).map((name) => [
          name,
          { $ref: `#/components/headers/${name}` },
        ]),
      );
      if (!isError(status)) continue;
      showError(response, status, examples);
      const prefix = shapeOf(response) === 'QrError' ? 'Qr' : '';
      const name = `${prefix}${sharedNames[status] ?? ''}`;
      const text = JSON.stringify(response);
      shared[name] ??= text;
      if (sharedNames[status] === undefined || shared[name] !== text) continue;
      responses[name] = response;
      (operation.responses as Record<string, Json>)[status] = {
        $ref: `#/components/responses/${name}`,
      };
    }
  }
  Object.assign(components, { responses, headers });
}
