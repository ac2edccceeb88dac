import { declareRefusals } from '../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { fault, refusal, ...refusals } = declareRefusals(
  {
    'rail.not_found': {
      kind: 'not_found',
      parameters: {},
      help: '`recaudo rails list` names them.',
    },
    'rail.not_connected': {
      kind: 'invalid',
      parameters: { variable: 'text' },
      help: 'Set the variable to what the network or bank calls this collector.',
    },
    'file.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'The id is wrong, or the upload was imported, removed or left for too long.',
    },
    'file.unrecognized': {
      kind: 'not_found',
      parameters: {},
      help: 'No known layout begins like this file. Name the network or bank to read why.',
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
      help: 'The file is not what its sender describes: cut short, edited, of another collector, or of another layout. Ask for it again.',
    },
    'file.changed': {
      kind: 'conflict',
      parameters: {},
      help: 'Something wrote to the file between its check and its import.',
    },
    'file.same_day': {
      kind: 'conflict',
      parameters: { rail: 'text', day: 'day', name: 'text', id: 'count' },
      help: 'Networks send one file a day, so another one is likely the same money again.',
    },
    'file.same_day_begun': {
      kind: 'conflict',
      parameters: { rail: 'text', day: 'day', name: 'text', id: 'count' },
      help: 'Finish the import that broke off before another file of its day.',
    },
    'file.importing': {
      kind: 'conflict',
      parameters: { rail: 'text' },
      help: 'Files of one network or bank are imported one at a time.',
    },
    'file.waits': { kind: 'conflict', parameters: {}, help: 'The import goes on by itself.' },
    'file.unreadable': {
      kind: 'conflict',
      parameters: {},
      help: 'The key that encrypted the upload is gone.',
    },
    'file.another': {
      kind: 'conflict',
      parameters: {},
      help: 'Look at the file, then confirm it.',
    },
    'file.busy': {
      kind: 'unavailable',
      parameters: {},
      help: 'Files are written out one at a time.',
    },
    'file.not_the_same': {
      kind: 'conflict',
      parameters: { id: 'count', why: 'text' },
      help: 'A file that went out is written again only with the same bytes. Use the file that was sent.',
    },
    'file.cards_in_clear': {
      kind: 'invalid',
      parameters: {},
      help: 'Send the certificate of the recipient.',
    },
    'file.not_today': {
      kind: 'invalid',
      parameters: { today: 'day' },
      help: 'Of an earlier day only what went out then can be written again.',
    },
    'file.future': {
      kind: 'invalid',
      parameters: { today: 'day' },
      help: 'Nobody knows yet what can be paid on a later day.',
    },
    'file.no_more_parts': {
      kind: 'invalid',
      parameters: { rail: 'text', why: 'text' },
      help: 'The network numbers the files of a day, and its numbers are used up.',
    },
    'debit.not_found': {
      kind: 'not_found',
      parameters: {},
      help: 'No debit with this id was handed over.',
    },
    'debit.does_not_wait': {
      kind: 'conflict',
      parameters: {},
      help: 'A bank or processor may have it, so nobody can take it back here.',
    },
    'debit.no_file': {
      kind: 'field',
      parameters: {},
      help: 'The files that are configured take other debits.',
    },
    'debit.no_bank_file': {
      kind: 'field',
      parameters: {},
      help: 'The operator configures a bank for direct debits.',
    },
    'debit.no_card_file': {
      kind: 'field',
      parameters: {},
      help: 'The operator configures a card processor.',
    },
    'debit.brand_not_carried': {
      kind: 'field',
      parameters: { brand: 'text', brands: 'text' },
      help: 'Use a card of a brand that is carried.',
    },
    'debit.card_too_long': {
      kind: 'field',
      parameters: { most: 'count', digits: 'count' },
      help: 'The layout of the processor has no room for the number.',
    },
  },
  { en, es },
);
