import { declareRefusals } from '../../platform/refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { refusal, fault, ...refusals } = declareRefusals(
  {
    'register.invalid': {
      kind: 'invalid',
      parameters: { faults: 'lines' },
      help: 'Correct the lines in the file, and import it again.',
    },
    'register.empty': {
      kind: 'invalid',
      parameters: {},
      help: 'The file is empty or has only a header. Import the complete register.',
    },
    'register.not_csv': {
      kind: 'part',
      parameters: { line: 'count', most: 'count' },
      help: 'Double a quote that belongs to the text, and put that cell in quotes. A line that is too long may lack its end.',
    },
    'register.header': {
      kind: 'part',
      parameters: { stood: 'text', columns: 'text' },
      help: 'The first line names the columns.',
    },
    'register.columns': {
      kind: 'part',
      parameters: { line: 'count', count: 'count', columns: 'text' },
      help: 'A cell is missing, or holds a separator without quotes.',
    },
    'register.cuit': {
      kind: 'part',
      parameters: { line: 'count', stood: 'text' },
      help: 'A digit is wrong or missing, or the prefix is none of 20, 23, 24, 27, 30, 33, 34, 50, 51 and 55.',
    },
    'register.name': {
      kind: 'part',
      parameters: { line: 'count', column: 'text', stood: 'text', most: 'count' },
      help: 'The cell is empty or too long, or the file has another encoding. Save it as CSV in UTF-8.',
    },
    'register.rate': {
      kind: 'part',
      parameters: { line: 'count', stood: 'text' },
      help: 'Write 2.5 for 2.5 %.',
    },
    'register.valid_from': {
      kind: 'part',
      parameters: { line: 'count', stood: 'text' },
      help: 'The day does not exist, or has another format.',
    },
    'register.valid_to': {
      kind: 'part',
      parameters: { line: 'count', stood: 'text' },
      help: 'The last day is before the first, or is not a day.',
    },
    'register.repeated': {
      kind: 'part',
      parameters: { line: 'count', stood: 'text', first: 'count' },
      help: 'Two lines are of the same CUIT, regime, jurisdiction and first day. Leave one.',
    },
  },
  { en, es },
);
