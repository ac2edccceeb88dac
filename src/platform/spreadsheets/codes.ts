import { declareRefusals } from '../refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { fault, refusal, ...refusals } = declareRefusals(
  {
    'spreadsheet.empty': {
      kind: 'malformed',
      parameters: {},
      help: 'The file has no cell with a value. Upload the file that has the rows.',
    },
    'spreadsheet.not_csv': {
      kind: 'malformed',
      parameters: { why: 'text' },
      help: 'The file is neither XLSX nor readable as CSV. Save it again as CSV or XLSX.',
    },
    'spreadsheet.unknown_encoding': {
      kind: 'malformed',
      parameters: {},
      help: 'Names would be printed wrong. Save the file in one of these encodings.',
    },
    'spreadsheet.old_format': {
      kind: 'unsupported_type',
      parameters: {},
      help: 'XLSX and CSV are read.',
    },
    'spreadsheet.pdf': {
      kind: 'unsupported_type',
      parameters: {},
      help: 'Upload the spreadsheet that the PDF was made of.',
    },
    'spreadsheet.not_workbook': {
      kind: 'malformed',
      parameters: {},
      help: 'The workbook is cut short, damaged, or has no sheet.',
    },
    'spreadsheet.macros': {
      kind: 'unsupported_type',
      parameters: {},
      help: 'Workbooks with macros are never taken.',
    },
    'spreadsheet.unpacks_too_large': {
      kind: 'too_large',
      parameters: { most: 'count' },
      help: 'No list of payments is that large.',
    },
    'spreadsheet.too_heavy': {
      kind: 'unprocessable',
      parameters: {},
      help: 'Reading the file takes more than any spreadsheet of an allowed size.',
    },
    'spreadsheet.busy': {
      kind: 'unavailable',
      parameters: {},
      help: 'Repeat the call in a moment.',
    },
    'spreadsheet.no_such_sheet': {
      kind: 'malformed',
      parameters: { sheet: 'count' },
      help: 'Choose one of the sheets of the workbook.',
    },
    'spreadsheet.no_such_cell': {
      kind: 'malformed',
      parameters: { cell: 'text' },
      help: 'The program that wrote the workbook named a cell outside the grid.',
    },
    'spreadsheet.cell_without_value': {
      kind: 'malformed',
      parameters: { row: 'count', column: 'count' },
      help: 'The workbook was written by a program that does not compute formulas.',
    },
    'spreadsheet.far_cell': {
      kind: 'too_large',
      parameters: { row: 'count', most: 'count' },
      help: 'A forgotten cell far below the list makes the sheet this long.',
    },
    'spreadsheet.merged': {
      kind: 'malformed',
      parameters: { ranges: 'text' },
      help: 'Only headings may be merged.',
    },
    'spreadsheet.one_column': {
      kind: 'malformed',
      parameters: {},
      help: 'The first row with two filled cells names the columns; there is none.',
    },
    'spreadsheet.row_without_names': {
      kind: 'malformed',
      parameters: { row: 'count' },
      help: 'Choose the row that names the columns.',
    },
    'spreadsheet.same_heading': {
      kind: 'unprocessable',
      parameters: { field: 'text' },
      help: 'Both headings mean the field, so neither can be taken for it.',
    },
    'spreadsheet.missing_headings': {
      kind: 'unprocessable',
      parameters: { missing: 'text' },
      help: 'Name the columns as the manual does, or by the names of the fields.',
    },
    'spreadsheet.no_rows': {
      kind: 'malformed',
      parameters: {},
      help: 'Only headings, titles and totals were found.',
    },
    'spreadsheet.all_hidden': {
      kind: 'malformed',
      parameters: { rows: 'count' },
      help: 'Rows that a sheet hides are left out.',
    },
    'spreadsheet.too_many_rows': {
      kind: 'too_large',
      parameters: { most: 'count' },
      help: 'Split the file; nothing of it was taken.',
    },
    'spreadsheet.too_many_columns': {
      kind: 'too_large',
      parameters: { columns: 'count', most: 'count' },
      help: 'Delete the columns that are not needed.',
    },
    'spreadsheet.long_cell': {
      kind: 'too_large',
      parameters: { row: 'count', most: 'count' },
      help: 'Spreadsheet programs allow no longer cells.',
    },
    'spreadsheet.long_row': {
      kind: 'too_large',
      parameters: { row: 'count', most: 'count' },
      help: 'Shorten the cells of the row.',
    },
    'spreadsheet.too_long': {
      kind: 'too_large',
      parameters: { most: 'count' },
      help: 'Split the file.',
    },
    'spreadsheet.cells_beyond': {
      kind: 'field',
      parameters: { cells: 'count', columns: 'count' },
      help: 'The row has a cell too few or too many, so others may be in the wrong column.',
    },
    'spreadsheet.cell_error': {
      kind: 'field',
      parameters: { error: 'text' },
      help: 'A formula of the spreadsheet failed. Correct it and upload the file again.',
    },
    'spreadsheet.rounded': {
      kind: 'field',
      parameters: {},
      help: 'Spreadsheets keep 15 digits of a number: the others are lost.',
    },
  },
  { en, es },
);
