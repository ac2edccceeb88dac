import { type Static, Type } from 'typebox';
import { pageItems } from './batch.ts';

/** The response of GET /bucket-url. */
export const openedAnswer = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    id: Type.String({ description: 'Id of the batch, for GET /batch-result/{id}/{page}' }),
    url: Type.String({ description: 'Takes one PUT of the JSON document, without an API key' }),
    expires_at: Type.String({
      format: 'date-time',
      description: 'ISO 8601: the latest time to start the upload',
    }),
    webhook_secret: Type.String({
      description: "Secret that signs events sent to the document's webhook_url",
    }),
  },
  { title: 'QrUpload' },
);

const itemOutcome = Type.Object(
  {
    index: Type.Integer({ description: 'Index in data, from 0' }),
    id: Type.Optional(Type.String({ description: 'Id of the QR; absent if invalid' })),
    status: Type.Union([Type.Literal('created'), Type.Literal('rejected')]),
    errors: Type.Array(
      Type.Object({
        field: Type.Optional(Type.String()),
        message: Type.String(),
        error_code: Type.Optional(
          Type.String({ description: 'Code of the fault; see docs/reference/errors.md' }),
        ),
      }),
    ),
  },
  { title: 'QrBatchItem' },
);

/** The response of GET /batch-result/{id}/{page}. */
export const batchResultAnswer = Type.Object(
  {
    id: Type.String(),
    state: Type.Union([
      Type.Literal('waiting_upload'),
      Type.Literal('processing'),
      Type.Literal('completed'),
      Type.Literal('failed'),
    ]),
    error: Type.Optional(Type.String({ description: 'Why the import failed as a whole' })),
    total_count: Type.Optional(
      Type.Integer({ description: 'Present once the document has been read' }),
    ),
    processed: Type.Integer(),
    created: Type.Integer(),
    rejected: Type.Integer(),
    page: Type.Integer(),
    pages: Type.Integer(),
    data: Type.Array(itemOutcome, { maxItems: pageItems }),
  },
  { title: 'QrBatchResult' },
);

export type OpenedAnswer = Static<typeof openedAnswer>;
export type BatchResultAnswer = Static<typeof batchResultAnswer>;
