import type { SheetColumn } from './columns.ts';
import { chunksOf, type RowSource } from './rows.ts';
import { sheetHead, sheetRow, sheetTail, stylesXml, xmlText } from './sheet.ts';
import { type ZipPart, zipped } from './zip.ts';

/** Maximum number of rows per sheet, headings included. */
const rowsOfSheet = 1_048_576;

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const relationships = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packages = 'http://schemas.openxmlformats.org/package/2006';
const types = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const part = (name: string, text: string): ZipPart => ({
  name,
  content: (async function* () {
    yield Buffer.from(text);
  })(),
});

/** Returns a valid sheet name. */
const sheetName = (title: string, no: number): string => {
  const end = no === 1 ? '' : ` ${no}`;
  const name = title.replaceAll(/[[\]:*?/\\']/g, ' ').trim() || 'Sheet';
  return xmlText(name.slice(0, 31 - end.length) + end).replaceAll('"', '&quot;');
};

/** Yields the parts that list the sheets. */
function* frameOf(title: string, sheets: number): Generator<ZipPart> {
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1);
  const each = (write: (no: number) => string) => numbers.map(write).join('');
  yield part('xl/styles.xml', stylesXml);
  yield part(
    'xl/workbook.xml',
    `${declaration}<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" \
xmlns:r="${relationships}"><sheets>${each(
      (no) => `<sheet name="${sheetName(title, no)}" sheetId="${no}" r:id="rId${no}"/>`,
    )}</sheets></workbook>`,
  );
  yield part(
    'xl/_rels/workbook.xml.rels',
    `${declaration}<Relationships xmlns="${packages}/relationships">${each(
      (no) =>
        `<Relationship Id="rId${no}" Type="${relationships}/worksheet" \
Target="worksheets/sheet${no}.xml"/>`,
    )}<Relationship Id="rId${sheets + 1}" Type="${relationships}/styles" \
Target="styles.xml"/></Relationships>`,
  );
  yield part(
    '_rels/.rels',
    `${declaration}<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" \
Type="${relationships}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  );
  yield part(
    '[Content_Types].xml',
    `${declaration}<Types xmlns="${packages}/content-types"><Default Extension="rels" \
ContentType="application/vnd.openxmlformats-package.relationships+xml"/>\
<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" \
ContentType="${types}.sheet.main+xml"/><Override PartName="/xl/styles.xml" \
ContentType="${types}.styles+xml"/>${each(
      (no) =>
        `<Override PartName="/xl/worksheets/sheet${no}.xml" \
ContentType="${types}.worksheet+xml"/>`,
    )}</Types>`,
  );
}

/** Yields a workbook's parts, with as many sheets as its rows need. */
async function* partsOf<Row>(
  title: string,
  columns: readonly SheetColumn<Row>[],
  rows: RowSource<Row>,
): AsyncGenerator<ZipPart> {
  const write = sheetRow(columns);
  let no = 0;
  do {
    no += 1;
    yield {
      name: `xl/worksheets/sheet${no}.xml`,
      content: chunksOf(rows, {
        head: sheetHead(columns),
        row: (row, index) => write(row, index + 2),
        most: rowsOfSheet - 1,
        tail: sheetTail,
      }),
    };
  } while (!(await rows.ended()));
  yield* frameOf(title, no);
}

export const xlsxOf = <Row>(
  title: string,
  columns: readonly SheetColumn<Row>[],
  rows: RowSource<Row>,
): AsyncGenerator<Uint8Array> => zipped(partsOf(title, columns, rows));
