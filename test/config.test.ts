import { describe, expect, test } from 'vitest';
import { ConfigError, readConfig, variables } from '../src/config/index.ts';
import { barcodeTermsOf } from '../src/config/rails.ts';
import { testVaultKeys } from './harness/keys.ts';

const faultsOf = (env: Record<string, string>): string[] => {
  try {
    readConfig(env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [head, ...faults] = error.message.split('\n');
    expect(head).toBe('The configuration is not valid:');
    return faults.map((line) => line.replace(/^ {2}- /, ''));
  }
  return [];
};

test('defaults to a sandbox on this machine', () => {
  expect(readConfig({})).toMatchObject({
    ENVIRONMENT: 'sandbox',
    HOST: '127.0.0.1',
    PORT: 8360,
    PUBLIC_URL: null,
    DATABASE_URL: null,
    DATA_DIR: './data',
    ROLES: ['payments', 'qr', 'web', 'worker'],
    SANDBOX_API_KEY: null,
    TRUST_PROXY: false,
  });
});

test('treats an empty variable as unset, and ignores unknown ones', () => {
  const empty = Object.fromEntries(Object.keys(variables).map((name) => [name, '']));
  expect(readConfig({ ...empty, PATH: '/bin', SOMETHING: 'else' })).toEqual(readConfig({}));
});

test('documents every variable, without a final period', () => {
  for (const { doc } of Object.values(variables)) expect(doc).toMatch(/^\S.+[^.]$/);
});

test('requires DATABASE_URL for a replica', () => {
  const replica = { DATABASE_READ_URL: 'postgres://replica/recaudo' };
  expect(faultsOf(replica)).toHaveLength(1);
  const both = { ...replica, DATABASE_URL: 'postgres://primary/recaudo' };
  expect(readConfig(both)).toMatchObject({ ...both, DATABASE_READ_LAG_SECONDS: 5 });
});

test.each(['DATABASE_OWNER_URL', 'DATABASE_DIRECT_URL'])(
  'refuses %s without DATABASE_URL, because an embedded server would be migrated and served',
  (name) => {
    const address = { [name]: 'postgres://primary/recaudo' };
    expect(faultsOf(address)).toEqual([
      expect.stringMatching(new RegExp(`^${name} must not be set without DATABASE_URL: `)),
    ]);
    expect(faultsOf({ ...address, DATABASE_URL: 'postgres://primary/recaudo' })).toEqual([]);
  },
);

test.each([
  ['ANCHORS', 'file:anchors'],
  ['ANCHORS', 'file:///var/lib/'],
  ['ANCHORS', 'file://'],
  ['ANCHORS', 'file://elsewhere/anchors'],
  ['ANCHORS', 'syslog+tcp:logs.example.com'],
  ['ANCHORS', 'syslog+tls://'],
  ['SMTP_URL', 'smtp:mail.example.com'],
  ['SMTP_URL', 'smtps://'],
  ['DATABASE_URL', 'postgres:recaudo'],
  ['S3_ENDPOINT', 'https:s3.example.com'],
])('refuses the incomplete address %s=%s', (name, text) => {
  expect(faultsOf({ [name]: text })[0]).toMatch(new RegExp(`^${name} must (be|name) an? `));
});

test('lists every mistake in one message', () => {
  const wrong = {
    ENVIRONMENT: 'staging',
    HOST: 'example.com',
    PORT: '70000',
    METRICS_PORT: '-1',
    PUBLIC_URL: 'example.com',
    DATABASE_URL: 'mysql://localhost/x',
    DATABASE_DIRECT_URL: 'localhost',
    DATABASE_READ_URL: 'replica',
    DATABASE_READ_LAG_SECONDS: '1',
    DATABASE_POOL: '3',
    ROLES: 'payments,cook',
    SANDBOX_API_KEY: 'short',
    SANDBOX_ACCOUNT_ID: 'a1b2c3d4',
    RATE_LIMIT: '1.5',
    RATE_BURST: '0',
    TRUST_PROXY: 'true',
    BARCODE_FORMAT: '448',
    BARCODE_CONVENTION: '12345678901',
    PMC_COMPANY: 'x',
    LINK_ENTITY: '1',
    CVU_PSP: '1',
    QR_ACCEPTOR: 'recaudo',
    QR_ADMINISTRATOR_CUIT: '1',
    QR_MCC: '1',
    LOG_LEVEL: 'loud',
  };
  const faults = faultsOf(wrong);
  expect(faults.map((fault) => fault.split(' ')[0])).toEqual(
    Object.keys(variables).filter((name) => name in wrong),
  );
  for (const fault of faults) expect(fault).toMatch(/^[A-Z_]+ must be /);
  expect(faults).toContain('PORT must be a whole number from 0 to 65535');
  expect(faults).toContain(
    'ROLES must be a list of payments, qr, web, worker, separated by commas',
  );
});

test('does not repeat a wrong value, which may be a secret', () => {
  const secret = 'too short';
  expect(faultsOf({ SANDBOX_API_KEY: secret }).join()).not.toContain(secret);
  expect(faultsOf({ DATABASE_URL: 'pg://user:hunter2@x/y' }).join()).not.toContain('hunter2');
});

describe('values', () => {
  test.each([
    ['HOST', '::1', '::1'],
    ['HOST', 'localhost', 'localhost'],
    ['PORT', '0', 0],
    ['ROLES', ' worker , web,worker', ['worker', 'web']],
    ['DATABASE_URL', 'postgresql://u:p@h:5432/d', 'postgresql://u:p@h:5432/d'],
    ['DATABASE_URL', 'postgres:///d?host=/run/postgresql', 'postgres:///d?host=/run/postgresql'],
    ['ANCHORS', 'file:///var/lib/anchors', 'file:///var/lib/anchors'],
    ['ANCHORS', 'syslog+tcp://logs.example.com:601', 'syslog+tcp://logs.example.com:601'],
    ['PUBLIC_URL', 'https://pay.example.com', 'https://pay.example.com'],
    ['TRUST_PROXY', '2', 2],
    ['TRUST_PROXY', '10.0.0.0/8, fd00::/8,192.0.2.1', ['10.0.0.0/8', 'fd00::/8', '192.0.2.1']],
    ['RATE_LIMIT', '0', 0],
  ])('reads %s=%s', (name, text, value) => {
    expect(readConfig({ [name]: text })).toMatchObject({ [name]: value });
  });
});

describe('production', () => {
  const good = {
    ENVIRONMENT: 'production',
    DATABASE_URL: 'postgres://localhost/recaudo',
    PUBLIC_URL: 'https://pay.example.com',
    BARCODE_CONVENTION: '1234567890',
    SMTP_URL: 'smtps://user:password@mail.example.com',
    VAULT_KEYS: testVaultKeys,
  };
  test('accepts a configuration with all required variables', () => {
    expect(faultsOf(good)).toEqual([]);
  });
  test.each([
    ['smtp://user:password@mail.example.com', false],
    ['smtp://mail.example.com:587?requireTLS=false', false],
    ['smtp://user:password@mail.example.com?requireTLS=true', true],
    ['smtp://127.0.0.1:1025', true],
    ['smtp://localhost', true],
  ])('allows %s as SMTP_URL: %s', (url, isAllowed) => {
    const fault = 'SMTP_URL must begin with smtps:// or end with ?requireTLS=true in production';
    expect(faultsOf({ ...good, SMTP_URL: url })).toEqual(isAllowed ? [] : [fault]);
    expect(faultsOf({ SMTP_URL: url })).toEqual([]);
  });
  test('requires all variables whose defaults are safe only on a developer’s machine', () => {
    expect(faultsOf({ ENVIRONMENT: 'production' })).toEqual([
      'DATABASE_URL must be set in production',
      'PUBLIC_URL must be set in production',
      'BARCODE_CONVENTION must be set in production',
      'SMTP_URL must be set in production',
      'VAULT_KEYS must be set in production',
    ]);
  });
  test('requires Pago Fácil’s client number, not a convention, for its barcodes', () => {
    const { BARCODE_CONVENTION: _, ...rest } = good;
    const own = { ...rest, BARCODE_FORMAT: 'pago-facil' };
    expect(faultsOf(own)).toEqual(['PAGO_FACIL_CLIENT must be set in production']);
    const config = readConfig({ ...own, PAGO_FACIL_CLIENT: '000124567' });
    expect(barcodeTermsOf(config)).toEqual({ format: 'pago-facil', collector: '4567' });
    expect(barcodeTermsOf(readConfig(good))).toEqual({ format: '0448', collector: '1234567890' });
  });
  test('refuses all placeholders at once, naming each', () => {
    const placeholders = {
      BARCODE_CONVENTION: '5150000000',
      PMC_COMPANY: '0515',
      LINK_ENTITY: '515',
      PAGO_FACIL_CLIENT: '000000515',
      RAPIPAGO_COMPANY: 'Recaudo',
      DIRECT_DEBIT_SERVICE: '0515',
      MACRO_AGREEMENT: '00515',
      VISA_ESTABLISHMENT: '0000000515',
      VISA_DEBIT_ESTABLISHMENT: '0000000515',
      MASTERCARD_ESTABLISHMENT: '0000000515',
      CVU_PSP: '9991',
      QR_ACCEPTOR: 'ar.recaudo',
    };
    expect(faultsOf({ ...good, ...placeholders })).toEqual(
      Object.entries(placeholders).map(
        ([name, value]) => `${name} must not be the placeholder ${value} in production`,
      ),
    );
  });
  test('gives company numbers a placeholder in the sandbox, and no default in production', () => {
    expect(readConfig(good).PMC_COMPANY).toBeNull();
    expect(readConfig({}).PMC_COMPANY).toBe('0515');
    expect(readConfig({ ...good, PMC_COMPANY: '4242' }).PMC_COMPANY).toBe('4242');
  });
  test('refuses a fixed API key or account id of the sandbox', () => {
    const sandbox = { SANDBOX_API_KEY: 'k'.repeat(16), SANDBOX_ACCOUNT_ID: 'A1B2C3D4' };
    expect(faultsOf({ ...good, ...sandbox })).toEqual([
      'SANDBOX_API_KEY must not be set in production',
      'SANDBOX_ACCOUNT_ID must not be set in production',
    ]);
  });
  test('refuses an unencrypted public address', () => {
    expect(faultsOf({ ...good, PUBLIC_URL: 'http://pay.example.com' })).toEqual([
      'PUBLIC_URL must begin with https:// in production',
    ]);
  });
  test('requires DEBIT_LEAD_DAYS to be greater than DEBIT_HANDOVER_DAYS', () => {
    const terms = { DEBIT_LEAD_DAYS: '3', DEBIT_HANDOVER_DAYS: '3' };
    expect(faultsOf({ ...good, ...terms })).toEqual([
      'DEBIT_LEAD_DAYS must be greater than DEBIT_HANDOVER_DAYS',
    ]);
    expect(faultsOf({ ...good, ...terms, DEBIT_LEAD_DAYS: '4' })).toEqual([]);
  });
  test('reports production-only mistakes together with all others', () => {
    expect(faultsOf({ ENVIRONMENT: 'production', PORT: 'x', PUBLIC_URL: 'http://x' })).toHaveLength(
      6,
    );
  });
});

test('requires all or none of a document store’s variables', () => {
  const whole = {
    S3_ENDPOINT: 'https://s3.example.com',
    S3_BUCKET: 'documents',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  };
  expect(readConfig(whole)).toMatchObject({ ...whole, S3_REGION: 'us-east-1' });
  for (const name of Object.keys(whole)) {
    const faults = faultsOf({ ...whole, [name]: '' });
    expect(faults.length).toBe(1);
    expect(faults[0]).toMatch(new RegExp(`^${name} must be set`));
  }
});

describe('the OpenID provider', () => {
  const whole = {
    OIDC_ISSUER: 'https://login.example.com/realms/coop',
    OIDC_CLIENT_ID: 'recaudo',
    OIDC_CLIENT_SECRET: 'secret',
  };

  test('is off by default, and reads its client and lists', () => {
    expect(readConfig({})).toMatchObject({ OIDC_ISSUER: null, OIDC_ONLY: false });
    expect(readConfig(whole)).toMatchObject({ ...whole, OIDC_NAME: 'OpenID' });
    const lists = { OIDC_EMAIL_DOMAINS: 'coop.example, b.example', OIDC_FACTOR_VALUES: 'mfa,hwk' };
    expect(readConfig({ ...whole, ...lists })).toMatchObject({
      OIDC_EMAIL_DOMAINS: ['coop.example', 'b.example'],
      OIDC_FACTOR_VALUES: ['mfa', 'hwk'],
    });
  });

  test.each<[Record<string, string>, string]>([
    [{ OIDC_ONLY: 'true' }, 'OIDC_ONLY must not be set without OIDC_ISSUER'],
    [{ OIDC_CLIENT_ID: 'x' }, 'OIDC_CLIENT_ID must not be set without OIDC_ISSUER'],
    [{ ...whole, OIDC_CLIENT_SECRET: '' }, 'OIDC_CLIENT_SECRET must be set if OIDC_ISSUER is set'],
    [
      { ...whole, OIDC_ISSUER: 'https://a.example?x' },
      'OIDC_ISSUER must not contain a query or fragment',
    ],
    [{ ...whole, OIDC_NAME: '<b>' }, 'OIDC_NAME must be a name of 1 to 40 characters'],
  ])('refuses %o', (env, fault) => {
    expect(faultsOf(env)).toEqual([fault]);
  });

  test('requires an https issuer in production', () => {
    const env = { ...whole, ENVIRONMENT: 'production', OIDC_ISSUER: 'http://login.example.com' };
    expect(faultsOf(env)).toContain('OIDC_ISSUER must begin with https:// in production');
  });
});
