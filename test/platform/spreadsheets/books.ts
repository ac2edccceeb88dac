import { strToU8, zipSync } from 'fflate';
import writeExcel from 'write-excel-file/node';

export type Value = string | number | Date | null;

/** Writes a workbook like a spreadsheet program, with days as dates. */
export async function workbook(rows: readonly (readonly Value[])[]): Promise<Buffer> {
  const cells = rows.map((row) =>
    row.map((value) => {
      if (value === null) return null;
      if (value instanceof Date) return { value, type: Date, format: 'dd/mm/yyyy' };
      return typeof value === 'number' ? { value, type: Number } : { value, type: String };
    }),
  );
  return await writeExcel(cells).toBuffer();
}

const xml = '<?xml version="1.0" encoding="UTF-8"?>';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/package/2006/relationships';
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Builds a workbook around the XML of its sheet. */
export function bookOf(sheet: string, others: Record<string, Uint8Array> = {}): Buffer {
  return Buffer.from(
    zipSync({
      '[Content_Types].xml': strToU8(
        `${xml}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
      ),
      'xl/workbook.xml': strToU8(
        `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Socios" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
      'xl/_rels/workbook.xml.rels': strToU8(
        `${xml}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      ),
      'xl/worksheets/sheet1.xml': strToU8(`${xml}<worksheet xmlns="${main}">${sheet}</worksheet>`),
      ...others,
    }),
  );
}

/** Builds a workbook with two sheets, Enero and Febrero. */
export const twoSheets = (first: string, second: string): Buffer =>
  bookOf(first, {
    'xl/workbook.xml': strToU8(
      `${xml}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Enero" sheetId="1" r:id="rId1"/><sheet name="Febrero" sheetId="2" r:id="rId2"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      `${xml}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${office}/worksheet" Target="worksheets/sheet2.xml"/></Relationships>`,
    ),
    'xl/worksheets/sheet2.xml': strToU8(`${xml}<worksheet xmlns="${main}">${second}</worksheet>`),
  });

const inline = (at: string, text: string): string =>
  `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;

/** Builds the XML of a sheet from inline texts, and from cells that are already XML. */
export const sheetOf = (rows: readonly (readonly string[])[], behind = ''): string =>
  `<sheetData>${rows
    .map(
      (row, index) =>
        `<row r="${index + 1}">${row
          .map((cell, column) => {
            const at = `${String.fromCharCode(65 + column)}${index + 1}`;
            return cell.startsWith('<') ? cell.replace('AT', at) : inline(at, cell);
          })
          .join('')}</row>`,
    )
    .join('')}</sheetData>${behind}`;
