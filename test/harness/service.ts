import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Config, readConfig } from '../../src/config/index.ts';
import { type Service, serve } from '../../src/main.ts';
import { createLog, type Log } from '../../src/platform/log.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { createTestDatabase } from './database.ts';
import { testVaultKeys } from './keys.ts';

export const testKey = 'test-key-0123456789abcdef';
export const testAccount = 'A1B2C3D4';

/** A run hashes thousands of passwords. The product's parameters take 40 ms each. */
const cheapPasswords = { memory: 8, passes: 1, parallelism: 1 };

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what tests check
  body: any;
  text: string;
}

export interface CallOptions {
  body?: unknown;
  /** Replaces the demo account's key; null omits Authorization. */
  key?: string | null;
  headers?: Record<string, string>;
}

export interface TestService {
  origin: string;
  sql: Sql;
  databaseUrl: string;
  service: Service;
  config: Config;
  /** Sends a call over real HTTP. A string body is sent unchanged, anything else as JSON. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a real service in this process, on a separate database and a free port. */
export async function startService(
  env: Record<string, string> = {},
  log: Log = createLog('silent'),
  options: Pick<Config, 'passwordCosts'> = { passwordCosts: cheapPasswords },
): Promise<TestService> {
  const database = await createTestDatabase();
  const files = await mkdtemp(path.join(tmpdir(), 'recaudo-test-files-'));
  const read = readConfig({
    DATABASE_URL: database.url,
    DATA_DIR: files,
    PORT: '0',
    METRICS_PORT: '0',
    DRAIN_SECONDS: '0',
    LOG_LEVEL: 'silent',
    SANDBOX_SHARED_CLOCK: env.ENVIRONMENT === 'production' ? 'false' : 'true',
    DATABASE_POOL: '8',
    ...(env.ENVIRONMENT === 'production'
      ? // Nothing listens at this address, so e-mails stay queued.
        { SMTP_URL: 'smtp://127.0.0.1:1', VAULT_KEYS: testVaultKeys }
      : {
          SANDBOX_API_KEY: testKey,
          SANDBOX_ACCOUNT_ID: testAccount,
          VAULT_KEYS: testVaultKeys,
        }),
    ...env,
  });
  const config = { ...read, ...options };
  const service = await serve(config, log);
  const origin = service.origin;
  return {
    origin,
    sql: database.sql,
    databaseUrl: database.url,
    service,
    config,
    call: (method, path, options) => call(origin, method, path, options),
    async stop() {
      await service.stop();
      await database.drop();
      await rm(files, { recursive: true, force: true });
    },
  };
}

/** Sends one HTTP call to a service in any process. */
export async function call(
  origin: string,
  method: string,
  path: string,
  { body, key = testKey, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const response = await fetch(`${origin}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
  return {
    status: response.status,
    headers: response.headers,
    body: isJson && text !== '' ? JSON.parse(text) : null,
    text,
  };
}
