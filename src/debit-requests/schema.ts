import { Type } from 'typebox';
import { resultsAnswer, retentionAnswer } from '../money/collections/index.ts';
import { dateTime } from '../platform/http/shapes.ts';

/** Where a debit stands: both kinds have one life. */
export const debitStates = [
  'pending',
  'in_process',
  'paid',
  'rejected',
  'canceled',
  'reverted',
  'refunded',
] as const;

/** What the answers of both kinds begin with. */
export const debitHead = {
  id: Type.Integer(),
  type: Type.String({ enum: ['debit_request', 'card_debit_request'] }),
  state: Type.String({ enum: [...debitStates] }),
  created_at: dateTime,
  external_reference: Type.Optional(Type.String()),
};

export const debitTail = {
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  state_comment: Type.Optional(Type.String()),
};

/** What GET adds. */
export const happened = {
  ...resultsAnswer,
  retentions: Type.Optional(Type.Array(retentionAnswer)),
};
