import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readBankConfig } from '../../connectors/bank/config.ts';
import { bank } from '../../connectors/bank/connector.ts';
import { startBank } from '../../connectors/bank/emulator/emulator.ts';
import { serve } from '../../connectors/protocol/serve.ts';
import { createVerifier, hearHere } from '../../connectors/protocol/signature.ts';
import { callerOf, newSecret } from './caller.ts';

export type Told = Record<string, unknown>;

/** Starts the service as a connector sees it: accepts signed notices. */
async function openService(secret: string) {
  const verify = createVerifier([secret], hearHere());
  const notices: Told[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += String(chunk);
    const { method = '', url: path = '' } = request;
    const heard = await verify(request.headers, { method, path, body: text });
    if ('id' in heard && path === '/connectors/bank/notices') {
      const { for: _, ...notice } = heard.message as Told;
      notices.push(notice);
    }
    response.writeHead('id' in heard ? 200 : 401).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, notices, stop: () => server.close() };
}

export const login = { username: 'user', password: 'password', account: '20-1-1' };

/** Opens the connector in front of the bank's emulator. */
export async function openBankOffice({
  listEveryS = '300',
  payerMs = 300,
  publicUrl = '',
}: {
  listEveryS?: string;
  payerMs?: number;
  publicUrl?: string;
} = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-bank-'));
  const secret = newSecret();
  const place = { host: '127.0.0.1', port: 0, dataDir: path.join(folder, 'bank'), payerMs };
  const emulator = await startBank({ ...place, ...login });
  const service = await openService(secret);
  const config = readBankConfig({
    CONNECTOR_PORT: '0',
    CONNECTOR_SECRET: secret,
    CONNECTOR_DATA_DIR: path.join(folder, 'connector'),
    CONNECTOR_SERVICE_URL: service.url,
    CONNECTOR_PUBLIC_URL: publicUrl,
    BANK_URL: `${emulator.origin}/v1`,
    BANK_USERNAME: login.username,
    BANK_PASSWORD: login.password,
    BANK_ACCOUNT: login.account,
    BANK_PREFIX: 'T1',
    BANK_CVU_CLIENTS: '77',
    BANK_NOTICE_SECRET: 'n'.repeat(32),
    BANK_LIST_EVERY_S: listEveryS,
    BANK_TEST: 'yes',
  });
  const lines: Told[] = [];
  const served = await serve(bank(config), { ...config, log: (line) => lines.push(line) });
  return {
    ...callerOf(() => served.origin, secret),
    origin: served.origin,
    bank: emulator.origin,
    secret,
    lines,
    notices: service.notices,
    /** Triggers an event at the bank, such as a payer's refusal or a transfer. */
    happens: async (what: string, body: object) =>
      await (
        await fetch(`${emulator.origin}/emulator/${what}`, {
          method: 'POST',
          body: JSON.stringify(body),
        })
      ).json(),
    stop: async () => {
      await served.stop();
      await emulator.stop();
      service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type BankOffice = Awaited<ReturnType<typeof openBankOffice>>;
