import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/index.ts';
import { readConnectors } from '../../src/connectors/index.ts';
import { secretOf } from './played.ts';

const sound = {
  name: 'payway',
  url: 'https://connector.example:8471/payway/',
  secrets: [secretOf('a')],
  channels: ['credit_card', 'debit_card'],
};

const faultOf = (list: unknown): string => {
  const read = readConnectors(typeof list === 'string' ? list : JSON.stringify(list));
  return 'fault' in read ? read.fault : '';
};

test('reads a connector with defaults for missing fields', () => {
  expect(readConnectors(JSON.stringify([sound]))).toEqual({
    value: [
      {
        ...sound,
        url: 'https://connector.example:8471/payway',
        brands: null,
        preference: 0,
        callsAtOnce: 256,
        oldestDays: 30,
      },
    ],
  });
});

test('reads the same list from a file as from the variable, and reports a missing file', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-connectors-'));
  const file = path.join(folder, 'connectors.json');
  await writeFile(file, JSON.stringify([sound]));
  expect(readConfig({ CONNECTORS: file }).CONNECTORS).toHaveLength(1);
  await rm(folder, { recursive: true });
  expect(faultOf(file)).toContain('the path of a file');
});

test('reports every fault of every connector at once, without values', () => {
  const secret = 'whsec_short';
  const fault = faultOf([
    { name: 'Payway', url: 'http://10.0.0.8', secrets: [secret], channels: ['cash'] },
    { ...sound, url: 'https://user:pass@host', brands: [], preference: -1, calls_at_once: 0 },
    'payway',
    { ...sound, secret: 'x' },
  ]);
  expect(fault.match(/\[0\]/g)).toHaveLength(4);
  expect(fault.match(/\[1\]/g)).toHaveLength(4);
  expect(fault).toContain('[2] must be an object');
  expect(fault).toContain('[3] may hold');
  expect(fault).not.toContain(secret);
});

test.each([
  ['http://127.0.0.1:8471', true],
  ['http://[::1]:8471', true],
  ['http://localhost:8471/path', true],
  ['https://10.0.0.8', true],
  ['http://127.0.0.1.example.com', false],
  ['http://192.168.0.2', false],
  ['https://host/?key=1', false],
  ['ftp://127.0.0.1', false],
  ['payway', false],
])('allows plain HTTP only on this machine, and no query or other scheme: %s', (url, taken) => {
  expect(faultOf([{ ...sound, url }]) === '').toBe(taken);
});

test('requires unique names and secrets', () => {
  const other = { ...sound, name: 'other' };
  expect(faultOf([sound, sound])).toContain('each name must be unique');
  expect(faultOf([sound, other])).toContain('each secret must be of one connector');
  expect(faultOf([{ ...sound, secrets: [secretOf('a'), secretOf('a')] }])).toContain('secrets');
  expect(faultOf([sound, { ...other, secrets: [secretOf('b'), secretOf('c')] }])).toBe('');
});

test.each(['{}', 'null', '[', '/no/such/file', JSON.stringify(Array(21).fill(sound))])(
  'rejects input that is not a list of connectors: %s',
  (text) => expect(faultOf(text)).toMatch(/^must be /),
);

test.each([/^CONNECTORS='(.+)'$/m, /is a JSON list.+?```json\n(.+?)```/s])(
  'reads the settings in docs/how-to/connect-an-acquirer.md that match %s',
  async (pattern) => {
    const file = path.join(import.meta.dirname, '../../docs/how-to/connect-an-acquirer.md');
    const [, shown = ''] = pattern.exec(await readFile(file, 'utf8')) ?? [];
    const read = readConnectors(shown.replace(/whsec_[^"]*/g, secretOf('a')));
    expect(read).toMatchObject({ value: [{ name: 'payway', url: 'http://127.0.0.1:8471' }] });
  },
);

test('allows brands only for card channels', () => {
  expect(faultOf([{ ...sound, channels: ['DEBIN'], brands: ['visa'] }])).toContain('of cards');
  expect(faultOf([{ ...sound, channels: ['DEBIN', 'debit_card'], brands: ['visa'] }])).toBe('');
});
