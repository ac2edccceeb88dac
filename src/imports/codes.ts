import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { fault, refusal, tooMany, ...refusals } = declareRefusals(
  {
    'import.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the import is of another account.',
    },
    'import.file_too_large': {
      kind: 'too_large',
      parameters: { bytes: 'count', most: 'count' },
      help: 'Split the file.',
    },
    'import.no_bank': {
      kind: 'unprocessable',
      parameters: {},
      help: 'No file for a bank is configured, so no mandate on an account could be debited.',
    },
    'import.too_many_drafts': {
      kind: 'too_many_requests',
      parameters: { count: 'count', most: 'count' },
      help: 'Drafts wait for their confirmation. Confirm or discard some.',
    },
    'import.uploading': {
      kind: 'conflict',
      parameters: {},
      help: 'Another call uploads it. Look at the list of imports.',
    },
    'import.wrong_state': {
      kind: 'conflict',
      parameters: { state: 'text', allowed: 'text' },
      help: 'Look at the import: another person moved it, or its workers ended it.',
    },
    'import.changed': {
      kind: 'conflict',
      parameters: {},
      help: 'Look at the import again, then decide.',
    },
    'import.file_forgotten': {
      kind: 'conflict',
      parameters: {},
      help: 'Discard the draft and upload the file again.',
    },
    'import.unknown_field': {
      kind: 'unprocessable',
      parameters: { field: 'text', known: 'text' },
      help: 'Name the fields as the kind of import has them.',
    },
    'import.no_such_column': {
      kind: 'unprocessable',
      parameters: { columns: 'count' },
      help: 'Columns count from 0.',
    },
    'import.column_twice': {
      kind: 'unprocessable',
      parameters: {},
      help: 'Two fields were given the same column.',
    },
    'import.columns_missing': {
      kind: 'unprocessable',
      parameters: {},
      help: 'Match the fields that are required with columns.',
    },
    'import.nothing_to_create': {
      kind: 'unprocessable',
      parameters: {},
      help: 'Correct the file and upload it again.',
    },
    'import.undone_in_part': {
      kind: 'conflict',
      parameters: {},
      help: 'Finish undoing it, and upload the file again.',
    },
    'import.repeated': {
      kind: 'conflict',
      parameters: { id: 'count', state: 'text' },
      help: 'The same bytes were confirmed before. Importing them again may ask for the same money twice.',
    },
    'import.move_not_json': {
      kind: 'unprocessable',
      parameters: { file: 'text', why: 'text' },
      help: 'Give a page as the API lists it, an array of its items, or one item, in a file each.',
    },
    'import.move_not_csv': {
      kind: 'unprocessable',
      parameters: { file: 'text', why: 'text' },
      help: 'The columns of mandates are in docs/how-to/move-in.md.',
    },
    'import.row_unknown': {
      kind: 'field',
      parameters: {},
      help: 'The row has none of the members that tell the kinds apart.',
    },
    'import.old_id_malformed': {
      kind: 'field',
      parameters: {},
      field: 'id',
      help: 'Without the former id nobody knows whether the row was moved before.',
    },
    'import.mandate_not_moved': {
      kind: 'field',
      parameters: { id: 'text' },
      field: 'adhesion_id',
      help: 'A debit moves with its mandate. Give the file of the mandates in the same call.',
    },
    'import.reference_taken': {
      kind: 'field',
      parameters: { id: 'text' },
      field: 'external_reference',
      help: 'The account has it under another id: nothing says that both are the same.',
    },
    'import.signed_at_invalid': {
      kind: 'field',
      parameters: {},
      field: 'signed_at',
      help: 'A mandate without the day of its signature proves nothing.',
    },
    'import.evidence_text_invalid': {
      kind: 'field',
      parameters: { most: 'count' },
      field: 'evidence_text',
      help: 'Copy the words to which the holder agreed.',
    },
    'import.evidence_too_long': {
      kind: 'field',
      parameters: { most: 'count' },
      help: 'Shorten it.',
    },
    'import.given_up': {
      kind: 'field',
      parameters: {},
      help: 'It is in `error` of an import that failed. Look for the cause in the log, then confirm the import again.',
    },
  },
  { en, es },
);
