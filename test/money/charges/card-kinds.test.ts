import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brandOf } from '../../../src/kernel/card-number.ts';
import { cardKinds, importBins, parseBins, readBins } from '../../../src/money/channels/index.ts';
import {
  amex,
  cardForm,
  create,
  debitVisa,
  open,
  payCard,
  read,
  visa,
} from '../../checkout/payer.ts';
import { testOperator } from '../../harness/actors.ts';
import { startService, type TestService } from '../../harness/service.ts';

const unknownVisa = '4000000000000002';
const naranja = '5895627823453005';
const maestro = '6304000000000000';

describe('card kinds', () => {
  const kind = (number: string, bins: Parameters<typeof cardKinds>[0] = []) => {
    const brand = brandOf(number);
    if (!brand) throw new Error('no brand');
    return cardKinds(bins)({ number, brand });
  };
  test('derives a card’s kind from the brand if it issues only one', () => {
    expect([amex, naranja, '30569309025904', maestro].map((card) => kind(card))).toEqual([
      'credit',
      'credit',
      'credit',
      'debit',
    ]);
  });
  test('derives any other card’s kind from the longest known prefix', () => {
    const bins = [
      { prefix: '4000', kind: 'credit' as const },
      { prefix: '40000000', kind: 'debit' as const },
    ];
    expect(kind(unknownVisa, bins)).toBe('debit');
    expect(kind('4000990000000000', bins)).toBe('credit');
    expect(kind(unknownVisa)).toBeNull();
    expect(kind('5299910010000015', bins)).toBeNull();
  });
});

test.each([
  ['prefix,kind\n4000,credit\n4000,debit', 'Line 3: an earlier line has the prefix 4000.'],
  ['prefix,kind\n400,credit', 'Line 2: the prefix must have 4 to 11 digits'],
  [
    'prefix,kind\n4000,prepaid',
    'Line 2: the second and last cell must be the kind, credit or debit',
  ],
  ['prefix,kind\n3739,debit', 'American Express issues credit cards only'],
  ['bin,type\n4000,credit', 'Line 1: the columns must be prefix,kind'],
  ['prefix,kind\n', 'The file has no lines below its header'],
  ['', 'Line 1'],
])('refuses a whole file of BINs if a line is faulty: %j', (text, fault) => {
  expect(() => parseBins(text)).toThrow(fault);
});

let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,web' });
  folder = await mkdtemp(path.join(tmpdir(), 'recaudo-bins-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await service.stop();
});

const pay = (id: number, body: Record<string, unknown>) =>
  service.call('POST', `/sandbox/pay/${id}`, { body });

test.each([
  ['', '\n'],
  ['\n', '\n'],
  ['\r\n', '\r\n'],
])('reads 500,000 BINs and refuses one more, with the last line ended by %j', (end, newline) => {
  const linesOf = (count: number): string => {
    const bins = Array.from({ length: count }, (_, no) => `4${String(no).padStart(6, '0')},credit`);
    return `prefix,kind${newline}${bins.join(newline)}${end}`;
  };
  expect(parseBins(linesOf(500_000))).toHaveLength(500_000);
  expect(() => parseBins(linesOf(500_001))).toThrow('500');
});

test('replaces the file of BINs with a new one, but not with an invalid one', async () => {
  const file = path.join(folder, 'bins.csv');
  const acting = { ...service.service.parts.base, actor: testOperator };
  await writeFile(file, 'prefix,kind\r\n400000,debit\r\n450799,credit\r\n');
  expect(await importBins(acting, file)).toBe(2);
  await writeFile(file, 'prefix,kind\n400000,debit\n');
  expect(await importBins(acting, file)).toBe(1);
  await writeFile(file, 'prefix,kind\nx,debit\n');
  await expect(importBins(acting, file)).rejects.toThrow('nothing was changed');
  const again = path.join(folder, 'again.csv');
  await writeFile(again, 'prefix,kind\n400000,debit\n');
  expect(await Promise.all(Array.from({ length: 4 }, () => importBins(acting, again)))).toEqual([
    1, 1, 1, 1,
  ]);
  expect(await readBins(service.sql)).toEqual([{ prefix: '400000', kind: 'debit' }]);
  await service.sql`delete from card_bins`;
});

test.each([
  ['debit_card', amex, 'credit'],
  ['credit_card', debitVisa, 'debit'],
] as const)(
  'refuses a card of the other kind on the channel %s',
  async (channel, card_number, kind) => {
    const made = await create(service);
    const { status, body } = await pay(made.id, { channel, card_number });
    expect(status).toBe(409);
    expect(body.message).toContain(`${kind}_card`);
    expect((await read(service, made)).request_result).toEqual([]);
  },
);

test('refuses a credit card on the debit channel if the request excludes credit cards', async () => {
  const made = await create(service, { excluded_channels: ['credit_card'] });
  expect((await pay(made.id, { channel: 'debit_card', card_number: amex })).status).toBe(409);
  const { html } = await payCard(service.origin, made.path, {
    ...cardForm,
    channel: 'debit_card',
    number: amex,
    code: '1234',
  });
  expect(html).toContain('Esta tarjeta es de crédito');
  expect((await read(service, made)).state).toBe('pending');
});

test('reports a card of the wrong kind at the number field, in the page’s language', async () => {
  const made = await create(service);
  const form = {
    ...cardForm,
    channel: 'credit_card',
    number: debitVisa,
    installments: '39:1',
  };
  const spanish = await payCard(service.origin, made.path, form);
  expect([spanish.status, spanish.html.includes('Esta tarjeta es de débito')]).toEqual([400, true]);
  const english = await payCard(service.origin, made.path, { ...form, lang: 'en' });
  expect(english.html).toContain('This is a debit card');
  expect((await open(service.origin, made.path)).status).toBe(200);
});

test('lets the payer choose an unknown kind, and takes fee and label from the acquirer', async () => {
  const made = await create(service, { first_total: 1000 });
  const { status } = await pay(made.id, { channel: 'debit_card', card_number: visa });
  expect(status).toBe(200);
  const [result] = (await read(service, made)).request_result;
  expect(result.channel).toBe('Visa');
  const other = await create(service, { first_total: 1000 });
  await pay(other.id, { channel: 'credit_card', card_number: visa });
  const [credit] = (await read(service, other)).request_result;
  expect(result.net_fee).toBe(credit.net_fee);
  const third = await create(service, { first_total: 1000 });
  await pay(third.id, { channel: 'debit_card', card_number: unknownVisa });
  const [debit] = (await read(service, third)).request_result;
  expect(debit.channel).toBe('Visa Débito');
  expect(debit.net_fee).not.toBe(credit.net_fee);
  const [row] = await service.sql`
    select channel from results where request_id = ${made.id}`;
  expect(row?.channel).toBe('credit_card');
});
