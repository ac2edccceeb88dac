import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { fault, refusal, tooMany, ...refusals } = declareRefusals(
  {
    'import.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the import belongs to another account.',
    },
    'import.file_too_large': {
      kind: 'too_large',
      parameters: { bytes: 'count', most: 'count' },
      help: 'Split the file.',
    },
    'import.no_bank': {
      kind: 'unprocessable',
      parameters: {},
      help: 'No bank is configured for direct debits, so mandates on bank accounts could not be debited. Ask the operator to configure one.',
    },
    'import.too_many_drafts': {
      kind: 'too_many_requests',
      parameters: { count: 'count', most: 'count' },
      help: 'A draft waits until someone confirms it. Confirm or discard some.',
    },
    'import.uploading': {
      kind: 'conflict',
      parameters: {},
      help: 'Wait until that call ends, then read the list of imports.',
    },
    'import.wrong_state': {
      kind: 'conflict',
      parameters: { state: 'text', allowed: 'text' },
      help: 'Someone else acted on the import, or the service finished it. Read it again.',
    },
    'import.changed': {
      kind: 'conflict',
      parameters: {},
      help: 'Review the import again, then decide.',
    },
    'import.file_forgotten': {
      kind: 'conflict',
      parameters: {},
      help: 'Discard the draft and upload the file again.',
    },
    'import.unknown_field': {
      kind: 'unprocessable',
      parameters: { field: 'text', known: 'text' },
      help: 'Use the field names of this kind of import.',
    },
    'import.no_such_column': {
      kind: 'unprocessable',
      parameters: { columns: 'count' },
      help: 'Columns count from 1. Choose one that the file has.',
    },
    'import.column_twice': {
      kind: 'unprocessable',
      parameters: {},
      help: 'Two fields have the same column. Assign another column to one, or none.',
    },
    'import.columns_missing': {
      kind: 'unprocessable',
      parameters: {},
      help: 'Assign a column to each required field.',
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
      help: 'Someone already confirmed a file with the same bytes. Importing it again may bill the same money twice.',
    },
    'import.move_not_json': {
      kind: 'unprocessable',
      parameters: { file: 'text', why: 'nested' },
      help: 'Each file must contain one page as the API returns it, a JSON list of items, or a single item.',
    },
    'import.move_not_csv': {
      kind: 'unprocessable',
      parameters: { file: 'text', why: 'text' },
      help: 'Save the file again as CSV with commas. `docs/how-to/move-in.md` lists the columns of mandates.',
    },
    'import.row_unknown': {
      kind: 'field',
      parameters: {},
      help: 'The row has none of the members that identify its kind, such as `type`, `status` with `payer_name`, or `cbu_number`. Get it again from the API of the former provider.',
    },
    'import.old_id_malformed': {
      kind: 'field',
      parameters: {},
      field: 'id',
      help: "The id is missing, too long or contains a space. It identifies rows that were already moved, and a debit's mandate. Copy it from the former provider.",
    },
    'import.mandate_not_moved': {
      kind: 'field',
      parameters: { id: 'text' },
      field: 'adhesion_id',
      help: 'A debit moves together with its mandate. Give the file of the mandates in the same call, and correct its faulty rows. Leave out the debits of mandates that cannot move.',
    },
    'import.reference_taken': {
      kind: 'field',
      parameters: { id: 'text' },
      field: 'external_reference',
      help: 'The account has this reference under another id, so the two may be the same. Leave the row out, or import it anyway with `--repeats`; the id of a QR must be new.',
    },
    'import.signed_at_invalid': {
      kind: 'field',
      parameters: {},
      field: 'signed_at',
      help: 'A mandate proves nothing without its signing date. Ask the former provider for it.',
    },
    'import.evidence_text_invalid': {
      kind: 'field',
      parameters: { most: 'count' },
      field: 'evidence_text',
      help: 'Copy the exact text that the holder accepted, without its formatting.',
    },
    'import.evidence_too_long': {
      kind: 'field',
      parameters: { most: 'count' },
      help: 'Shorten the text, and remove control characters.',
    },
    'import.mandate_unknown': {
      kind: 'field',
      parameters: { kind: 'text' },
      help: 'Correct the reference, or create the mandate with this `external_reference` first.',
    },
    'import.mandate_ambiguous': {
      kind: 'field',
      parameters: { ids: 'text' },
      help: 'Cancel the mandates that are no longer used, or put the id of the right one in the column `adhesion_id`, or `card_adhesion_id` for cards.',
    },
    'import.mandate_differs': {
      kind: 'field',
      parameters: { id: 'text' },
      help: 'The row names its mandate twice. Correct the id or the reference, or leave one of them empty.',
    },
    'import.given_up': {
      kind: 'field',
      parameters: {},
      help: 'This code appears in `error` of a failed import. Find the cause in the log, then confirm the import again.',
    },
  },
  { en, es },
);
