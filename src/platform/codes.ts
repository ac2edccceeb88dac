// Longer than 300 lines: a list of codes, which has no other parts.
import { declareRefusals } from './refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, fault, tooMany, ...refusals } = declareRefusals(
  {
    invalid_fields: {
      kind: 'invalid',
      parameters: {},
      help: 'Some fields are missing or wrong. `errors` lists every fault; `children` has each one at its field, with its code.',
    },
    invalid_json: {
      kind: 'malformed',
      parameters: { found: 'text', at: 'count' },
      help: 'The JSON has a syntax error at this byte, counted from 0. Correct it there, or let a library write the JSON.',
    },
    body_not_utf8: {
      kind: 'malformed',
      parameters: {},
      help: 'Some bytes of the body are not UTF-8, often because it was written as Latin-1. Encode it as UTF-8.',
    },
    body_too_complex: {
      kind: 'malformed',
      parameters: { bound: 'text', max: 'count', at: 'count' },
      help: 'The body exceeds a limit that applies to every call. Send less, or nest less.',
    },
    duplicate_member: {
      kind: 'malformed',
      parameters: { name: 'text' },
      help: 'Parsers disagree about which of two members counts. Send the member once.',
    },
    body_not_object: {
      kind: 'malformed',
      parameters: { wrapper: 'text' },
      help: 'The body is missing, or it is a list or a single value.',
    },
    wrapper_not_object: {
      kind: 'malformed',
      parameters: { wrapper: 'text' },
      help: 'The wrapping member is not an object. Put the fields inside.',
    },
    wrapper_missing: {
      kind: 'malformed',
      parameters: { wrapper: 'text', found: 'text' },
      help: 'The fields are at the top level, or inside a member with another name.',
    },
    body_cut: {
      kind: 'malformed',
      parameters: {},
      help: 'The connection closed too early. Retry the call.',
    },
    content_length_mismatch: {
      kind: 'malformed',
      parameters: {},
      help: 'The client counted characters instead of bytes, or a proxy changed the body. Send the length in bytes.',
    },
    invalid_url: {
      kind: 'malformed',
      parameters: {},
      help: 'A percent sign lacks its two hexadecimal digits, or they do not encode UTF-8. Let a library encode the URL.',
    },
    invalid_http: {
      kind: 'malformed',
      parameters: {},
      help: 'The bytes are not HTTP, or they are TLS on a port without TLS. Check the scheme and the port of the URL.',
    },
    unknown_query_parameter: {
      kind: 'malformed',
      parameters: { name: 'text', allowed: 'text' },
      help: 'The service rejects a misspelled filter, because ignoring it would return everything. Correct its name.',
    },
    transfer_to_unsupported: {
      kind: 'malformed',
      parameters: {},
      help: 'The service rejects the member, because ignoring it would not split the money.',
    },
    connect_account_unsupported: {
      kind: 'malformed',
      parameters: {},
      help: 'Use a key of the other account.',
    },
    idempotency_key_invalid: {
      kind: 'malformed',
      parameters: { max: 'count' },
      help: 'The header is empty or too long. Use a UUID, for example.',
    },
    permission_missing: {
      kind: 'forbidden',
      parameters: { permission: 'text' },
      help: 'Create a key with this permission. `read` covers each `…:read`, `write` each `…:write`.',
    },
    account_suspended: {
      kind: 'forbidden',
      parameters: {},
      help: 'The operator suspended the account. Ask the operator.',
    },
    origin_not_allowed: {
      kind: 'forbidden',
      parameters: { origin: 'text' },
      help: 'Browsers check the origin of a page before it calls. The operator lists the allowed origins in `CORS_ORIGINS`.',
    },
    path_not_found: {
      kind: 'not_found',
      parameters: {},
      help: 'The path is misspelled, or belongs to a service that this address does not serve.',
    },
    method_not_allowed: {
      kind: 'method_not_allowed',
      parameters: { method: 'text', allowed: 'text' },
      help: 'Use one of the methods in the message, which the header `Allow` also lists.',
    },
    request_timeout: {
      kind: 'timeout',
      parameters: {},
      help: 'The headers or the body arrived too slowly. Retry the call over a faster connection, or send less in each call.',
    },
    changed_meanwhile: {
      kind: 'conflict',
      parameters: { fields: 'text' },
      help: 'A change was saved after you read the data, perhaps by you in another tab. Read it again, then decide.',
    },
    environment_differs: {
      kind: 'conflict',
      parameters: { recorded: 'text', configured: 'text' },
      help: 'The first start records the environment of a database. A sandbox never becomes production: create a database for it.',
    },
    certificate_unreadable: {
      kind: 'invalid',
      parameters: { file: 'text' },
      help: 'The file is something else. Choose the certificate of the bank or processor, in PEM or DER.',
    },
    certificate_not_valid_now: {
      kind: 'invalid',
      parameters: { file: 'text', from: 'moment', to: 'moment' },
      help: 'The certificate has expired or is not valid yet. Ask the bank or processor for its current one.',
    },
    certificate_key_unfit: {
      kind: 'invalid',
      parameters: { file: 'text' },
      help: 'Files can be encrypted only with RSA and EC keys. Ask the bank or processor for such a certificate.',
    },
    idempotency_key_in_use: {
      kind: 'conflict',
      parameters: {},
      help: 'The first call with the key has no answer yet. Retry after a moment.',
    },
    idempotency_key_expired: {
      kind: 'conflict',
      parameters: {},
      help: 'An earlier call with this key succeeded more than 24 hours ago, and its stored answer was deleted during this call.',
    },
    body_too_large: {
      kind: 'too_large',
      parameters: { limit: 'count' },
      help: 'Send less in each call.',
    },
    unsupported_media_type: {
      kind: 'unsupported_type',
      parameters: {},
      help: '`Content-Type` declares another type, such as a form. Send JSON, and declare `application/json`.',
    },
    unsupported_charset: {
      kind: 'unsupported_type',
      parameters: {},
      help: 'Encode the body as UTF-8 and declare no other charset.',
    },
    unsupported_encoding: {
      kind: 'unsupported_type',
      parameters: {},
      help: 'The service limits the size of bodies, and a compressed one hides its size. Send it uncompressed.',
    },
    idempotency_key_reused: {
      kind: 'unprocessable',
      parameters: {},
      help: 'A key identifies one call. Use a new key for each call, and the same key for its retries.',
    },
    too_many_calls: {
      kind: 'too_many_requests',
      parameters: { seconds: 'count' },
      help: 'The `RateLimit-*` headers show how many calls are left. Spread your calls over time.',
    },
    too_many_calls_from_address: {
      kind: 'too_many_requests',
      parameters: { seconds: 'count' },
      help: 'Calls without a key have a limit for each network. Spread them over time.',
    },
    too_many_calls_to_link: {
      kind: 'too_many_requests',
      parameters: { seconds: 'count' },
      help: 'Calls without a key have a limit for each link. Spread them over time.',
    },
    too_many_calls_under_way: {
      kind: 'too_many_requests',
      parameters: { max: 'count' },
      help: 'Keep fewer calls open at the same time.',
    },
    too_many_slow_calls: {
      kind: 'too_many_requests',
      parameters: { max: 'count' },
      help: 'Request lists and reports, and send batches of QRs, one after another.',
    },
    headers_too_large: {
      kind: 'headers_too_large',
      parameters: {},
      help: 'The usual cause is cookies of another site. Send fewer or shorter headers.',
    },
    internal_error: {
      kind: 'failed',
      parameters: {},
      help: 'The error is unexpected. Send the `Request-Id` to the operator: the log has the cause under it.',
    },
    database_unreachable: {
      kind: 'unavailable',
      parameters: {},
      help: 'Retry after `Retry-After` seconds. If it lasts, check the network, the connections and the disk space of the database.',
    },
    database_read_only: {
      kind: 'unavailable',
      parameters: {},
      help: 'The database is a standby, or someone set it read-only. Retry after `Retry-After` seconds.',
    },
    call_overruled: {
      kind: 'unavailable',
      parameters: {},
      help: "Two calls waited for each other's locks, or a replica canceled a read that held up replication. Retry it.",
    },
    outcome_unknown: {
      kind: 'unavailable',
      parameters: {},
      help: 'The connection to the database was lost during the write. The call may have succeeded.',
    },
    process_draining: {
      kind: 'unavailable',
      parameters: {},
      help: '`/readyz` answers this while its process shuts down. Call another process.',
    },
    migrations_missing: {
      kind: 'unavailable',
      parameters: { names: 'text' },
      help: '`/readyz` answers this while its process is newer than the database. Run `npx recaudo migrate`.',
    },
    clocks_apart: {
      kind: 'unavailable',
      parameters: {},
      help: '`/readyz` answers this while the clocks of its machine and the database are over five minutes apart. Synchronize both with NTP.',
    },
    over_capacity: {
      kind: 'unavailable',
      parameters: {},
      help: 'More calls are waiting than the service accepts. Retry after `Retry-After` seconds.',
    },
    bodies_over_capacity: {
      kind: 'unavailable',
      parameters: {},
      help: 'Large bodies share a limited amount of memory. Retry after `Retry-After` seconds.',
    },
    documents_over_capacity: {
      kind: 'unavailable',
      parameters: {},
      help: 'The service prepares only a few coupons and reports at a time. Retry after `Retry-After` seconds.',
    },
    database_node_away: {
      kind: 'unavailable',
      parameters: {},
      help: 'A node of the distributed database does not answer. Bring it back before you move the clock.',
    },
    'document.bound': {
      kind: 'part',
      parameters: { bound: 'text', max: 'count', at: 'count' },
      help: '',
    },
    'document.ends_early': { kind: 'part', parameters: { at: 'count' }, help: '' },
    'document.not_object': { kind: 'part', parameters: { at: 'count' }, help: '' },
    'document.more_follows': { kind: 'part', parameters: { at: 'count' }, help: '' },
    'document.not_json': { kind: 'part', parameters: { outside: 'text', list: 'text' }, help: '' },
    'document.rest_too_large': {
      kind: 'part',
      parameters: { list: 'text', max: 'count' },
      help: '',
    },
    'document.list_not_array': { kind: 'part', parameters: { list: 'text' }, help: '' },
    'document.list_twice': { kind: 'part', parameters: { list: 'text', at: 'count' }, help: '' },
    'document.brace_unopened': { kind: 'part', parameters: { at: 'count' }, help: '' },
    'document.too_many_items': {
      kind: 'part',
      parameters: { list: 'text', max: 'count' },
      help: '',
    },
    'document.item_not_json': {
      kind: 'part',
      parameters: { index: 'count', at: 'count' },
      help: '',
    },
    'document.item_too_large': {
      kind: 'part',
      parameters: { index: 'count', at: 'count', max: 'count' },
      help: '',
    },
    'document.name_twice': { kind: 'part', parameters: { name: 'text' }, help: '' },
  },
  { en, es },
);
