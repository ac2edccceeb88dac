import { declareRefusals } from '../refusals.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const { fault, refusal, ...refusals } = declareRefusals(
  {
    'spreadsheet.empty': {
      kind: 'malformed',
      parameters: {},
      help: 'No cell has a value. Upload the file that has the rows. In a workbook, the first visible sheet is read unless you choose another.',
    },
    'spreadsheet.not_csv': {
      kind: 'malformed',
      parameters: { row: 'count' },
      help: 'The file is neither XLSX nor valid CSV. Save it again as CSV or XLSX.',
    },
    'spreadsheet.unknown_encoding': {
      kind: 'malformed',
      parameters: {},
      help: 'In any other encoding, accented letters would come out wrong. Save the file as "CSV UTF-8" or as XLSX.',
    },
    'spreadsheet.old_format': {
      kind: 'unsupported_type',
      parameters: {},
      help: 'Only XLSX and CSV are supported.',
    },
    'spreadsheet.pdf': {
      kind: 'unsupported_type',
      parameters: {},
      help: 'Upload the spreadsheet from which the PDF was made.',
    },
    'spreadsheet.not_workbook': {
      kind: 'malformed',
      parameters: {},
      help: 'The file is cut short, damaged, has no sheet, or is another kind of file, such as ODS or ZIP.',
    },
    'spreadsheet.macros': {
      kind: 'unsupported_type',
      parameters: {},
      help: 'The service never reads workbooks with macros.',
    },
    'spreadsheet.unpacks_too_large': {
      kind: 'too_large',
      parameters: { parts: 'count', most: 'count' },
      help: 'Copy the rows to import into a new workbook.',
    },
    'spreadsheet.too_heavy': {
      kind: 'unprocessable',
      parameters: {},
      help: 'No spreadsheet of a valid size takes this much. Copy the rows to import into a new one.',
    },
    'spreadsheet.busy': {
      kind: 'unavailable',
      parameters: {},
      help: 'Retry the call in a moment.',
    },
    'spreadsheet.no_such_sheet': {
      kind: 'malformed',
      parameters: { sheet: 'count' },
      help: 'The workbook has fewer sheets, or that one is a chart. Choose one of its worksheets; the first 100 can be chosen.',
    },
    'spreadsheet.no_such_cell': {
      kind: 'malformed',
      parameters: { cell: 'text' },
      help: 'The program that wrote the workbook named a cell outside the grid.',
    },
    'spreadsheet.cell_without_value': {
      kind: 'malformed',
      parameters: { row: 'count', column: 'count' },
      help: 'The program that wrote the workbook does not compute formulas.',
    },
    'spreadsheet.far_cell': {
      kind: 'too_large',
      parameters: { row: 'count', most: 'count' },
      help: 'A leftover cell far below the list makes the sheet this long, or the list itself has too many rows.',
    },
    'spreadsheet.merged': {
      kind: 'malformed',
      parameters: { ranges: 'text' },
      help: 'Only headings can be merged.',
    },
    'spreadsheet.one_column': {
      kind: 'malformed',
      parameters: {},
      help: 'The headings are the first row with two filled cells, and there is none. CSV columns are separated by commas, semicolons, tabs or vertical bars.',
    },
    'spreadsheet.row_without_names': {
      kind: 'malformed',
      parameters: { row: 'count' },
      help: 'Choose the row that names the columns.',
    },
    'spreadsheet.same_heading': {
      kind: 'unprocessable',
      parameters: { field: 'text' },
      help: 'All of them match the field, so the service cannot choose one.',
    },
    'spreadsheet.missing_headings': {
      kind: 'unprocessable',
      parameters: { missing: 'text' },
      help: 'Add the columns. `docs/how-to/qr.md` lists the field names and the Spanish headings.',
    },
    'spreadsheet.no_rows': {
      kind: 'malformed',
      parameters: {},
      help: 'The file has only headings, titles and totals. Add the rows, and upload it again.',
    },
    'spreadsheet.all_hidden': {
      kind: 'malformed',
      parameters: { rows: 'count' },
      help: 'The import skips hidden rows.',
    },
    'spreadsheet.too_many_rows': {
      kind: 'too_large',
      parameters: { most: 'count' },
      help: 'Split the file. Nothing of it was imported.',
    },
    'spreadsheet.too_many_columns': {
      kind: 'too_large',
      parameters: { most: 'count' },
      help: 'Delete the columns that you do not need.',
    },
    'spreadsheet.long_cell': {
      kind: 'too_large',
      parameters: { row: 'count', most: 'count' },
      help: 'Shorten the text of the cell. Spreadsheet programs have the same limit.',
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
      help: 'The row has too few or too many cells, so some may be in the wrong column. Correct the row.',
    },
    'spreadsheet.cell_error': {
      kind: 'field',
      parameters: { error: 'text' },
      help: 'A formula of the spreadsheet failed. Correct it and upload the file again.',
    },
    'spreadsheet.rounded': {
      kind: 'field',
      parameters: {},
      help: 'Spreadsheets keep only 15 digits of a number.',
    },
    'spreadsheet.broken_character': {
      kind: 'field',
      parameters: {},
      help: 'The program that wrote the file cut the text, or put a NUL into it.',
    },
  },
  { en, es },
);
