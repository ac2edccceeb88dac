import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Delivered } from '../../docs/how-to/examples/webhooks/receiver.ts';
import { packageRoot } from '../../src/package-root.ts';
import { freePort } from '../../src/platform/http/free-port.ts';

const secret = 'whsec_6Gr1Wk3R7BYcBLLD4yWQk0mgAq4KZcQYdEObXgG3zVY=';
const other = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';
const file = (name: string) => path.join(packageRoot(), 'docs/how-to/examples/webhooks', name);

const languages = [
  { name: 'TypeScript', command: process.execPath, args: () => [file('receiver.ts')] },
  { name: 'Python', command: 'python3', args: () => [file('receiver.py')] },
  {
    name: 'PHP',
    command: 'php',
    args: (port: number) => ['-S', `127.0.0.1:${port}`, file('receiver.php')],
  },
];

const isPresent = (command: string): boolean => spawnSync(command, ['--version']).status === 0;

const event = (id: number): Delivered => ({
  entity_name: 'payment_request',
  type: 'paid',
  event_type: 'payment_request.paid',
  entity_id: id,
  created_at: '2026-11-21T09:49:28-03:00',
  payload: { id, state: 'paid', external_reference: 'Ñandú & Cía', amount: 1430.5 },
});

describe.each(languages)('the receiver in $name', ({ command, args }) => {
  const present = isPresent(command);
  let inbox: string;
  let child: ChildProcess;
  let output = '';
  let origin: string;

  /** Waits until the receiver has written a line that matches. */
  const written = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (;;) {
      const found = pattern.exec(output);
      if (found) return found;
      await once(child, 'written');
    }
  };

  beforeAll(async () => {
    if (!present) return;
    inbox = await mkdtemp(path.join(tmpdir(), 'recaudo-inbox-'));
    const port = await freePort('127.0.0.1');
    const { PATH = '', HOME = '' } = process.env;
    child = spawn(command, args(port), {
      env: { PATH, HOME, WEBHOOK_SECRET: secret, PORT: String(port), INBOX: inbox },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (bytes) => {
        output += bytes;
        child.emit('written');
      });
    }
    origin = (await written(/http:\/\/127\.0\.0\.1:\d+/))[0];
  });
  afterAll(async () => {
    if (!present) return;
    child.kill();
    await once(child, 'close');
    await rm(inbox, { recursive: true });
  });

  interface Sent {
    id: string;
    body?: string;
    signedBody?: string;
    at?: Date;
    secrets?: string[];
    headers?: Record<string, string>;
  }

  const send = async (sent: Sent): Promise<number> => {
    const { id, body = JSON.stringify(event(12)), at = new Date(), secrets = [secret] } = sent;
    const signatures = secrets.map((one) => new Webhook(one).sign(id, at, sent.signedBody ?? body));
    const response = await fetch(`${origin}/`, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': signatures.join(' '),
        ...sent.headers,
      },
    });
    await response.arrayBuffer();
    return response.status;
  };

  test.skipIf(!present)('accepts each event once, in order of arrival', async () => {
    for (const id of [1, 2, 2, 1, 3]) {
      expect(await send({ id: `evt_${id}`, body: JSON.stringify(event(id)) })).toBe(204);
    }
    await written(/payment_request\.paid 3 /);
    expect([...output.matchAll(/^payment_request\.paid (\d+) /gm)].map(([, id]) => id)).toEqual([
      '1',
      '2',
      '3',
    ]);
  });

  test.skipIf(!present)('accepts one valid signature of two, as during a rotation', async () => {
    expect(await send({ id: 'evt_11', secrets: [other, secret] })).toBe(204);
    expect(await send({ id: 'evt_12', secrets: [secret, other] })).toBe(204);
  });

  test.skipIf(!present)('refuses forged, old, oversized and malformed deliveries', async () => {
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    const statuses = [
      await send({ id: 'evt_21', secrets: [other] }),
      await send({ id: 'evt_22', signedBody: JSON.stringify(event(13)) }),
      await send({ id: 'evt_23', at: minutesAgo(6) }),
      await send({ id: 'evt_24', at: minutesAgo(-6) }),
      await send({ id: 'evt_25', headers: { 'webhook-id': 'evt_26' } }),
      await send({ id: 'evt_27', headers: { 'webhook-signature': 'v1' } }),
      await send({ id: 'evt_28', headers: { 'webhook-signature': 'v1,ñ v2,AAAA' } }),
      await send({ id: 'evt_29', headers: { 'webhook-timestamp': 'now' } }),
    ];
    expect(statuses).toEqual(statuses.map(() => 401));
    const bare = await fetch(`${origin}/`, { method: 'POST', body: JSON.stringify(event(30)) });
    expect(bare.status).toBe(401);
    expect(
      await send({ id: 'evt_31', body: 'x'.repeat(2 * 1024 * 1024) }).catch(() => 413),
    ).not.toBe(204);
    expect(await send({ id: 'evt_32', body: '{"broken' })).toBe(400);
    expect(output).not.toContain('payment_request.paid 30 ');
  });
});

test('shows in the guide’s example call the signature that its secret produces', async () => {
  const guide = await readFile(path.join(packageRoot(), 'docs/how-to/webhooks.md'), 'utf8');
  const shown = (pattern: RegExp): string => pattern.exec(guide)?.[1] ?? '';
  const at = new Date(Number(shown(/^webhook-timestamp: (\d+)$/m)) * 1000);
  const body = shown(/^(\{"entity_name".*)$/m);
  const signature = new Webhook(shown(/"secret":"(\S+?)"/)).sign(
    shown(/^webhook-id: (\S+)$/m),
    at,
    body,
  );
  expect(shown(/^webhook-signature: (\S+)$/m)).toBe(signature);
});
