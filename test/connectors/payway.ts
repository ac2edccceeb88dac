import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readPaywayConfig } from '../../connectors/payway/config.ts';
import { payway } from '../../connectors/payway/connector.ts';
import { openBook, type Payment } from '../../connectors/payway/emulator/book.ts';
import { type EmulatorOptions, startEmulator } from '../../connectors/payway/emulator/emulator.ts';
import { serve } from '../../connectors/protocol/serve.ts';
import { type Caller, callerOf, newSecret } from './caller.ts';

export interface Acquirer {
  url: string;
  stop: () => Promise<void>;
  /** Calls the acquirer as its merchant does. */
  get: (path: string) => Promise<{ results: { status: string }[] } & Record<string, unknown>>;
  post: (path: string, body: object) => Promise<Response>;
}

export const publicKey = 'emulator-public-key';
export const privateKey = 'emulator-private-key';

/** Returns a connector's settings for an emulator. */
export const paywaySettings = ({
  secret,
  folder,
  acquirer,
}: {
  secret: string;
  folder: string;
  /** Origin of the emulator, or of a proxy in front of it. */
  acquirer: string;
}): Record<string, string> => ({
  CONNECTOR_PORT: '0',
  CONNECTOR_SECRET: secret,
  CONNECTOR_DATA_DIR: path.join(folder, 'connector'),
  PAYWAY_URL: `${acquirer}/api/v2`,
  PAYWAY_PUBLIC_KEY: publicKey,
  PAYWAY_PRIVATE_KEY: privateKey,
  PAYWAY_PREFIX: 'T1',
});

/** Creates a new token of a card's number, as the frame does. */
export async function tokenFrom(url: string, number: string): Promise<string> {
  const answer = await fetch(`${url}/tokens`, {
    method: 'POST',
    headers: { apikey: publicKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      card_number: number,
      card_expiration_month: '08',
      card_expiration_year: '30',
      security_code: '123',
      card_holder_name: 'Ana Pérez',
      card_holder_identification: { type: 'dni', number: '25123456' },
    }),
  });
  return (await answer.json()).id;
}

/** Sends the browser's data for a token, as the frame does. */
export async function tellBrowser(origin: string, token: string): Promise<void> {
  const browser = {
    accept_header: 'text/html',
    language: 'es-AR',
    java_enabled: false,
    color_depth: 24,
    screen_height: 768,
    screen_width: 1366,
    time_zone_offset: 180,
  };
  await fetch(`${origin}/browser`, { method: 'POST', body: JSON.stringify({ token, browser }) });
}

/** Opens the emulator on a free port. */
export async function openAcquirer(
  dataDir: string,
  changes: Partial<EmulatorOptions> = {},
): Promise<Acquirer> {
  const { origin, stop } = await startEmulator({
    host: '127.0.0.1',
    port: 0,
    dataDir,
    publicKey,
    privateKey,
    timing: { slowMs: 0, hiddenMs: 0, reviewMs: 0, authenticateMs: 600_000 },
    sameDayRefunds: true,
    searchByReference: true,
    fraudControl: false,
    ...changes,
  });
  const headers = { apikey: privateKey, 'content-type': 'application/json' };
  return {
    url: `${origin}/api/v2`,
    stop,
    get: async (address) => await (await fetch(`${origin}${address}`, { headers })).json(),
    post: (address, body) =>
      fetch(`${origin}${address}`, { method: 'POST', headers, body: JSON.stringify(body) }),
  };
}

export interface Office extends Caller {
  acquirer: Acquirer;
  origin: () => string;
  secret: string;
  folder: string;
  /** The connector's log lines. */
  lines: Record<string, unknown>[];
  /** Creates a new token of a card's number, as the frame does. */
  token: (number: string) => Promise<string>;
  /** Restarts the connector on the same files. */
  restart: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Stores approved payments of 2025 before the emulator opens. Their ids count from 1. */
export function storePayments(dataDir: string, payments: readonly Partial<Payment>[]): void {
  openBook(dataDir).close();
  const database = new DatabaseSync(path.join(dataDir, 'emulator.sqlite'));
  const add = database.prepare('insert into payments values (?, ?, ?)');
  database.exec('begin');
  for (const [index, one] of payments.entries()) {
    const payment = {
      ...{ id: index + 1, payment_method_id: 1, card_brand: 'Visa', amount: 5_000 },
      ...{ status: 'approved', error: null, date: '2025-01-01T10:00Z', bin: '450799' },
      ...{ last_four: '4905', installments: 1, establishment_name: null, aggregate_data: null },
      ...{ settles_at: null, hidden_until: 0, challenge: false, in_closed_lot: false, refunds: [] },
      ...one,
    };
    add.run(payment.id, String(payment.site_transaction_id), JSON.stringify(payment));
  }
  database.exec('commit');
  database.close();
}

/** Opens the Payway connector in front of its emulator. */
export async function openOffice({
  env = {},
  emulator = {},
  before = [],
}: {
  env?: Record<string, string>;
  emulator?: Partial<EmulatorOptions>;
  /** The site's earlier payments. */
  before?: readonly Partial<Payment>[];
} = {}): Promise<Office> {
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-payway-'));
  if (before.length > 0) storePayments(path.join(folder, 'emulator'), before);
  const acquirer = await openAcquirer(path.join(folder, 'emulator'), emulator);
  const secret = newSecret();
  const lines: Record<string, unknown>[] = [];
  const config = readPaywayConfig({
    ...paywaySettings({ secret, folder, acquirer: new URL(acquirer.url).origin }),
    CONNECTOR_CHECKOUT_ORIGINS: 'http://127.0.0.1:9',
    PAYWAY_TEST_CASES: 'emulator',
    ...env,
  });
  const open = () => serve(payway(config), { ...config, log: (line) => lines.push(line) });
  let served = await open();
  return {
    ...callerOf(() => served.origin, secret),
    acquirer,
    origin: () => served.origin,
    secret,
    folder,
    lines,
    token: async (number) => {
      const token = await tokenFrom(acquirer.url, number);
      await tellBrowser(served.origin, token);
      return token;
    },
    restart: async () => {
      await served.stop();
      served = await open();
    },
    stop: async () => {
      await served.stop();
      await acquirer.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
