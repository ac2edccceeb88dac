import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkAll } from '../../src/imports/check.ts';
import { draftSweep } from '../../src/imports/index.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { bookOf, sheetOf } from '../platform/spreadsheets/books.ts';
import { type ImportDesk, openDesk, staff } from './desk.ts';

let service: TestService;
let desk: ImportDesk;

beforeAll(async () => {
  service = await startService();
  desk = openDesk(service);
});
afterAll(() => service?.stop());

const kept = async (id: number): Promise<number> => {
  const [row] = await service.sql<{ bytes: number }[]>`
    select coalesce(sum(length(bytes)), 0)::int as bytes from import_files
    where account_id = ${testAccount} and import_id = ${id}`;
  return row?.bytes ?? 0;
};

const titled = (mark: string) =>
  [
    'Club;Social',
    'Emitido;hoy',
    'Socio;Concepto;Vencimiento;Importe;Referencia',
    `Ana;Cuota;${desk.due};10,50;${mark}`,
  ].join('\n');

test('checks a draft again with another heading row, and creates its rows', async () => {
  const { import: draft } = await desk.upload(titled('reading-1'));
  expect(draft).toMatchObject({ columns: ['Club', 'Social'], row_count: 3, faulty_count: null });
  const reread = await desk.imports.readAgain(staff, draft.id, { headings: 3 });
  expect(reread).toMatchObject({ row_count: 1, faulty_count: 0, state: 'draft' });
  expect(reread.matched).toMatchObject({ payer_name: 0, first_total: 3 });
  expect(reread.version).toBeGreaterThan(draft.version);
  // The preview no longer matches the rows to create.
  await expect(desk.confirm(draft)).rejects.toMatchObject({ errorCode: 'import.changed' });
  await desk.confirm(reread);
  expect(await desk.until(draft.id, 'completed')).toMatchObject({ created: 1 });
  const events = await service.sql<{ type: string }[]>`
    select type from events where entity = 'import' and entity_id = ${String(draft.id)}
    order by version`;
  expect(events.map(({ type }) => type)).toContain('import.read_again');
});

test('reads hidden rows on request', async () => {
  const row = (name: string, reference: string) => [name, 'Cuota', desk.due, '10', reference];
  const sheet = sheetOf([
    ['Socio', 'Concepto', 'Vencimiento', 'Importe', 'Referencia'],
    row('Ana', 'hidden-1'),
    row('Bea', 'hidden-2'),
  ]).replace('<row r="3">', '<row r="3" hidden="1">');
  const { import: draft } = await desk.upload(bookOf(sheet), 'oculta.xlsx');
  expect(draft).toMatchObject({ row_count: 1, notes: [{ what: 'hidden', rows: [3] }] });
  const all = await desk.imports.readAgain(staff, draft.id, { hiddenToo: true });
  expect(all).toMatchObject({ row_count: 2, notes: [], faulty_count: 0 });
  expect((await desk.imports.firstRows(staff, draft.id)).map(([no]) => no)).toEqual([2, 3]);
});

test('keeps the file in pieces only while the import is a draft', async () => {
  const long = `${desk.members(3)}\r\n${'x'.repeat(30_000)};`.concat(
    `\r\n${'y'.repeat(30_000)};`.repeat(40),
  );
  const { import: draft } = await desk.upload(long);
  expect(await kept(draft.id)).toBe(Buffer.byteLength(long));
  const reread = await desk.imports.readAgain(staff, draft.id, {});
  expect(reread.columns).toEqual(draft.columns);
  expect(reread.row_count).toBe(draft.row_count);
  await desk.imports.discard(staff, draft.id);
  expect(await kept(draft.id)).toBe(0);
  await expect(desk.imports.readAgain(staff, draft.id, {})).rejects.toThrow(/is discarded/);

  const { import: other } = await desk.upload(desk.members(1));
  await desk.confirm(other);
  expect(await kept(other.id)).toBe(0);
});

test('keeps the draft unchanged if it cannot be read as asked', async () => {
  const { import: draft } = await desk.upload(titled('reading-2'));
  await expect(desk.imports.readAgain(staff, draft.id, { headings: 15 })).rejects.toThrow(
    /^Row 15 is not a row of headings/,
  );
  expect(await desk.imports.get(staff, draft.id)).toEqual(draft);
  const stranger = { ...staff, accountId: '00000000' };
  await expect(desk.imports.readAgain(stranger, draft.id, {})).rejects.toThrow(/not found|import/);
});

test('deletes the rows of a discarded draft', async () => {
  const { import: draft } = await desk.upload(titled('Zoraida'));
  const cells = () => service.sql`
    select 1 from import_pages where account_id = ${testAccount} and import_id = ${draft.id}
    union all select 1 from imports where id = ${draft.id} and way like '%Zoraida%'`;
  expect((await cells()).length).toBeGreaterThan(1);
  await desk.imports.discard(staff, draft.id);
  expect(await cells()).toEqual([]);
});

test.each([
  ['a NUL', 'Al\0ba'],
  ['half an emoji at the end of a row’s start', `${'x'.repeat(152)}🙂`],
])('discards a draft whose first rows have %s', async (_, text) => {
  const { import: draft } = await desk.upload(`Club;${text}\n${titled('reading-text')}`);
  expect(JSON.stringify(draft.way.top[0])).not.toMatch(/\\u0000|\\ud83d"/);
  const discarded = await desk.imports.discard(staff, draft.id);
  expect(discarded.way).toEqual({ ...draft.way, top: [] });
  expect(await desk.imports.get(staff, draft.id)).toEqual(discarded);
});

test('fails with the reason if a draft is discarded or read again while it is checked', async () => {
  const { base } = service.service.parts;
  const { import: draft } = await desk.upload(titled('reading-checked'));
  const kind = desk.imports.kinds[draft.kind];
  const check = () => checkAll(base.sql, kind, { ...draft, page_count: 2 });
  await expect(check()).rejects.toThrow(/has no page 1/);
  await desk.imports.readAgain(staff, draft.id, { headings: 3 });
  await expect(check()).rejects.toMatchObject({ errorCode: 'import.changed' });
  await desk.imports.discard(staff, draft.id);
  await expect(check()).rejects.toMatchObject({ errorCode: 'import.wrong_state' });
});

test('deletes the rows that an older release left to a discarded import', async () => {
  // The running service searches now, and then not for an hour.
  await service.call('POST', '/sandbox/clock', { body: { days: 1 } });
  const left = await Promise.all(
    ['pages', 'top', 'both'].map(async (what) => {
      const { import: draft } = await desk.upload(titled(`reading-left-${what}`));
      await service.sql`update imports set state = 'discarded' where id = ${draft.id}`;
      if (what === 'top') await service.sql`delete from import_pages where import_id = ${draft.id}`;
      if (what === 'pages') {
        const way = JSON.stringify({ ...draft.way, top: [] });
        await service.sql`update imports set way = ${way} where id = ${draft.id}`;
      }
      return draft.id;
    }),
  );
  const { base } = service.service.parts;
  const sweep = draftSweep(base);
  const now = base.clocks.business.now();
  const due = (await sweep.nextDue())?.epochMilliseconds;
  expect(due).toBeLessThanOrEqual(base.clocks.business.now().epochMilliseconds);
  expect(await sweep.run(now)).toBe(left.length);
  const rows = await service.sql`
    select 1 from import_pages where import_id = any(${left}::bigint[])
    union all select 1 from imports where id = any(${left}::bigint[]) and way like '%reading-left%'`;
  expect(rows).toEqual([]);
});

test('discards an undecided draft after 30 days, with its file and rows', async () => {
  const { import: draft } = await desk.upload(titled('reading-lapsed'));
  const { import: decided } = await desk.upload(desk.members(1));
  await desk.confirm(decided);
  await desk.until(decided.id, 'completed');
  const pages = async (id: number): Promise<number> =>
    (
      await service.sql`
        select 1 from import_pages where account_id = ${testAccount} and import_id = ${id}`
    ).length;
  const move = (body: object) => service.call('POST', '/sandbox/clock', { body });
  await move({ days: 29 });
  expect((await desk.imports.get(staff, draft.id)).state).toBe('draft');
  expect(await kept(draft.id)).toBeGreaterThan(0);
  await move({ days: 2 });
  expect((await desk.imports.get(staff, draft.id)).state).toBe('discarded');
  expect([await kept(draft.id), await pages(draft.id), await pages(decided.id)]).toEqual([0, 0, 1]);
  const [event] = await service.sql<{ actor: string; data: object }[]>`
    select actor, data from events where entity = 'import' and entity_id = ${String(draft.id)}
    order by id desc limit 1`;
  expect(event).toMatchObject({ actor: 'system', data: { undecided_days: 30 } });
  expect(await desk.imports.firstRows(staff, draft.id)).toEqual([]);
});

test('discards the other drafts if one cannot be discarded, and retries that one', async () => {
  const { import: stuck } = await desk.upload(titled('reading-stuck'));
  const { import: behind } = await desk.upload(titled('reading-behind'));
  await service.sql.unsafe(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused'; end $$;
    create trigger refuses before update on imports for each row
      when (new.id = ${stuck.id}) execute function refuse()`);
  const { base } = service.service.parts;
  const sweep = draftSweep(base);
  const later = base.clocks.business.now().add({ hours: 24 * 31 });
  await expect(sweep.run(later)).rejects.toThrow('Some drafts of imports could not be discarded.');
  expect((await desk.imports.get(staff, behind.id)).state).toBe('discarded');
  await service.sql`drop trigger refuses on imports`;
  expect(await sweep.run(later)).toBe(1);
});
