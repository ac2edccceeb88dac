import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, tooMany, fault, ...refusals } = declareRefusals(
  {
    'qr_batch.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the batch belongs to another account.',
    },
    'qr_batch.page_not_found': {
      kind: 'not_found',
      parameters: { page: 'count', pages: 'count' },
      help: 'You have read the last page. `pages` is the number of pages.',
    },
    'qr_upload.too_many': {
      kind: 'too_many_requests',
      parameters: { open: 'count', most: 'count' },
      help: 'An upload is in progress until its document is processed or its unused address expires. `UPLOADS_OPEN` sets the maximum.',
    },
    'qr_upload.no_room': {
      kind: 'too_many_requests',
      parameters: { bytes: 'count', most: 'count' },
      help: 'Documents stay in the database until they are processed. `UPLOADS_STORED_MIB` sets the limit.',
    },
    'qr_upload.address_unknown': {
      kind: 'forbidden',
      parameters: {},
      help: 'The address was cut or changed. Get another one.',
    },
    'qr_upload.address_expired': {
      kind: 'forbidden',
      parameters: {},
      help: 'The upload started more than a minute after you got the address. Get another one.',
    },
    'qr_upload.address_used': {
      kind: 'conflict',
      parameters: {},
      help: 'The address has received a document, or is receiving one. Read its result, or get another address.',
    },
    'qr_upload.too_large': {
      kind: 'too_large',
      parameters: { most: 'count' },
      help: 'Split the document. For a document in an S3 store, this code appears in `error` of its import.',
    },
    'qr_upload.cut': {
      kind: 'malformed',
      parameters: {},
      help: 'The connection closed before the end of the document.',
    },
    'qr_upload.empty': {
      kind: 'malformed',
      parameters: {},
      help: 'The upload has no body.',
    },
    'qr_upload.not_object': {
      kind: 'malformed',
      parameters: {},
      help: 'The file is not JSON, or is a JSON list. Send a JSON object, which begins with `{`.',
    },
    'qr_upload.rows_broken': {
      kind: 'unprocessable',
      parameters: { rows: 'text' },
      help: 'Cells are missing or shifted, or contain a formula error, a broken character, or a rounded number such as 5,49E+12. Correct the rows in the spreadsheet.',
    },
    'qr_upload.account_not_active': {
      kind: 'conflict',
      parameters: {},
      help: 'The operator suspended or closed the account during the import. Ask the operator.',
    },
    'qr_upload.replaced': {
      kind: 'conflict',
      parameters: {},
      help: 'This code appears in `error` of a failed import. Get another address, and upload the document once.',
    },
    'qr_upload.no_document': {
      kind: 'field',
      parameters: {},
      help: 'This code appears in `error` of a failed import. Get another address, and upload within a minute.',
    },
    'qr_upload.webhook_url_unusable': {
      kind: 'field',
      parameters: { fault: 'nested' },
      help: 'This code appears in `error` of a failed import. Nothing was created. Correct `webhook_url` in the document.',
    },
    'qr_upload.webhook_url_unanswered': {
      kind: 'field',
      parameters: {},
      help: 'This code appears in `error` of a failed import. Nothing was created. Correct `webhook_url`, or upload the document again once its name resolves.',
    },
    'qr_upload.given_up': {
      kind: 'field',
      parameters: {},
      help: 'This code appears in `error` of a failed import; the log has the cause. Upload again the QRs that were not created.',
    },
    'qr_upload.store_slow': {
      kind: 'unavailable',
      parameters: {},
      help: 'The document store (S3) is unreachable or slow. Nothing was imported.',
    },
  },
  { en, es },
);
