import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, tooMany, fault, ...refusals } = declareRefusals(
  {
    'qr_batch.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the import is of another account.',
    },
    'qr_batch.page_not_found': {
      kind: 'not_found',
      parameters: { page: 'count', pages: 'count' },
      help: 'The last page has been read. `pages` says how many there are.',
    },
    'qr_upload.too_many': {
      kind: 'too_many_requests',
      parameters: { open: 'count', most: 'count' },
      help: '`UPLOADS_OPEN` imports wait or are processed. Repeat when one has ended.',
    },
    'qr_upload.no_room': {
      kind: 'too_many_requests',
      parameters: { bytes: 'count', most: 'count' },
      help: 'Documents of the account take `UPLOADS_STORED_MIB`. Repeat when one has been processed.',
    },
    'qr_upload.address_unknown': {
      kind: 'forbidden',
      parameters: {},
      help: 'The address was cut or changed. Ask for another one.',
    },
    'qr_upload.address_expired': {
      kind: 'forbidden',
      parameters: {},
      help: 'More than a minute passed before the upload began. Ask for another address.',
    },
    'qr_upload.address_used': {
      kind: 'conflict',
      parameters: {},
      help: 'The address already got a document. Read its result, or ask for another address.',
    },
    'qr_upload.too_large': {
      kind: 'too_large',
      parameters: { most: 'count' },
      help: 'Split the document. One that went to an S3 store is found there: `error` of its import says so.',
    },
    'qr_upload.cut': {
      kind: 'malformed',
      parameters: {},
      help: 'The connection ended before the document did.',
    },
    'qr_upload.empty': {
      kind: 'malformed',
      parameters: {},
      help: 'The upload has no body.',
    },
    'qr_upload.not_object': {
      kind: 'malformed',
      parameters: {},
      help: 'Another file was sent: a document begins with `{`.',
    },
    'qr_upload.rows_broken': {
      kind: 'unprocessable',
      parameters: { rows: 'text' },
      help: 'Cells are missing, moved, or hold the error of a formula. Correct the rows in the spreadsheet.',
    },
    'qr_upload.account_not_active': {
      kind: 'conflict',
      parameters: {},
      help: 'The account was suspended or closed while its file was imported. Ask the operator.',
    },
    'qr_upload.no_document': {
      kind: 'field',
      parameters: {},
      help: 'It is in `error` of an import that failed. Ask for another address, and upload within a minute.',
    },
    'qr_upload.webhook_url_unusable': {
      kind: 'field',
      parameters: { fault: 'said' },
      help: 'It is in `error` of an import that failed. Nothing was created. Correct `webhook_url` of the document.',
    },
    'qr_upload.given_up': {
      kind: 'field',
      parameters: {},
      help: 'It is in `error` of an import that failed. The log has the cause. Upload the QRs that were not created again.',
    },
    'qr_upload.store_slow': {
      kind: 'unavailable',
      parameters: {},
      help: 'The store of documents (S3) is away or slow. Nothing was imported.',
    },
  },
  { en, es },
);
