import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, tooMany, ...refusals } = declareRefusals(
  {
    'notice.connector_not_found': {
      kind: 'not_found',
      parameters: {},
      help: '`CONNECTORS` has no connector with the name in the path.',
    },
    'notice.not_accepted': {
      kind: 'unauthorized',
      parameters: { why: 'text' },
      help: 'The signature, its time or the call that it is for is wrong, or the call was received before. Sign it again.',
    },
    'notice.malformed': {
      kind: 'malformed',
      parameters: {},
      help: '`docs/reference/connectors/notices.md` has the notices of the protocol.',
    },
    'notice.not_moment': {
      kind: 'malformed',
      parameters: { member: 'text' },
      help: 'Send ISO 8601 with an offset from UTC.',
    },
    'notice.not_allowed': {
      kind: 'forbidden',
      parameters: { type: 'text' },
      help: 'Manifest and configuration let this connector report other notices.',
    },
    'notice.account_of_another': {
      kind: 'forbidden',
      parameters: {},
      help: 'Only the connector that opened an account reports its transfers.',
    },
    'notice.subject_not_found': {
      kind: 'not_found',
      parameters: { what: 'text' },
      help: 'The id was never sent to this connector.',
    },
    'notice.charge_not_paid': {
      kind: 'conflict',
      parameters: {},
      help: 'The approval has not arrived yet. Send the notice again later.',
    },
    'notice.transfer_not_reported': {
      kind: 'conflict',
      parameters: {},
      help: 'Send the notices of a transfer in order.',
    },
    'notice.charge_no_answer': {
      kind: 'unavailable',
      parameters: {},
      help: 'The connector was asked about the charge and gave no final answer.',
    },
    'notice.card_no_answer': {
      kind: 'unavailable',
      parameters: {},
      help: 'The connector was asked about the card and did not answer.',
    },
    'notice.too_many': {
      kind: 'too_many_requests',
      parameters: {},
      help: 'Notices are counted by network. Repeat after `Retry-After` seconds.',
    },
    'letter.not_found': {
      kind: 'not_found',
      parameters: {},
      help: '`connectors letters` lists dead letters.',
    },
    'letter.decided': {
      kind: 'conflict',
      parameters: { state: 'text' },
      help: 'Somebody replayed or discarded it. Read it.',
    },
    'letter.unreadable': {
      kind: 'conflict',
      parameters: { faults: 'text' },
      help: 'Replay it with a later release, or discard it.',
    },
    'connector.no_answer': {
      kind: 'unavailable',
      parameters: { connector: 'text', why: 'text' },
      help: 'The connector does not answer, or not as the protocol says. Look into its log.',
    },
    'connector.list_no_answer': {
      kind: 'unavailable',
      parameters: { what: 'text', why: 'text' },
      help: 'The connector does not answer. Look into its log.',
    },
    'connector.list_refused': {
      kind: 'unavailable',
      parameters: { what: 'text', status: 'count' },
      help: 'The connector does not give this list. Look into its log.',
    },
    'connector.list_malformed': {
      kind: 'unavailable',
      parameters: { what: 'text' },
      help: 'The answer has another shape than the protocol says.',
    },
    'connector.list_endless': {
      kind: 'unavailable',
      parameters: { what: 'text', after: 'text' },
      help: 'The connector gives a page twice, or endless pages.',
    },
  },
  { en, es },
);
