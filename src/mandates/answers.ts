import { Type } from 'typebox';
import { onFileReasons } from '../money/channels/index.ts';
import { dateTime } from '../platform/http/shapes.ts';

/** First fields of both kinds' responses. `mandateTail` contains the last ones. */
const mandateHead = {
  id: Type.Integer(),
  state: Type.String({ enum: ['pending_to_sign', 'signed', 'canceled'] }),
  created_at: dateTime,
  adhesion_holder_name: Type.String(),
  external_reference: Type.Optional(Type.String()),
  email: Type.String(),
};

const mandateTail = {
  description: Type.String(),
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  signed_at: Type.Optional(dateTime),
  canceled_at: Type.Optional(dateTime),
  state_comment: Type.Optional(Type.String()),
};

export const bankMandateAnswer = Type.Object(
  {
    ...mandateHead,
    cbu_number: Type.String(),
    cbu_holder_name: Type.String(),
    cbu_holder_id_number: Type.Integer(),
    bank: Type.String({ description: 'Bank of the CBU; `Entidad 999` if the code is unknown' }),
    short_description: Type.String(),
    ...mandateTail,
  },
  { title: 'Adhesion' },
);

export const cardMandateAnswer = Type.Object(
  {
    ...mandateHead,
    card_holder_name: Type.String(),
    card: Type.Optional(
      Type.String({ description: 'Card brand; absent until the holder enters the card' }),
    ),
    last_four_digits: Type.Optional(Type.String()),
    card_expires: Type.Optional(
      Type.String({
        description: 'For a card on file: its last valid month, mm-yyyy',
      }),
    ),
    card_closed: Type.Optional(
      Type.String({
        description: 'For a card on file: why its issuer closed it. Debits on it are rejected.',
      }),
    ),
    debit_reason: Type.Optional(Type.String({ enum: [...onFileReasons] })),
    ...mandateTail,
  },
  { title: 'CardAdhesion' },
);

export const publicKeyAnswer = Type.Object(
  {
    algorithm: Type.Literal('RSA-OAEP-256'),
    public_key: Type.String({ description: 'SubjectPublicKeyInfo, PEM' }),
    renew_at: Type.String({
      format: 'date-time',
      description: 'When the next key replaces this one',
    }),
    expires_at: Type.String({
      format: 'date-time',
      description: 'When numbers encrypted with this key stop being accepted',
    }),
  },
  { title: 'PublicKey' },
);
