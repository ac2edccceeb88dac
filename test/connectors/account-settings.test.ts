import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { schemaFault, settingFaults, settingText } from '../../connectors/protocol/settings.ts';
import { setConnectorSettings } from '../../src/accounts/index.ts';
import { noticePartsOf } from '../../src/composition/notices.ts';
import { reconcile } from '../../src/connectors/http.ts';
import { recaudo } from '../cli/run.ts';
import { testOperator } from '../harness/actors.ts';
import { signIn } from '../harness/portal.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { playerOf } from '../scenarios/play.ts';
import { manifestOf, type Played, playConnector } from './played.ts';

const schema = {
  type: 'object',
  properties: {
    shop: { type: 'string', minLength: 2, maxLength: 5 },
    kind: { type: 'string', enum: ['a', 'b'] },
    share: { type: 'integer', minimum: 1, maximum: 100 },
    tags: { type: 'array', items: { type: 'string' }, maxItems: 2 },
    bill_to: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    on: { type: 'boolean' },
  },
  required: ['shop'],
  additionalProperties: false,
};

describe('a settings schema', () => {
  test('accepts the supported subset', () => expect(schemaFault(schema)).toBeNull());

  const of = (member: unknown) => ({ type: 'object', properties: { shop: member } });
  const deep = (levels: number): object =>
    levels === 0 ? { type: 'string' } : { type: 'object', properties: { a: deep(levels - 1) } };
  test.each<[string, unknown, RegExp]>([
    ['a pattern', of({ type: 'string', pattern: '(a+)+$' }), /settings\.shop has pattern/],
    ['a reference', of({ $ref: 'https://example.com/schema' }), /the type of settings\.shop must/],
    ['a reference next to a type', of({ type: 'string', $ref: '#/x' }), /has \$ref/],
    ['an unknown type', of({ type: 'constructor' }), /the type of settings\.shop/],
    ['a bound that is not a number', of({ type: 'string', maxLength: '5' }), /maxLength of/],
    ['a member that is not a schema', of(7), /settings\.shop must be an object/],
    ['too many levels', deep(6), /more than 5 levels/],
    ['a type other than object', { type: 'string' }, /must be of type object/],
    ['an array', [], /settings must be an object/],
    ['too much text', of({ type: 'string', title: 'x'.repeat(20_000) }), /more than 16384 bytes/],
  ])('rejects %s', (_what, wrong, text) => {
    expect(schemaFault(wrong)).toMatch(text);
  });
});

test.each<[object, string[]]>([
  [{ shop: 'uno', kind: 'a', share: 1, tags: ['x'], bill_to: { city: 'x', zip: 1 }, on: true }, []],
  [{}, ['shop is missing']],
  [{ shop: 7 }, ['shop must be of type string']],
  [{ shop: 'u' }, ['shop must have at least 2 characters']],
  [{ shop: '💳💳💳💳💳' }, []],
  [{ shop: 'sesenta' }, ['shop must have at most 5 characters']],
  [{ shop: 'uno', kind: 'c' }, ['kind must be one of a, b']],
  [{ shop: 'uno', share: 1.5 }, ['share must be of type integer']],
  [{ shop: 'uno', share: 101 }, ['share must be at most 100']],
  [
    { shop: 'uno', tags: ['x', 7, 'y'] },
    ['tags must have at most 2 items', 'tags[1] must be of type string'],
  ],
  [{ shop: 'uno', bill_to: {} }, ['bill_to.city is missing']],
  [
    { shop: 'uno', constructor: 1 },
    ['constructor is not a known setting; allowed: shop, kind, share, tags, bill_to, on'],
  ],
])('finds the faults of settings %j: %j', (settings, faults) => {
  expect(settingFaults(schema, { ...settings }).map(settingText)).toEqual(faults);
});

describe('the operator’s commands and pages', () => {
  let shop: Played;
  let service: TestService;
  let env: Record<string, string>;
  beforeAll(async () => {
    shop = await playConnector('shop', ['DEBIN']);
    shop.plays.manifest = () => ({
      json: { ...manifestOf('shop', ['DEBIN']), settings: schema, lists_by: 'account' },
    });
    const CONNECTORS = JSON.stringify([shop.configured()]);
    service = await startService({ ROLES: 'payments,web', CONNECTORS });
    await service.service.parts.connectors.refresh();
    env = { DATABASE_URL: service.databaseUrl, CONNECTORS };
  });
  afterAll(async () => {
    await service?.stop();
    await shop?.stop();
  });
  beforeEach(async () => {
    shop.calls.length = 0;
    const acting = { ...service.service.parts.base, actor: testOperator };
    const change = { accountId: testAccount, connector: 'shop', settings: {} };
    await setConnectorSettings(acting)(change);
  });
  const configure = (settings: object) =>
    recaudo(
      [
        'connectors',
        'configure',
        'shop',
        '--account',
        testAccount,
        '--settings',
        JSON.stringify(settings),
      ],
      env,
    );
  const stored = async () => {
    const [row] = await service.sql<{ own: string }[]>`
      select settings #>> array['connectors', 'shop'] as own from accounts where id = ${testAccount}`;
    return JSON.parse(row?.own ?? '{}');
  };

  test('stores settings that the manifest allows, and refuses others without quoting the value', async () => {
    const refused = await configure({ shop: 'secreto' });
    expect(refused.stderr).toContain(
      'The settings of shop are not valid: shop must have at most 5 characters.',
    );
    expect(refused.stderr).not.toContain('secreto');
    expect([refused.code === 0, await stored()]).toEqual([false, {}]);
    expect((await configure({ shop: 'uno' })).code).toBe(0);
    expect(await stored()).toEqual({ shop: 'uno' });
  });

  test('refuses the settings of a closed account by command and in the portal', async () => {
    const created = ['--name', 'Cerrada', '--cuit', '30-71234567-1'];
    const id = (await recaudo(['accounts', 'create', ...created], env)).stdout.trim();
    const close = ['accounts', 'close', id, '--reason', 'expediente 1'];
    expect((await recaudo(close, env)).code).toBe(0);
    const ofClosed = ['--account', id, '--settings', '{}', '--json'];
    const { code, stderr } = await recaudo(['connectors', 'configure', 'shop', ...ofClosed], env);
    expect([code, JSON.parse(stderr)]).toMatchObject([1, { error_code: 'account.closed' }]);
    const operator = await signIn(service, 'operator');
    const place = `/portal/operator/accounts/${id}/connectors/shop`;
    expect((await operator.get(place)).status).toBe(404);
    expect((await operator.post(place, { settings: '{}' })).status).toBe(404);
  });

  test('prints a log line before the refusal, but only the refusal with --json', async () => {
    const { manifest } = shop.plays;
    shop.plays.manifest = () => ({ status: 500, json: {} });
    const logging = { ...env, LOG_LEVEL: 'warn' };
    const [read, parsed] = await Promise.all(
      [[], ['--json']].map((as) => recaudo(['connectors', 'replay', '999', ...as], logging)),
    );
    shop.plays.manifest = manifest;
    expect(read?.stderr).toMatch(/^\{"level":50.*\nerror: /s);
    expect(JSON.parse(parsed?.stderr ?? '')).toMatchObject({ error: 'not_found' });
  });

  test('accepts settings that it cannot validate, with a warning', async () => {
    const { manifest } = shop.plays;
    shop.plays.manifest = () => ({ status: 500, json: {} });
    const { code, stdout } = await configure({ shop: 'sesenta' });
    shop.plays.manifest = manifest;
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining('not checked: shop does not answer'),
    ]);
  });

  test('refuses invalid settings on the page, in Spanish', async () => {
    const operator = await signIn(service, 'operator');
    const place = `/portal/operator/accounts/${testAccount}/connectors/shop`;
    const refused = await operator.post(place, { settings: '{"shop":"sesenta","x":1}' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('shop: puede tener hasta 5 caracteres.');
    expect(refused.text).toContain('x: no es un ajuste conocido.');
    expect(await stored()).toEqual({});
  });

  test('requests lists once without an account, and once per account with settings', async () => {
    await configure({ shop: 'uno' });
    const { parts } = service.service;
    const [connector] = parts.connectors.all;
    if (!connector) throw new Error('no connector');
    const acting = { ...parts.base, actor: testOperator };
    await reconcile(noticePartsOf(parts), acting, connector, parts.clocks.business.today());
    const asked = shop.calls
      .filter(({ path }) => path.startsWith('/charges?'))
      .map(({ path }) => new URL(path, 'http://x').searchParams)
      .map((query) => [
        query.get('account'),
        query.has('settings')
          ? JSON.parse(Buffer.from(query.get('settings') ?? '', 'base64url').toString())
          : null,
      ]);
    expect(asked).toEqual([
      [null, null],
      [testAccount, { shop: 'uno' }],
    ]);
  });

  test('reports an account’s failed list as a finding, and fails if every list fails', async () => {
    await configure({ shop: 'uno' });
    const { parts } = service.service;
    const [connector] = parts.connectors.all;
    if (!connector) throw new Error('no connector');
    const acting = { ...parts.base, actor: testOperator };
    const player = playerOf(service);
    await player.pay(await player.create(), { channel: 'DEBIN' });
    await player.move({ minutes: 5 });
    const { charges } = shop.plays;
    shop.plays.charges = (call) =>
      call.path.includes('account=') ? { status: 502, json: { message: 'no key' } } : charges(call);
    const day = parts.clocks.business.today();
    const report = await reconcile(noticePartsOf(parts), acting, connector, day);
    const why = 'The list of charges failed: the connector answered with status 502.';
    expect(report.findings).toEqual([
      { accountId: testAccount, what: `nothing was compared: ${why}` },
    ]);
    shop.plays.charges = () => ({ status: 502, json: { message: 'no key' } });
    await expect(reconcile(noticePartsOf(parts), acting, connector, day)).rejects.toThrow(why);
    shop.plays.charges = charges;
  });
});
