import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type Answer,
  type Handle,
  openHttp,
  type Request,
} from '../../connectors/protocol/http.ts';
import { serve } from '../../connectors/protocol/serve.ts';
import { bodyFor, sign, signedText } from '../../connectors/protocol/signature.ts';
import { template } from '../../connectors/template/connector.ts';
import { startAcquirer } from '../../connectors/template/emulator/emulator.ts';
import { type Report, runKit } from '../../src/connectors/kit/index.ts';
import { freePort } from '../../src/platform/http/free-port.ts';
import { newSecret } from './caller.ts';

export type Heard = Pick<Request, 'method' | 'path' | 'address' | 'headers' | 'body'>;
export type Pass = (call: Heard) => Promise<Answer>;

/** Tools that a fault uses on its connector. */
export interface Planting {
  secret: string;
  /** Forwards a call with a fresh signature. */
  resend: (call: Heard, pass: Pass) => Promise<Answer>;
  /** Writes to the log of the connector. */
  log: (line: string) => void;
  /** Returns the number of restarts. */
  restarts: () => number;
}

/** Distorts a call or its response; `drop` breaks the connection. */
export type Distort = (call: Heard, pass: Pass) => Promise<Answer | 'drop'>;

export type Plant = (planting: Planting) => Distort;

/** A fault in one of a connector's three connections. */
export interface Fault {
  /** Behavior of the faulty connector. */
  does: string;
  /** Groups of the kit to run; one of them must detect the fault. */
  groups: readonly string[];
  /** Between the service and the connector. */
  front?: Plant;
  /** Between the connector and its acquirer. */
  back?: Plant;
  /** Between the connector and the service, for notices. */
  notices?: Plant;
}

const carried = [
  'webhook-id',
  'webhook-timestamp',
  'webhook-signature',
  'authorization',
  'content-type',
];

/** Forwards calls unchanged. */
const passTo =
  (target: () => string): Pass =>
  async ({ method, address, headers, body }) => {
    const sent = carried.flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as const] : [];
    });
    const answer = await fetch(`${target()}${address}`, {
      method,
      headers: Object.fromEntries(sent),
      ...(body !== '' && method !== 'GET' && { body }),
    });
    const type = answer.headers.get('content-type') ?? 'application/json';
    return {
      status: answer.status,
      headers: { 'content-type': type },
      body: await answer.text(),
    };
  };

const local = { host: '127.0.0.1', port: 0 };

const line = (target: () => string, distort: Distort | undefined) => {
  const pass = passTo(target);
  const handle: Handle = async (call) => {
    try {
      return await (distort ?? ((one, on) => on(one)))(call, pass);
    } catch {
      return 'drop';
    }
  };
  return openHttp(local, handle);
};

/** Runs groups of the kit against the template with a planted fault. */
export async function kitWith({ groups, front, back, notices }: Fault): Promise<Report> {
  const folder = await mkdtemp(path.join(tmpdir(), 'recaudo-planted-'));
  const secret = newSecret();
  const logged: string[] = [];
  let restarts = 0;
  const planting: Planting = {
    secret,
    resend: (call, pass) => {
      const { method, address, body } = call;
      const text = signedText({ method, path: address, body: method === 'GET' ? '' : body });
      return pass({ ...call, headers: { ...call.headers, ...sign([secret], text) } });
    },
    log: (text) => logged.push(text),
    restarts: () => restarts,
  };
  const acquirer = await startAcquirer({ ...local, key: 'key', reviewMs: 300 });
  const behind = await line(() => acquirer.origin, back?.(planting));
  const listen = { host: '127.0.0.1', port: await freePort('127.0.0.1') };
  const service = await line(() => `http://127.0.0.1:${listen.port}`, notices?.(planting));
  const open = () =>
    serve(template({ acquirerUrl: behind.origin, acquirerKey: 'key', isTest: true }), {
      ...local,
      dataDir: folder,
      secrets: [secret],
      serviceUrl: service.origin,
      log: (one) => logged.push(JSON.stringify(one)),
    });
  let served = await open();
  const before = await line(() => served.origin, front?.(planting));
  try {
    return await runKit({
      url: before.origin,
      secrets: [secret],
      patienceMs: 4_000,
      listen,
      groups,
      logged: async () => logged.join('\n'),
      restart: async () => {
        await served.stop();
        served = await open();
        restarts += 1;
      },
    });
  } finally {
    for (const one of [before, served, service, behind, acquirer]) await one.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the call with another body, which names its method and address. */
export const withBody = (call: Heard, body: object, address = call.address): Heard => ({
  ...call,
  address,
  body: bodyFor(call.method, address, body),
});
