import { afterAll, beforeAll, expect, test } from 'vitest';
import { operatorReading, readLife, tellLife } from '../../src/explain/index.ts';
import type { KindName } from '../../src/imports/index.ts';
import { startService, type TestService } from '../harness/service.ts';
import { playerOf } from '../scenarios/play.ts';
import { type ImportDesk, openDesk } from './desk.ts';

let service: TestService;
let desk: ImportDesk;
beforeAll(async () => {
  service = await startService();
  desk = openDesk(service);
});
afterAll(() => service.stop());

/** Returns the history of a request as one text per language. */
async function told(id: number): Promise<{ en: string; es: string }> {
  const life = await readLife(service.service.parts.base)(String(id), null);
  const textIn = (lang: 'en' | 'es') =>
    tellLife(life, operatorReading(lang))
      .sections.flatMap(({ sentences }) => sentences.map(({ text }) => text))
      .join('\n');
  return { en: textIn('en'), es: textIn('es') };
}

test.each<[KindName, string, string]>([
  ['payment_request', '', ''],
  ['qr', ';id;city', ';hoja;Rosario'],
])(
  'names the spreadsheet and row in the history of an imported %s',
  async (kind, headings, cells) => {
    const row = (no: number) =>
      `Socia ${no};Cuota;${desk.due};"1430,50";${kind}-${no}${cells.replace('hoja', `hoja-${no}`)}`;
    const names = `payer_name;description;first_due_date;first_total;external_reference${headings}`;
    const text = [names, row(1), row(2)].join('\r\n');
    const { import: one } = await desk.upload(text, 'cuotas.csv', kind);
    await desk.confirm(one);
    expect(await desk.until(one.id, 'completed')).toMatchObject({ created: 2 });
    const [made] = await service.sql<{ id: number }[]>`
    select id from requests where reference = ${`${kind}-2`}`;
    const { en, es } = await told(made?.id ?? 0);
    expect(en).toContain(`Import ${one.id} created it from row 3 of cuotas.csv.`);
    expect(es).toContain(`Lo creó la importación ${one.id}, con la fila 3 de cuotas.csv.`);
  },
);

test('names no import in the history of a request that no import created', async () => {
  const { en } = await told(await playerOf(service).create());
  expect(en).not.toContain('Import ');
});
