import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recaudo } from '../cli/run.ts';
import { advance } from '../harness/builders/clock.ts';
import { adhesionBody, cbu } from '../harness/builders/mandates.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { dayIn, withoutWorker } from '../scenarios/play.ts';

let service: TestService;
let folder: string;
let files = 0;
beforeAll(async () => {
  service = await startService(withoutWorker);
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-move-'));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

async function file(content: unknown, ending = 'json'): Promise<string> {
  files += 1;
  const name = path.join(folder, `${files}.${ending}`);
  await writeFile(name, typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

const page = (data: unknown[]) => ({
  current_page: 1,
  items_per_page: 100,
  total_count: data.length,
  data,
});

async function move(names: string[], ...options: string[]) {
  const args = ['migrate-in', ...names, '--account', testAccount, '--json', ...options];
  const ran = await recaudo(args, { DATABASE_URL: service.databaseUrl });
  expect(ran.stderr).toBe('');
  return { code: ran.code, ...JSON.parse(ran.stdout) };
}

const isoDay = (days: number): string =>
  `${dayIn(service, days).split('-').toReversed().join('-')}T00:00:00-03:00`;

let lastId = 700_000;
const newId = (): number => {
  lastId += 1;
  return lastId;
};

const request = (fields: Record<string, unknown> = {}) => ({
  id: newId(),
  type: 'payment_request',
  state: 'pending',
  created_at: '2026-01-05T10:00:00-03:00',
  payer_name: 'Ana Pérez',
  description: 'Cuota',
  first_due_date: isoDay(20),
  first_total: 1430.5,
  barcode: '1234567890',
  checkout_url: 'https://former.example/checkout/1',
  barcode_url: 'https://former.example/barcode/1',
  pdf_url: 'https://former.example/coupon/1',
  request_result: [],
  ...fields,
});

const mandate = (fields: Record<string, unknown> = {}) => ({
  id: newId(),
  state: 'signed',
  created_at: '2025-03-01T10:00:00-03:00',
  adhesion_holder_name: 'Ana Pérez',
  email: 'ana@example.com',
  cbu_number: cbu,
  cbu_holder_name: 'Ana María Pérez',
  cbu_holder_id_number: 20_055_361_682,
  bank: 'Banco Nación',
  description: 'Cuota social',
  short_description: 'Cuota',
  signed_at: '2025-03-02T12:00:00-03:00',
  ...fields,
});

const qr = (id: string, fields: Record<string, unknown> = {}) => ({
  id,
  cuit: '30500010912',
  account_id: '0A1B2C3D',
  description: 'Cuota',
  first_due_date: dayIn(service, 20),
  first_total: 100,
  payer_name: 'Ana',
  multiple_payment: false,
  status: 'Pending',
  created_at: '01-01-2026',
  updated_at: '01-01-2026',
  ...fields,
});

const debit = (adhesionId: number | string, fields: Record<string, unknown> = {}) => ({
  id: newId(),
  type: 'debit_request',
  state: 'pending',
  created_at: '2026-01-05T10:00:00-03:00',
  adhesion_id: adhesionId,
  adhesion: { id: adhesionId, state: 'signed' },
  description: 'Cuota',
  first_due_date: isoDay(30),
  first_total: 500,
  ...fields,
});

const countAll = async () => {
  const [row] = await service.sql`
    select (select count(*)::int from requests) as requests,
      (select count(*)::int from mandates) as mandates,
      (select count(*)::int from events) as events,
      (select count(*)::int from moved_in) as moved`;
  return row;
};

const mapOf = async (name: string): Promise<string[][]> =>
  (await readFile(name, 'utf8'))
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));

describe('move in', () => {
  test('previews without writing, moves only open items, and reconciles them with the books', async () => {
    const signed = mandate();
    const open = request({ external_reference: 'F-1', metadata: { course: 4 } });
    const bare = request();
    const paid = request({ state: 'paid' });
    const code = qr('0A1B2C3D-kiosk1');
    const due = debit(signed.id);
    const names = [
      await file(page([debit(signed.id, { state: 'paid' }), due])),
      await file(page([open, paid, bare])),
      await file([signed, mandate({ state: 'canceled' })]),
      await file([code, qr('0A1B2C3D-kiosk2', { status: 'Paid' })]),
    ];
    const before = await countAll();
    const preview = await move(names, '--city', 'Rosario');
    expect(preview).toMatchObject({ code: 0, confirmed: false, faulty_rows: 0 });
    expect(preview.kinds).toContainEqual({
      ...{ kind: 'payment_request', state: 'pending', rows: 2, amount: '2861.00' },
      ...{ sound: 2, there: 0, faulty: 0, left_out: 0, repeated: 0 },
    });
    expect(await countAll()).toEqual(before);

    const map = path.join(folder, 'map.csv');
    const moved = await move(names, '--city', 'Rosario', '--confirm', '--map', map);
    expect(moved).toMatchObject({ code: 0, faulty_rows: 0, reconciliation: { differences: [] } });
    expect(moved.reconciliation.kinds).toMatchObject([
      { kind: 'adhesion', file_rows: 1, booked_rows: 1, states: { signed: 1 } },
      { kind: 'payment_request', file_amount: '2861.00', booked_amount: '2861.00' },
      { kind: 'qr', file_rows: 1, booked_rows: 1 },
      { kind: 'debit_request', file_amount: '500.00', booked_amount: '500.00' },
    ]);
    const ids = new Map((await mapOf(map)).map(([kind, old, id]) => [`${kind} ${old}`, id]));
    expect(ids.get('qr 0A1B2C3D-kiosk1')).toBe(`${testAccount}-kiosk1`);

    const shown = await service.call(
      'GET',
      `/payment-request/${ids.get(`payment_request ${open.id}`)}`,
    );
    expect(shown.body).toMatchObject({
      ...{ state: 'pending', external_reference: 'F-1', first_total: 1430.5 },
      ...{ first_due_date: open.first_due_date, payer_name: 'Ana Pérez' },
      metadata: { course: 4, previous_id: String(open.id) },
    });
    const second = await service.call(
      'GET',
      `/payment-request/${ids.get(`payment_request ${bare.id}`)}`,
    );
    expect(second.body.external_reference).toBe(String(bare.id));
    const adhesion = await service.call('GET', `/adhesion/${ids.get(`adhesion ${signed.id}`)}`);
    expect(adhesion.body).toMatchObject({ state: 'signed', signed_at: signed.signed_at });
    const debited = await service.call(
      'GET',
      `/debit-request/${ids.get(`debit_request ${due.id}`)}`,
    );
    expect(debited.body).toMatchObject({ state: 'pending', adhesion: { id: adhesion.body.id } });

    const after = await countAll();
    const again = await move(names, '--confirm', '--map', map);
    expect(again).toMatchObject({ code: 0, reconciliation: { difference_count: 0 } });
    expect(await countAll()).toEqual(after);
  });

  test('requests the second total once the first due day is past', async () => {
    const late = request({
      ...{ first_due_date: isoDay(-3), first_total: 100 },
      ...{ second_due_date: isoDay(5), second_total: 120.25 },
    });
    const moved = await move([await file(page([late]))], '--confirm');
    expect(moved.reconciliation.kinds).toMatchObject([{ booked_amount: '120.25' }]);
  });

  test('rejects a mandate with a taken reference, and the debit on it', async () => {
    const body = adhesionBody({ external_reference: 'TAKEN-MANDATE' });
    expect((await service.call('POST', '/adhesion', { body })).status).toBe(201);
    const refused = mandate({ external_reference: 'TAKEN-MANDATE' });
    const moved = await move([await file([refused, debit(refused.id)])], '--confirm');
    expect(moved).toMatchObject({ code: 1, faulty_rows: 2 });
    expect(moved.faults).toMatchObject([
      { row: 1, field: 'external_reference', error_code: 'import.reference_taken' },
      { row: 2, field: 'adhesion_id', error_code: 'import.mandate_not_moved' },
    ]);
  });

  test.each([
    ['a NUL', 'a\0b'],
    ['half an emoji', '\ud83d'],
  ])('rejects a mandate id or reference with %s', async (_, id) => {
    const text = 'Cuota \0 \ud83d';
    const rows = [debit(id), request({ external_reference: id, metadata: { id } })];
    const moved = await move([await file([...rows, mandate({ evidence_address: text })])]);
    expect(moved.faults).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          ...{ row: 1, field: 'adhesion_id', error_code: 'import.old_id_malformed' },
        }),
        expect.objectContaining({ row: 2, field: 'external_reference' }),
      ]),
    );
  });

  test('lists every fault with row, field and code, and moves the rest', async () => {
    const taken = await service.call('POST', '/payment-request', {
      body: {
        payment_request: {
          ...{ description: 'Cuota', first_due_date: dayIn(service, 9), first_total: 5 },
          ...{ payer_name: 'Ana', external_reference: 'TAKEN' },
        },
      },
    });
    const rows = [
      request({ first_total: 'x', payer_name: ' ' }),
      request({ first_due_date: isoDay(-1) }),
      { id: 5, what: 'else' },
      request({ id: 'with space' }),
      request({ external_reference: 'TAKEN' }),
      debit(123_456),
      mandate({ signed_at: '2099-01-01T00:00:00-03:00' }),
      qr('0A1B2C3D-nocity'),
      { id: 1, state: 'signed', card_holder_name: 'ANA', card: 'Visa', last_four_digits: '4905' },
      request(),
    ];
    const faultFile = path.join(folder, 'faults.csv');
    const name = await file(page(rows));
    const preview = await move([name], '--faults', faultFile);
    expect(preview).toMatchObject({ code: 1, faulty_rows: 8 });
    const found = preview.faults.map((one: Record<string, unknown>) => [
      ...[one.row, one.field, one.error_code],
    ]);
    expect(found).toEqual([
      [1, 'first_total', 'field.not_amount'],
      [1, 'payer_name', 'field.blank'],
      [2, 'first_due_date', expect.any(String)],
      [3, '', 'import.row_unknown'],
      [4, 'id', 'import.old_id_malformed'],
      [5, 'external_reference', 'import.reference_taken'],
      [7, 'signed_at', 'import.signed_at_invalid'],
      [8, 'city', 'field.required'],
      [6, 'adhesion_id', 'import.mandate_not_moved'],
    ]);
    expect((await mapOf(faultFile)).length).toBe(preview.faults.length + 1);
    expect(preview.faults).toContainEqual(
      expect.objectContaining({
        message: `This account already has this reference, under id ${taken.body.id}.`,
      }),
    );
    const moved = await move([name], '--confirm');
    expect(moved).toMatchObject({ code: 1 });
    expect(moved.reconciliation.kinds).toContainEqual(
      expect.objectContaining({ kind: 'payment_request', file_rows: 5, booked_rows: 1 }),
    );
    const repeated = await move([name], '--confirm', '--repeats');
    expect(repeated.reconciliation.kinds).toContainEqual(
      expect.objectContaining({ kind: 'payment_request', file_rows: 5, booked_rows: 2 }),
    );
  });

  test('keeps the evidence of mandates from a CSV file', async () => {
    const headings =
      'id,adhesion_holder_name,email,description,short_description,cbu_number,cbu_holder_name,cbu_holder_id_number,external_reference,signed_at,evidence_text,evidence_address,evidence_user_agent';
    const row = (id: string, day: string, text: string) =>
      `${id},Ana Pérez,ana@example.com,Cuota social,Cuota,${cbu},Ana Pérez,20055361682,socio-1,${day},${text},192.0.2.7,Firefox`;
    const lines = [
      ...[headings, row('CSV-1', '31-03-2024', '"Autorizo a debitar, cada mes"')],
      ...[row('CSV-2', '', '"Autorizo"'), row('CSV-3', '31-03-2024', '')],
    ];
    const name = await file(lines.join('\n'), 'csv');
    const map = path.join(folder, 'mandates.csv');
    const moved = await move([name], '--confirm', '--map', map);
    expect(moved.faults).toMatchObject([
      { row: 3, field: 'signed_at', error_code: 'import.signed_at_invalid' },
      { row: 4, field: 'evidence_text', error_code: 'import.evidence_text_invalid' },
    ]);
    const [, [, , id = ''] = []] = await mapOf(map);
    const evidence = await service.service.parts.mandates.evidenceOf({
      accountId: testAccount,
      kind: 'adhesion',
      id: Number(id),
    });
    expect(evidence).toEqual({
      at: '2024-03-31T00:00:00-03:00',
      address: '192.0.2.7',
      user_agent: 'Firefox',
      text: 'Autorizo a debitar, cada mes',
    });
  });

  test('reports an unreadable file, and writes nothing', async () => {
    const before = await countAll();
    const name = await file('{"data":[{"id":1},');
    const ran = await recaudo(['migrate-in', name, '--account', testAccount, '--confirm'], {
      DATABASE_URL: service.databaseUrl,
    });
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain(`${name} cannot be read as a page of an API list`);
    expect(await countAll()).toEqual(before);
  });

  test('reports a changed amount as a difference', async () => {
    const one = request();
    await move([await file([one])], '--confirm');
    const changed = await move([await file([{ ...one, first_total: 99 }])], '--confirm');
    expect(changed).toMatchObject({
      code: 1,
      reconciliation: {
        difference_count: 1,
        differences: [
          { what: 'amount', id: String(one.id), file_amount: '99.00', booked_amount: '1430.50' },
        ],
      },
    });
  });

  test('moves each row once in two concurrent runs', async () => {
    const rows = Array.from({ length: 1_200 }, (_, no) => request({ first_total: 10 + no }));
    const name = await file(page(rows));
    const before = await countAll();
    const both = await Promise.all([move([name], '--confirm'), move([name], '--confirm')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    const after = await countAll();
    expect(after?.requests).toBe(before?.requests + 1_200);
    expect(after?.moved).toBe(before?.moved + 1_200);
  });

  test('reconciles a request again after its first due date has passed since the move', async () => {
    const two = { second_due_date: isoDay(40), second_total: 1_700 };
    const name = await file([request({ first_due_date: isoDay(20), ...two })]);
    expect((await move([name], '--confirm')).code).toBe(0);
    await advance(service, { days: 30 });
    expect(await move([name], '--confirm')).toMatchObject({
      code: 0,
      reconciliation: {
        difference_count: 0,
        kinds: [{ file_amount: '1430.50', booked_amount: '1430.50' }],
      },
    });
  });

  test('leaves the books balanced', async () => {
    const ran = await recaudo(['audit', '--json'], { DATABASE_URL: service.databaseUrl });
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([0, expect.any(String), '']);
  });
});
