import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import { batchOf, callerOf, full, itemOf } from '../harness/builders/qrs.ts';
import { type Walls, wallsOf, withoutWorker } from '../harness/builders/static-qrs.ts';
import { asSuperuser } from '../harness/database.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { qrIn, readImage } from '../payment-requests/documents/readers.ts';
import { workbook } from '../platform/spreadsheets/books.ts';
import { type Ran, recaudo } from './run.ts';

let service: TestService;
let qr: ReturnType<typeof callerOf>;
let walls: Walls;
let folder: string;
beforeAll(async () => {
  service = await startService(withoutWorker);
  qr = callerOf(service);
  walls = wallsOf(service);
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-qr-'));
});
afterAll(async () => {
  await service?.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (...args: string[]): Promise<Ran> =>
  recaudo(['qr', ...args], {
    DATABASE_URL: service.databaseUrl,
    PUBLIC_URL: 'https://pagos.example.com',
  });

const write = async (name: string, text: string | Buffer): Promise<string> => {
  const file = path.join(folder, name);
  await writeFile(file, text);
  return file;
};

const importFile = (file: string, ...args: string[]) =>
  run('import', file, '--account', testAccount, ...args);

const resultOf = async (file: string, no = ''): Promise<Record<string, string>[]> =>
  parse(await readFile(`${file}.result${no}.csv`, 'utf8'), { columns: true });

const document = (items: unknown[], fields: object = {}) =>
  JSON.stringify({ ...batchOf(items), ...fields });

describe('qr import', () => {
  test('saves a document’s items and reports each, and rejects all as duplicates in a second run', async () => {
    const items = ['d1', 'd2', 'd3'].map((id) => itemOf(service, id));
    const file = await write('good.json', document(items));
    const first = await importFile(file);
    expect(first).toEqual({
      code: 0,
      stdout: `3 created, 0 rejected; ${file}.result.csv has the outcome of each\n`,
      stderr: '',
    });
    const rows = await resultOf(file);
    const shown = (await qr.status('d2')).body;
    expect(rows[1]).toEqual({
      index: '1',
      id: full('d2'),
      status: 'created',
      errors: '',
      qr_string: shown.qr_string,
      image_url: shown.image_url.replace(service.origin, 'https://pagos.example.com'),
    });
    const again = await importFile(file, '--json');
    expect([again.code, again.stderr]).toEqual([1, '']);
    expect(JSON.parse(again.stdout)).toEqual({
      total: 3,
      created: 0,
      rejected: 3,
      result_file: `${file}.result-2.csv`,
    });
    expect(await resultOf(file)).toEqual(rows);
    for (const row of await resultOf(file, '-2')) {
      expect([row.status, row.errors]).toEqual(['rejected', expect.stringContaining('taken')]);
    }
    expect(await auditAccount(service.sql, testAccount)).toEqual([]);
  });

  test('saves valid items next to invalid ones, and reports every fault', async () => {
    const items = [
      itemOf(service, 'ok-1'),
      itemOf(service, 'bad id', { first_total: 1, city: '' }),
      itemOf(service, 'ok-1'),
      'no object',
      itemOf(service, 'ok-2'),
    ];
    const file = await write('mixed.json', document(items));
    expect((await importFile(file)).code).toBe(1);
    const rows = await resultOf(file);
    expect(rows.map(({ status }) => status)).toEqual([
      'created',
      'rejected',
      'rejected',
      'rejected',
      'created',
    ]);
    for (const field of ['id:', 'first_total:', 'city:']) expect(rows[1]?.errors).toContain(field);
    expect((await qr.status('ok-2')).status).toBe(200);
  });

  test.each([
    ['not.json', '{"total_count": 1, "data": [', /./],
    ['count.json', document([{ id: 'c' }], { total_count: 2 }), /total_count/],
    ['few.csv', 'id;city\nx;Salta\n', /lacks these columns: payer_name, description/],
    ['empty.csv', '', /is empty/],
    [
      'norows.csv',
      'id,city,multiple_payment,description,first_total,first_due_date,payer_name\n',
      /no rows/,
    ],
    [
      'quote.csv',
      'id,city,multiple_payment,description,first_total,first_due_date,payer_name\n"a,b\n',
      /not valid CSV/,
    ],
    // In the encoding of DOS.
    ['dos.csv', Buffer.from('id,city\nx,C\u00a2rdoba\n', 'latin1'), /UTF-8/],
    ['twice.csv', 'id,id\nx,y\n', /Several columns match the field id/],
  ])('refuses %s as a whole with one sentence, and writes nothing', async (name, text, why) => {
    const file = await write(name, text);
    const { code, stdout, stderr } = await importFile(file);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(why);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(await readdir(folder)).not.toContain(`${name}.result.csv`);
  });

  test('reads CSV files as spreadsheets write them in Argentina, and with commas and ISO dates', async () => {
    const due = service.service.parts.clocks.business.today().add({ days: 20 });
    const rows = [
      '\uFEFFid;city;multiple_payment;external_reference;description;first_total;first_due_date;payer_name;notas',
      `s1;Córdoba;NO;F-1;"Cuota; diciembre";1.430,50;${due.day}/${due.month}/${due.year};Núñez, Ana;x`,
      `s2;Salta;Sí;;Cuota;25;${due.day}-${due.month}-${due.year};Juan;`,
      '',
    ];
    const file = await write('planilla.csv', rows.join('\r\n'));
    expect(await importFile(file)).toMatchObject({ code: 0, stderr: '' });
    const { body } = await qr.status('s1');
    expect(body).toMatchObject({
      city: 'Córdoba',
      description: 'Cuota; diciembre',
      payer_name: 'Núñez, Ana',
      first_total: 1430.5,
      external_reference: 'F-1',
      multiple_payment: false,
    });
    expect((await qr.status('s2')).body.multiple_payment).toBe(true);
    const head = 'ID,City,multiple_payment,description,first_total,first_due_date,payer_name';
    const comma = await write(
      'comma.csv',
      `${head}\ns3,Salta,true,"Uno, dos",12.5,${due.toString()},Ana\ns4,Salta,true,"Uno, dos",12.5,2027-02-30,Ana\n`,
    );
    const { code } = await importFile(comma);
    expect(code).toBe(1);
    const results = await resultOf(comma);
    expect(results.map(({ status }) => status)).toEqual(['created', 'rejected']);
    expect(results[1]?.errors).toMatch(/^first_due_date: /);
  });

  const head = 'id;city;multiple_payment;description;first_total;first_due_date;payer_name';

  test('rejects only rows with missing or extra cells, unless the extra ones are empty', async () => {
    const due = service.service.parts.clocks.business.today().add({ days: 20 });
    const day = `${due.day}/${due.month}/${due.year}`;
    const file = await write(
      'rows.csv',
      [
        head,
        `r1;Salta;no;Cuota;25;${day};Ana`,
        'r2;Salta;no',
        `r3;Salta;no;Cuota; diciembre;25;${day};Ana`,
        `r4;Salta;no;Cuota 12" x 2;25;${day};Ana;;`,
        ';;;;;;',
      ].join('\n'),
    );
    expect((await importFile(file)).code).toBe(1);
    const rows = await resultOf(file);
    expect(rows.map(({ id, status }) => [id?.slice(-2), status])).toEqual([
      ['r1', 'created'],
      ['r2', 'rejected'],
      ['r3', 'rejected'],
      ['r4', 'created'],
    ]);
    expect(rows[1]?.errors).toBe('The row has 3 cells, but the headings name 7 columns.');
    expect(rows[2]?.errors).toContain('8 cells');
  });

  test.each([
    ['ansi.csv', (text: string) => Buffer.from(text, 'latin1')],
    [
      'unicode.txt',
      (text: string) => Buffer.from(`\uFEFF${text.replaceAll(';', '\t')}`, 'utf16le'),
    ],
    ['sep.csv', (text: string) => Buffer.from(`sep=;\r\n${text}`, 'latin1')],
  ])('reads accents and amounts from %s, in an encoding that Excel uses', async (name, encoded) => {
    const due = service.service.parts.clocks.business.today().add({ days: 20 });
    const id = name.replace('.', '-');
    const row = `${id};Córdoba;FALSO;Año;$ 1.430,50;${due.day}/${due.month}/${due.year};Muñoz`;
    const file = await write(name, encoded(`${head}\r\n${row}\r\n`));
    expect(await importFile(file)).toMatchObject({ code: 0, stderr: '' });
    expect((await qr.status(id)).body).toMatchObject({
      city: 'Córdoba',
      description: 'Año',
      payer_name: 'Muñoz',
      first_total: 1430.5,
    });
  });

  test('accepts other column names in CSV and XLSX, and repeats them in error messages', async () => {
    const due = service.service.parts.clocks.business.today().add({ days: 20 });
    const heads = ['CÓDIGO', 'Localidad', 'Detalle', 'Importe a pagar', 'Fecha de vto.', 'Socio'];
    const day = `${due.day}/${due.month}/${due.year}`;
    const rows = (name: string) => [
      heads,
      [`${name}-1`, 'Salta', 'Cuota', '1.430,50', day, 'Ana'],
      [`${name}-2`, 'Salta', 'Cuota', 'mucho', day, 'Ana'],
      [`${name}-3`, 'Salta', '#N/A', '10', day, 'Ana'],
    ];
    const files = [
      await write(
        'oficina.csv',
        rows('oc')
          .map((row) => row.join(';'))
          .join('\r\n'),
      ),
      await write('oficina.xlsx', await workbook(rows('ox'))),
    ];
    for (const [file, name] of [
      [files[0] ?? '', 'oc'],
      [files[1] ?? '', 'ox'],
    ] as const) {
      expect((await importFile(file)).code).toBe(1);
      const results = await resultOf(file);
      expect(results.map(({ status }) => status)).toEqual(['created', 'rejected', 'rejected']);
      expect(results[1]?.errors).toMatch(/^Importe a pagar: /);
      expect(results[2]?.errors).toMatch(/^Detalle: The cell contains the formula error #N\/A/);
      // A code accepts one payment unless the file says otherwise.
      expect((await qr.status(`${name}-1`)).body).toMatchObject({
        first_total: 1430.5,
        multiple_payment: false,
      });
    }
  });

  test('imports more than one page of items', async () => {
    const items = Array.from({ length: 5_003 }, (_, index) => itemOf(service, `p-${index}`));
    const file = await write('pages.json', document(items));
    expect(await importFile(file)).toMatchObject({ code: 0 });
    const rows = await resultOf(file);
    expect([rows.length, rows.at(-1)?.index, rows.at(-1)?.id]).toEqual([
      5_003,
      '5002',
      full('p-5002'),
    ]);
    await asSuperuser(`delete from requests where code like '${full('p-')}%'`, service.databaseUrl);
  });

  test('reports an unknown account, or a missing file', async () => {
    const file = await write('one.json', document([itemOf(service, 'nobody')]));
    const [account, missing] = await Promise.all([
      run('import', file, '--account', 'FFFFFFFF'),
      importFile(path.join(folder, 'none.json')),
    ]);
    expect([account.code, account.stderr]).toEqual([
      1,
      'error: There is no account with this id.\n',
    ]);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('none.json')]);
  });
});

describe('qr export', () => {
  const exported = (to: string, ...args: string[]) =>
    run('export', '--account', testAccount, '--images', path.join(folder, to), ...args);
  const filesIn = (to: string) => readdir(path.join(folder, to));

  test('writes an image per payable QR, a list, and a printable sheet', async () => {
    const wall = await walls.create({ id: 'PARED', description: 'Entradas <hoy>' });
    await walls.asked(wall.qr_string);
    await qr.save([itemOf(service, 'e1', { first_total: 1234.5 }), itemOf(service, 'e2')]);
    await qr.pay('e2');
    // Two single-use codes, one of which is paid.
    for (const id of ['UNA-VEZ', 'YA-PAGO']) {
      await walls.create({ id, qr_type: 'static_open_amount', multiple_payment: false });
    }
    const taken = await qr.send('POST', '/pay-qr-static/YA-PAGO', { first_total: 50 });
    expect(taken.body.status).toBe('Paid');
    const { code, stdout } = await exported('all');
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+ images, index\.csv/)]);
    const files = await filesIn('all');
    expect(files).toContain(`${full('e1')}.svg`);
    expect(files).toContain(`${full('PARED')}.static.svg`);
    expect(files).not.toContain(`${full('e2')}.svg`);
    expect(files).toContain(`${full('UNA-VEZ')}.static.svg`);
    expect(files).not.toContain(`${full('YA-PAGO')}.static.svg`);
    const index: Record<string, string>[] = parse(
      await readFile(path.join(folder, 'all/index.csv'), 'utf8'),
      { columns: true },
    );
    expect(index.length).toBe(files.length - 2);
    for (const { id, kind, file, qr_string } of index.slice(0, 3)) {
      expect(file).toBe(kind === 'static' ? `${id}.static.svg` : `${id}.svg`);
      const bytes = await readFile(path.join(folder, 'all', file ?? ''));
      expect(qrIn(await readImage(bytes))).toBe(qr_string);
    }
    const sheet = await readFile(path.join(folder, 'all/sheet.html'), 'utf8');
    expect(sheet).toContain('lang="es-AR"');
    expect(sheet).toContain('$ 1.234,50');
    expect(sheet).toContain('Entradas &lt;hoy&gt;');
    expect(sheet.match(/<figure>/g)).toHaveLength(index.length);
  });

  test('writes PNGs for the ids in a file, whatever their state, and names a missing id', async () => {
    const ids = await write('ids.txt', `e2\r\n${full('PARED')}\n\nnowhere\n`);
    const { code, stdout, stderr } = await exported('some', '--ids', ids, '--format', 'png');
    expect([code, stdout.startsWith('2 images')]).toEqual([1, true]);
    expect(stderr).toBe(`error: There are no QRs with these ids: ${full('nowhere')}\n`);
    expect((await filesIn('some')).toSorted()).toEqual([
      `${full('PARED')}.static.png`,
      `${full('e2')}.png`,
      'index.csv',
      'sheet.html',
    ]);
    const png = await readFile(path.join(folder, 'some', `${full('e2')}.png`));
    expect(qrIn(await readImage(png))).toBe((await qr.status('e2')).body.qr_string);
  });

  test('leaves out older QRs with --since, which accepts only a real date', async () => {
    const day = service.service.parts.clocks.business.today().add({ days: 1 }).toString();
    const [later, wrong] = await Promise.all([
      exported('later', '--since', day),
      exported('wrong', '--since', '31-02-2026'),
    ]);
    expect([later.code, later.stdout.startsWith('0 images')]).toEqual([0, true]);
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('does not exist')]);
  });
});
