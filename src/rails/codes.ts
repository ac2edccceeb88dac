import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { fault, refusal, ...refusals } = declareRefusals(
  {
    'rail.not_found': {
      kind: 'not_found',
      parameters: {},
      help: '`recaudo rails import --help` and `recaudo rails export --help` list the names.',
    },
    'rail.not_connected': {
      kind: 'invalid',
      parameters: { variable: 'text' },
      help: 'Set the variable to the id that the network, bank or card processor gave you.',
    },
    'file.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the upload was imported, removed or not confirmed in time.',
    },
    'file.unrecognized': {
      kind: 'not_found',
      parameters: {},
      help: 'No configured layout begins like this file, or the id that its sender gave you is not configured. Choose the network, bank or card processor to see which.',
    },
    'file.wrong_line': {
      kind: 'invalid',
      parameters: {
        file: 'text',
        line: 'count',
        columns: 'text',
        from: 'count',
        to: 'count',
        field: 'text',
        found: 'text',
        expected: 'text',
      },
      help: 'The file was cut or edited, belongs to another collector, or has another layout. Ask its sender for it again.',
    },
    'file.changed': {
      kind: 'conflict',
      parameters: {},
      help: 'Something wrote to the file between its check and its import.',
    },
    'file.same_day': {
      kind: 'conflict',
      parameters: { rail: 'text', day: 'day', name: 'text', id: 'count' },
      help: 'Networks usually send one file a day, so a second one may hold the same payments again.',
    },
    'file.same_day_begun': {
      kind: 'conflict',
      parameters: { rail: 'text', day: 'day', name: 'text', id: 'count' },
      help: 'Finish the interrupted import before you import another file of its day.',
    },
    'file.importing': {
      kind: 'conflict',
      parameters: { rail: 'text' },
      help: 'One file of a network, or of all banks and card processors, is imported at a time.',
    },
    'file.waits': {
      kind: 'conflict',
      parameters: {},
      help: 'Look for the file in the list. If it is not there, another import was in progress or the service restarted: confirm it again.',
    },
    'file.unreadable': {
      kind: 'conflict',
      parameters: {},
      help: '`VAULT_KEYS` lacks the key that encrypted the upload, or someone changed the database. Upload the file again.',
    },
    'file.another': {
      kind: 'conflict',
      parameters: {},
      help: 'Review the preview of the file, then confirm it.',
    },
    'file.busy': {
      kind: 'unavailable',
      parameters: {},
      help: 'Only one file is written at a time. Try again in a moment.',
    },
    'file.not_the_same': {
      kind: 'conflict',
      parameters: { id: 'count', why: 'text' },
      help: 'A file that went out can be written again only with the same bytes. Use the file that you sent.',
    },
    'file.cards_in_clear': {
      kind: 'invalid',
      parameters: {},
      help: 'Send the certificate of the recipient.',
    },
    'file.not_today': {
      kind: 'invalid',
      parameters: { today: 'day' },
      help: "Export the debits with today's date.",
    },
    'file.future': {
      kind: 'invalid',
      parameters: { today: 'day' },
      help: 'What payers can pay on a later day is not known yet. Choose today or an earlier day.',
    },
    'file.no_more_parts': {
      kind: 'invalid',
      parameters: { rail: 'text', why: 'text' },
      help: 'The network numbers the files of a day, and all numbers of that day are in use. Write the rest in a file of the next day.',
    },
    'debit.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'No debit has this id. `rails waiting` lists those that wait for a file.',
    },
    'debit.does_not_wait': {
      kind: 'conflict',
      parameters: {},
      help: 'A debit that is not due yet can be canceled instead. One in a file may already be at the bank or processor: wait for its outcome.',
    },
    'debit.no_file': {
      kind: 'field',
      parameters: {},
      help: 'The configured files carry other kinds of debits. Configure one that carries it, or reject the debit with `recaudo rails reject`.',
    },
    'debit.no_bank_file': {
      kind: 'field',
      parameters: {},
      help: 'The operator must configure a bank for direct debits.',
    },
    'debit.no_card_file': {
      kind: 'field',
      parameters: {},
      help: 'The operator must configure a card processor.',
    },
    'debit.brand_not_carried': {
      kind: 'field',
      parameters: { brand: 'text', brands: 'text' },
      help: 'Use another card of one of these brands. Visa credit and Visa debit cards have separate files, so a deployment may carry only one kind.',
    },
    'debit.card_too_long': {
      kind: 'field',
      parameters: { most: 'count', digits: 'count' },
      help: "The card processor's file has no room for the whole number. Ask the payer for another card.",
    },
  },
  { en, es },
);
