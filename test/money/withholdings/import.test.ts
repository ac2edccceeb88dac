import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { importTaxpayerRates } from '../../../src/money/withholdings/index.ts';
import { testOperator } from '../../harness/actors.ts';
import { startService, type TestService, testAccount } from '../../harness/service.ts';
import { type Player, playerOf, withoutWorker } from '../../scenarios/play.ts';

let service: TestService;
let player: Player;
let folder: string;
beforeAll(async () => {
  service = await startService(withoutWorker);
  player = playerOf(service);
  folder = await mkdtemp(path.join(tmpdir(), 'register-'));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});
afterEach(async () => expect(await player.faults()).toEqual([]));

const header = 'cuit,regime,jurisdiction,rate,valid_from,valid_to';
const own = '20-05536168-2';

/** Computes the check digit by its published rule, independently of the product's code. */
function cuitOf(no: number): string {
  const body = `20${String(10_000_000 + no)}`;
  const weights = [5, 4, 3, 2, 7, 6, 5, 4, 3, 2];
  const rest = [...body].reduce((sum, one, at) => sum + Number(one) * (weights[at] ?? 0), 0) % 11;
  return `${body}${rest === 0 ? 0 : rest === 1 ? 9 : 11 - rest}`;
}

let no = 0;
async function file(content: string | Buffer): Promise<string> {
  no += 1;
  const name = path.join(folder, `register-${no}.csv`);
  await writeFile(name, content);
  return name;
}
const lines = (...rows: string[]): string => `${[header, ...rows].join('\n')}\n`;
const load = async (content: string | Buffer, dryRun = false) =>
  importTaxpayerRates({ ...service.service.parts.base, actor: testOperator })({
    path: await file(content),
    dryRun,
  });
const rates = () => service.sql`
  select cuit, regime, jurisdiction, rate_ppm, valid_from::text as valid_from,
    valid_to::text as valid_to
  from withholding_rates order by cuit, regime, jurisdiction, valid_from`;
/** Returns the message of a refusal, and checks that it changed nothing. */
async function refused(content: string | Buffer): Promise<string> {
  const before = await rates();
  const error = await load(content).then(
    () => 'it was imported',
    (reason: Error & { status?: number }) => `${reason.status} ${reason.message}`,
  );
  expect(await rates()).toEqual(before);
  return error;
}

test('imports a register, and withholds a retention for each of its lines', async () => {
  await service.sql`update accounts set cuit = '20055361682' where id = ${testAccount}`;
  const report = await load(
    `\ufeff${header}\r\n${own};SIRTAC;"Córdoba, capital\\x";2.5;01-01-2020;\r\n` +
      `20055361682;SIRTAC;Salta;0.3333;2020-01-01;31-12-2099\r\n`,
  );
  expect(report).toEqual({
    outcome: 'imported',
    lines: 2,
    changes: [
      { regime: 'SIRTAC', jurisdiction: 'Córdoba, capital\\x', added: 1, changed: 0, unchanged: 0 },
      { regime: 'SIRTAC', jurisdiction: 'Salta', added: 1, changed: 0, unchanged: 0 },
    ],
  });
  const id = await player.create({ first_total: 1000 });
  await player.pay(id);
  const { retentions } = await player.get(id, '?detail_retentions=true');
  expect(retentions).toMatchObject([
    { jurisdiction: 'Córdoba, capital\\x', base: 1000, rate: 2.5, amount: 25 },
    { jurisdiction: 'Salta', base: 1000, rate: 0.3333, amount: 3.33 },
  ]);
});

test('reports the changes in a dry run and makes none', async () => {
  const before = await rates();
  const content = lines(
    `${own},SIRTAC,Salta,0.3333,2020-01-01,31-12-2099`,
    `${own},SIRTAC,Salta,1,2026-01-01,`,
    `${own},SIRTAC,"Córdoba, capital\\x",2.5,01-01-2020,2027-01-01`,
  );
  const dry = await load(content, true);
  expect(dry).toEqual({
    outcome: 'checked',
    lines: 3,
    changes: [
      { regime: 'SIRTAC', jurisdiction: 'Córdoba, capital\\x', added: 0, changed: 1, unchanged: 0 },
      { regime: 'SIRTAC', jurisdiction: 'Salta', added: 1, changed: 0, unchanged: 1 },
    ],
  });
  expect(await rates()).toEqual(before);
  expect(await load(content)).toEqual({ ...dry, outcome: 'imported' });
});

test('changes nothing for the same file, even in concurrent imports', async () => {
  const content = lines(`${cuitOf(1)},SIRTAC,Jujuy,1.25,2026-01-01,`);
  const both = await Promise.all([load(content), load(content)]);
  expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(['imported', 'known']);
  const before = await rates();
  expect((await load(content)).outcome).toBe('known');
  expect(await rates()).toEqual(before);
});

test('applies the line with the later start if two lines cover a day', async () => {
  await load(lines(`${own},SIRTAC,Salta,0,2020-06-01,`, `${own},IIBB,Chaco,3,2020-01-01,`));
  const id = await player.create({ first_total: 1000 });
  await player.pay(id);
  const { retentions } = await player.get(id, '?detail_retentions=true');
  expect(retentions.map((one: { regime: string; rate: number }) => [one.regime, one.rate])).toEqual(
    [
      ['IIBB', 3],
      ['SIRTAC', 2.5],
      ['SIRTAC', 1],
    ],
  );
});

describe('an invalid register', () => {
  const good = `${cuitOf(2)},SIRTAC,Jujuy,1.25,2026-01-01,`;
  const fields = good.split(',');
  const withField = (at: number, text: string) => fields.with(at, text).join(',');
  const cases: [string, number, string, string][] = [
    ['a wrong check digit', 0, '20267565392', 'cuit: "20267565392" must be a CUIT'],
    ['letters for a CUIT', 0, 'x', 'cuit: "x" must be a CUIT'],
    ['no regime', 1, ' ', 'regime: "" must have 1 to'],
    ['a long jurisdiction', 2, 'j'.repeat(61), 'jurisdiction: "jjj'],
    ['a control character', 2, 'a\tb', 'jurisdiction: "a\\tb" must have'],
    ['a rate above 100', 3, '100.0001', 'rate: "100.0001" must be a percentage'],
    ['a negative rate', 3, '-1', 'rate: "-1" must be'],
    ['a rate with five decimals', 3, '1.00001', 'rate: "1.00001" must be'],
    ['a day that does not exist', 4, '31-02-2026', 'valid_from: "31-02-2026" must be a day'],
    ['an end before the start', 5, '2025-12-31', 'valid_to: "2025-12-31" must be'],
    ['an extra column', 5, ',', 'it has 7 columns, but must have these'],
  ];

  test.each(cases)(
    'rejects %s, and names the line, the column and the text',
    async (_what, at, text, expected) => {
      const message = await refused(lines(good, withField(at, text)));
      expect(message).toContain('400 The register is not valid, and nothing was changed.\nLine 3');
      expect(message).toContain(expected);
    },
  );

  test('lists at most 20 wrong lines', async () => {
    const message = await refused(lines(...Array(50).fill(withField(3, 'x')), good));
    expect(message.split('\n')).toHaveLength(21);
    expect(message).toContain('Line 21, rate: "x"');
  });

  test('names both lines that repeat a CUIT’s regime, jurisdiction and start', async () => {
    const message = await refused(lines(good, withField(1, 'IIBB'), withField(3, '9')));
    expect(message).toContain(`Line 4, cuit: "${cuitOf(2)}" repeats the regime, jurisdiction`);
    expect(message).toContain('of line 2.');
  });

  test.each([
    ['nothing', '', 'register has no lines'],
    ['the header alone', `${header}\n`, 'register has no lines'],
    ['another header', 'a,b\n1,2\n', 'Line 1: found "a,b", but the columns must be'],
    ['an open quote', lines('"20'), 'a quote is out of place'],
    ['an endless line', lines('x'.repeat(10_000)), 'longer than'],
    ['an empty line', lines('', good), 'Line 2: it has 1 column, but'],
    ['a ZIP file', Buffer.from('PK\u0003\u0004\u0000\u0000'), 'Line 1'],
  ])('rejects a register with %s', async (_what, content, expected) => {
    expect(await refused(content)).toContain(expected);
  });

  test('names the line that is in Latin-1 instead of UTF-8', async () => {
    const message = await refused(Buffer.from(lines(withField(2, 'Córdoba')), 'latin1'));
    expect(message).toContain('Line 2, jurisdiction: "C\ufffdrdoba" must have');
  });

  test('reports a missing file', async () => {
    const gone = importTaxpayerRates({ ...service.service.parts.base, actor: testOperator })({
      path: path.join(folder, 'gone'),
      dryRun: false,
    });
    await expect(gone).rejects.toThrow(/ENOENT/);
  });
});

test('changes nothing if one line in thousands is wrong, and imports the corrected file', async () => {
  const rows = Array.from({ length: 10_000 }, (_one, at) => {
    return `${cuitOf(1000 + at)},SIRTAC,Mendoza,${(at % 500) / 100},2026-02-01,2026-02-28`;
  });
  expect(await refused(lines(...rows, 'wrong'))).toContain('Line 10002');
  const report = await load(lines(...rows));
  expect(report.changes).toEqual([
    { regime: 'SIRTAC', jurisdiction: 'Mendoza', added: 10_000, changed: 0, unchanged: 0 },
  ]);
  const next = rows.map((row, at) => (at < 100 ? row.replace('2026-02-28', '2026-03-31') : row));
  expect((await load(lines(...next))).changes).toEqual([
    { regime: 'SIRTAC', jurisdiction: 'Mendoza', added: 0, changed: 100, unchanged: 9_900 },
  ]);
});
