import { declareRefusals } from '../../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, fault, ...refusals } = declareRefusals(
  {
    'card_bins.invalid': {
      kind: 'invalid',
      parameters: { faults: 'lines' },
      help: 'Correct the lines in the file, and import it again.',
    },
    'card_bins.header': {
      kind: 'part',
      parameters: { columns: 'text' },
      help: 'The first line names the columns.',
    },
    'card_bins.too_many': {
      kind: 'part',
      parameters: { most: 'count' },
      help: 'The file is not a list of BINs.',
    },
    'card_bins.empty': {
      kind: 'part',
      parameters: {},
      help: 'The file has only the names of its columns.',
    },
    'card_bins.prefix': {
      kind: 'part',
      parameters: { line: 'count', shortest: 'count', longest: 'count' },
      help: 'The first digits of a card have this length.',
    },
    'card_bins.kind': {
      kind: 'part',
      parameters: { line: 'count' },
      help: 'A card is either a credit or a debit card.',
    },
    'card_bins.repeated': {
      kind: 'part',
      parameters: { line: 'count', prefix: 'text' },
      help: 'A prefix has one kind. Leave one line.',
    },
    'card_bins.other_kind': {
      kind: 'part',
      parameters: { line: 'count', brand: 'text', kind: 'text' },
      help: 'The brand issues one kind of card.',
    },
  },
  { en, es },
);
