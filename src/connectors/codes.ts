import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, tooMany, ...refusals } = declareRefusals(
  {
    'notice.connector_not_found': {
      kind: 'not_found',
      parameters: {},
      help: '`CONNECTORS` has no connector with the name in the path. Correct the path, or add the connector.',
    },
    'notice.not_accepted': {
      kind: 'unauthorized',
      parameters: { why: 'text' },
      help: 'The headers, the time, the signature or the target is wrong, or the service already received this call. Correct what the message names, and sign it again.',
    },
    'notice.malformed': {
      kind: 'malformed',
      parameters: {},
      help: '`docs/reference/connectors/notices.md` lists the notices of the protocol.',
    },
    'notice.not_moment': {
      kind: 'malformed',
      parameters: { member: 'text' },
      help: 'Send ISO 8601 with an offset from UTC.',
    },
    'notice.not_allowed': {
      kind: 'forbidden',
      parameters: { type: 'text' },
      help: "Add the type to `notices` in the manifest. `transfer.*` and `qr.*` also need `wire_transfer` or `qr` in the connector's `channels` in `CONNECTORS`.",
    },
    'notice.account_of_another': {
      kind: 'forbidden',
      parameters: {},
      help: 'A connector can report only the transfers to accounts that it opened. Correct `cvu`, or send the notice from the other connector.',
    },
    'notice.subject_not_found': {
      kind: 'not_found',
      parameters: { what: 'text' },
      help: 'The service never sent this id to this connector. Send the id that it received.',
    },
    'notice.charge_not_paid': {
      kind: 'conflict',
      parameters: {},
      help: 'The connector has not reported the approval yet, or its last answer to an inquiry was not an approval. Send `charge.changed` and answer the inquiry with the approval.',
    },
    'notice.transfer_not_reported': {
      kind: 'conflict',
      parameters: {},
      help: 'Send the notices of a transfer in order.',
    },
    'notice.charge_no_answer': {
      kind: 'unavailable',
      parameters: {},
      help: 'The service asked the connector about the charge and got no final answer. Answer the inquiry with the outcome.',
    },
    'notice.card_no_answer': {
      kind: 'unavailable',
      parameters: {},
      help: 'The service asked the connector about the card and got no answer. Answer the inquiry.',
    },
    'notice.too_many': {
      kind: 'too_many_requests',
      parameters: {},
      help: 'The service counts notices by network. Retry after `Retry-After` seconds.',
    },
    'connector.settings_invalid': {
      kind: 'invalid',
      parameters: { name: 'text', faults: 'lines' },
      help: 'The manifest of the connector defines the settings of an account. Correct those that the message names.',
    },
    'connector.setting': {
      kind: 'part',
      parameters: { path: 'text', whole: 'text', rule: 'text', bound: 'text' },
      help: 'The manifest of the connector does not allow this setting or its value.',
    },
    'letter.not_found': {
      kind: 'not_found',
      parameters: {},
      help: '`connectors letters` lists dead letters.',
    },
    'letter.decided': {
      kind: 'conflict',
      parameters: { state: 'text' },
      help: 'Someone replayed or discarded the dead letter. Read it.',
    },
    'letter.unreadable': {
      kind: 'conflict',
      parameters: { faults: 'text' },
      help: 'A later release may read it. If the connector breaks the protocol, none will: discard it.',
    },
    'connector.no_answer': {
      kind: 'unavailable',
      parameters: { connector: 'text', why: 'text' },
      help: 'The connector does not answer, or its answer breaks the protocol. Check its log.',
    },
    'connector.list_no_answer': {
      kind: 'unavailable',
      parameters: { what: 'text', why: 'text' },
      help: 'The connector does not answer. Check its log.',
    },
    'connector.list_refused': {
      kind: 'unavailable',
      parameters: { what: 'text', status: 'count' },
      help: 'The connector answered with an error instead of the list. Check its log.',
    },
    'connector.list_malformed': {
      kind: 'unavailable',
      parameters: { what: 'text' },
      help: 'The shape of the answer breaks the protocol. `docs/reference/connectors/` describes it.',
    },
    'connector.list_endless': {
      kind: 'unavailable',
      parameters: { what: 'text', after: 'text', most: 'count' },
      help: 'The connector sent the same cursor twice, or too many pages. Correct the connector.',
    },
  },
  { en, es },
);
