import { Type } from 'typebox';
import { dateTime } from '../platform/http/shapes.ts';

/** What the answers of both kinds have at their beginning and end. */
export const mandateHead = {
  id: Type.Integer(),
  state: Type.String({ enum: ['pending_to_sign', 'signed', 'canceled'] }),
  created_at: dateTime,
  adhesion_holder_name: Type.String(),
  external_reference: Type.Optional(Type.String()),
  email: Type.String(),
};

export const mandateTail = {
  description: Type.String(),
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  signed_at: Type.Optional(dateTime),
  canceled_at: Type.Optional(dateTime),
  state_comment: Type.Optional(Type.String()),
};
