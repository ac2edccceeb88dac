import { declareRefusals } from './refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

/** Refusals common to all calls. */
export const { refusal, tooMany, ...refusals } = declareRefusals(
  {
    invalid_fields: {
      kind: 'invalid',
      parameters: {},
      help: 'Fields are missing or wrong: `errors` lists every fault, `children` has it at its field, with its code.',
    },
    invalid_json: {
      kind: 'malformed',
      parameters: { found: 'text', at: 'count' },
      help: 'The body stops being JSON at this byte, counted from 0.',
    },
    body_not_utf8: {
      kind: 'malformed',
      parameters: {},
      help: 'Encode the body as UTF-8.',
    },
    body_too_complex: {
      kind: 'malformed',
      parameters: { bound: 'text', max: 'count', at: 'count' },
      help: 'The body holds more than any call takes.',
    },
    duplicate_member: {
      kind: 'malformed',
      parameters: { name: 'text' },
      help: 'Parsers differ on which of two counts. Send the member once.',
    },
    body_not_object: {
      kind: 'malformed',
      parameters: { wrapper: 'text' },
      help: 'There is no body, or it is a list or a single value.',
    },
    wrapper_not_object: {
      kind: 'malformed',
      parameters: { wrapper: 'text' },
      help: 'The wrapping member is not an object. Put the fields inside.',
    },
    wrapper_missing: {
      kind: 'malformed',
      parameters: { wrapper: 'text', found: 'text' },
      help: 'The fields are at the top, or in a member of another name.',
    },
    body_cut: {
      kind: 'malformed',
      parameters: {},
      help: 'The connection ended before the body did. Repeat the call.',
    },
    content_length_mismatch: {
      kind: 'malformed',
      parameters: {},
      help: 'A proxy or client changed the body. Send its length in bytes.',
    },
    invalid_url: {
      kind: 'malformed',
      parameters: {},
      help: 'Percent signs stand before two hexadecimal digits.',
    },
    invalid_http: {
      kind: 'malformed',
      parameters: {},
      help: 'The bytes are not HTTP, or are TLS on a port without TLS.',
    },
    unknown_query_parameter: {
      kind: 'malformed',
      parameters: { name: 'text', allowed: 'text' },
      help: 'A misspelt filter would answer with everything. Correct its name.',
    },
    transfer_to_unsupported: {
      kind: 'malformed',
      parameters: {},
      help: 'The money would stay whole if the member were ignored.',
    },
    connect_account_unsupported: {
      kind: 'malformed',
      parameters: {},
      help: 'Use a key of the other account.',
    },
    idempotency_key_invalid: {
      kind: 'malformed',
      parameters: { max: 'count' },
      help: 'The header is empty or too long.',
    },
    permission_missing: {
      kind: 'forbidden',
      parameters: { permission: 'text' },
      help: 'Make a key with this permission.',
    },
    account_suspended: {
      kind: 'forbidden',
      parameters: {},
      help: 'The operator suspended the account. Ask the operator.',
    },
    origin_not_allowed: {
      kind: 'forbidden',
      parameters: { origin: 'text' },
      help: 'Browsers ask before a page calls. The operator lists the origins of pages in `CORS_ORIGINS`.',
    },
    path_not_found: {
      kind: 'not_found',
      parameters: {},
      help: 'The path is misspelt, or belongs to a service that is not served here.',
    },
    method_not_allowed: {
      kind: 'method_not_allowed',
      parameters: { method: 'text', allowed: 'text' },
      help: 'The header `Allow` names the methods too.',
    },
    request_timeout: {
      kind: 'timeout',
      parameters: {},
      help: 'The headers came too slowly. Repeat the call.',
    },
    changed_meanwhile: {
      kind: 'conflict',
      parameters: { fields: 'text' },
      help: 'Somebody else saved between reading and saving. Read again, and decide again.',
    },
    certificate_unreadable: {
      kind: 'invalid',
      parameters: { file: 'text' },
      help: 'Another file was chosen. Take the certificate that the bank gave, in PEM or DER.',
    },
    certificate_not_valid_now: {
      kind: 'invalid',
      parameters: { file: 'text', from: 'moment', to: 'moment' },
      help: 'It has expired, or is not valid yet. Ask the bank for the one in use.',
    },
    certificate_key_unfit: {
      kind: 'invalid',
      parameters: { file: 'text' },
      help: 'Files can be encrypted for RSA and EC keys. Ask the bank for such a certificate.',
    },
    idempotency_key_in_use: {
      kind: 'conflict',
      parameters: {},
      help: 'A first call with the key has not been answered yet. Repeat after a moment.',
    },
    idempotency_key_expired: {
      kind: 'conflict',
      parameters: {},
      help: 'The key expired during the call, which created nothing. Repeat it.',
    },
    body_too_large: {
      kind: 'too_large',
      parameters: { limit: 'count' },
      help: 'Send less at once.',
    },
    unsupported_media_type: {
      kind: 'unsupported_type',
      parameters: {},
      help: 'The header says that the body is not JSON.',
    },
    unsupported_charset: {
      kind: 'unsupported_type',
      parameters: {},
      help: 'Encode the body as UTF-8, and send no other charset.',
    },
    unsupported_encoding: {
      kind: 'unsupported_type',
      parameters: {},
      help: 'The size of a compressed body is unknown until it is read.',
    },
    idempotency_key_reused: {
      kind: 'unprocessable',
      parameters: {},
      help: 'A key names one call. Take a new key for each call, and the same for its repetitions.',
    },
    too_many_calls: {
      kind: 'too_many_requests',
      parameters: { seconds: 'count' },
      help: '`RateLimit-*` headers say how many calls are left. Spread them.',
    },
    too_many_calls_from_address: {
      kind: 'too_many_requests',
      parameters: { seconds: 'count' },
      help: 'Calls without a key are counted by network.',
    },
    too_many_calls_to_link: {
      kind: 'too_many_requests',
      parameters: { seconds: 'count' },
      help: 'Calls without a key are counted by link.',
    },
    too_many_calls_under_way: {
      kind: 'too_many_requests',
      parameters: { max: 'count' },
      help: 'Keep fewer calls open at the same time.',
    },
    too_many_slow_calls: {
      kind: 'too_many_requests',
      parameters: { max: 'count' },
      help: 'Ask for lists and reports one after another.',
    },
    headers_too_large: {
      kind: 'headers_too_large',
      parameters: {},
      help: 'Mostly cookies that belong elsewhere.',
    },
    internal_error: {
      kind: 'failed',
      parameters: {},
      help: 'An unexpected error. The log has the cause under this `Request-Id`.',
    },
    database_unreachable: {
      kind: 'unavailable',
      parameters: {},
      help: 'Repeat after `Retry-After` seconds.',
    },
    database_read_only: {
      kind: 'unavailable',
      parameters: {},
      help: 'The database is a standby or was set read-only. Repeat after `Retry-After` seconds.',
    },
    call_overruled: {
      kind: 'unavailable',
      parameters: {},
      help: 'Two calls waited for each other, and this one gave way. Repeat it.',
    },
    outcome_unknown: {
      kind: 'unavailable',
      parameters: {},
      help: 'The connection to the database was lost while it wrote.',
    },
    process_draining: {
      kind: 'unavailable',
      parameters: {},
      help: '`/readyz` of a process that stops. Call another one.',
    },
    migrations_missing: {
      kind: 'unavailable',
      parameters: { names: 'text' },
      help: '`/readyz` of a process whose database is older. Run `npx recaudo migrate`.',
    },
    over_capacity: {
      kind: 'unavailable',
      parameters: {},
      help: 'More calls wait than the service takes. Repeat after `Retry-After` seconds.',
    },
    bodies_over_capacity: {
      kind: 'unavailable',
      parameters: {},
      help: 'Large bodies share bounded memory. Repeat after `Retry-After` seconds.',
    },
    documents_over_capacity: {
      kind: 'unavailable',
      parameters: {},
      help: 'Coupons and reports are drawn in turn. Repeat after `Retry-After` seconds.',
    },
    database_node_away: {
      kind: 'unavailable',
      parameters: {},
      help: 'A distributed database lacks a node. Bring it back before the clock moves.',
    },
  },
  { en, es },
);
