import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { commandTree, leavesOf } from '../../src/cli/tree.ts';
import { centavos } from '../../src/kernel/money.ts';
import { suspend } from '../../src/money/suspense/index.ts';
import { readActor } from '../../src/platform/actor.ts';
import { connect, type Sql } from '../../src/platform/postgres/connect.ts';
import { recaudo } from '../cli/run.ts';
import { createCardDebit, createDebit } from '../harness/builders/debits.ts';
import { adhesionBody, cardAdhesionBody, signedAdhesion } from '../harness/builders/mandates.ts';
import { batchOf, full, itemOf } from '../harness/builders/qrs.ts';
import { wallsOf } from '../harness/builders/static-qrs.ts';
import { type Answer, startService, type TestService, testAccount } from '../harness/service.ts';
import { dayIn, type Player, playerOf } from '../scenarios/play.ts';

// Most commands are processes, which take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

/** Tables of which a change needs no event of its own, and why. */
const silent: Record<string, string> = {
  anchors: 'the proof, not the fact',
  attempts: 'a charge on its way: what it comes to is a result, with an event',
  balance_deltas: 'follows from journals',
  balances: 'follows from journals',
  batch_chunks: 'an upload on its way',
  batch_pages: 'what an import says of each item; its end is an event',
  batches: 'how far an import is; its end is an event',
  card_bins: 'replaced whole: one event for all rows',
  clock: 'moved stop by stop; one event when the move is done',
  connector_calls: 'which calls of connectors were heard; what they did has its events',
  connector_alarms: 'what is to be looked at; that somebody forgot it has its event',
  closed_books: 'what a report shows does not change any more; no fact changes',
  deliveries: 'how an event reaches a webhook, kept itself with each attempt',
  delivery_attempts: 'the same',
  events: 'an event',
  idempotency_keys: 'an answer that is kept for a day',
  journals: 'the record of a posting, append-only as an event is',
  kept_cards: 'where a card is kept: that it was handed over and ended are its mandate’s events',
  mails: 'queued by a fact that has its event, and sent by nobody',
  network_charges: 'which attempt a payment of a network is: what it comes to is a result',
  operator_events: 'an event',
  outbox: 'an event on its way',
  rail_lines: 'what a line was taken for: what follows from it has its event, the sums the file’s',
  reconciliation_findings: 'what a comparison found, of which there is one event',
  seal_links: 'the proof, not the fact',
  seal_marks: 'the proof, not the fact',
  seals: 'the proof, not the fact',
  simulated_charges: 'what the sandbox’s bank knows',
  simulated_refunds: 'what the sandbox’s bank knows',
  simulated_reversals: 'what the sandbox’s bank knows',
  unwanted_approvals:
    'whether an approval is to go back: that it does is a refund, with its events',
};

/** Of these tables only some changes are facts. */
const facts: Record<string, string> = {
  // Not its last use, which is written behind the calls.
  api_keys: 'insert or delete or update of revoked_at, permissions, name, expires_at, hash',
  // Not that a run is over: its result says so.
  debit_runs: 'insert or delete or update of submit_on, run_on, amount, file_id, charged',
  // Not how many of its lines are booked.
  rail_files: 'insert or delete or update of state, summary',
  // Not that it is over: its request says so.
  static_transactions: 'insert or delete',
  // Not that it became available: the journal of its release says so.
  results: 'insert or delete or update of amount, net_fee, paid_at',
  // Not when somebody looks at it again.
  service_keys: 'insert or delete or update of ciphertext, retired_at',
};

let service: TestService;
let player: Player;
let superuser: Sql;
let folder: string;

const run = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await recaudo(args, { DATABASE_URL: service.databaseUrl });
  expect([code, stderr.replace(/^the secret before.*\n/, '')], args.join(' ')).toEqual([0, '']);
  return stdout.trim();
};
const called = async (method: string, route: string, body?: unknown): Promise<Answer['body']> => {
  const answer = await service.call(method, route, body === undefined ? {} : { body });
  expect(answer.status, `${method} ${route} ${answer.text}`).toBeLessThan(300);
  return answer.body;
};
const ofAccount = ['--account', testAccount];
const file = async (name: string, text: string): Promise<string> => {
  const target = path.join(folder, name);
  await writeFile(target, text);
  return target;
};
const cbuOf = '2850590940090418135201';
const lostMoney = async (ref: string): Promise<string> => {
  const { base, clocks } = service.service.parts;
  await suspend(base)([
    {
      reason: 'unreadable_code',
      channel: 'non_banking',
      label: 'Rapipago',
      code: '?',
      amount: centavos(500),
      paidAt: clocks.business.now(),
      source: 'test',
      sourceRef: ref,
    },
  ]);
  const [row] = await service.sql<{ id: number }[]>`
    select id from suspense where source_ref = ${ref}`;
  return String(row?.id);
};
const paid = async (channel?: string): Promise<number> => {
  const id = await player.create();
  await player.pay(id, channel === undefined ? {} : { channel });
  return id;
};
const qr = async (id: string): Promise<string> => {
  await called('POST', '/save-qr-data', batchOf([itemOf(service, id)]));
  return full(id);
};
const unsigned = async (): Promise<number> =>
  (await called('POST', '/adhesion', adhesionBody({ email: 'ana+nosign@example.com' }))).id;
const webhook = async (): Promise<number> =>
  (
    await called('POST', '/webhook', {
      webhook: { url: 'http://127.0.0.1:9/x', event_types: ['payment_request.paid'] },
    })
  ).id;
const cardMandate = async (): Promise<number> =>
  (await called('POST', '/card-adhesion', cardAdhesionBody())).id;
const payout = async (ref: string): Promise<void> => {
  await run(
    'ledger',
    'correct',
    ...ofAccount,
    '--amount',
    '500',
    '--reference',
    ref,
    '--note',
    'n',
  );
};

/** A refund of cash, which waits for the operator's transfer. */
const byTransfer = async (): Promise<string> => {
  const id = await player.create();
  await player.pay(id, { channel: 'non_banking' });
  const refund = { cbu: cbuOf };
  return String((await called('POST', `/payment-request/${id}/refund`, { refund })).id);
};

/** What each writing call does once; it leaves at least one event. */
const calls: Record<string, () => Promise<unknown>> = {
  'POST /payment-request': () => player.create(),
  'POST /adhesion': unsigned,
  'PUT /adhesion/{id}/cancel': async () => called('PUT', `/adhesion/${await unsigned()}/cancel`),
  'POST /card-adhesion': cardMandate,
  'PUT /card-adhesion/{id}/cancel': async () =>
    called('PUT', `/card-adhesion/${await cardMandate()}/cancel`),
  'POST /debit-request': async () => createDebit(service, await signedAdhesion(service)),
  'PUT /debit-request/{id}/cancel': async () => {
    const { id } = (await createDebit(service, await signedAdhesion(service))).body;
    return called('PUT', `/debit-request/${id}/cancel`);
  },
  'POST /card-debit-request': async () => createCardDebit(service, await cardMandate()),
  'PUT /card-debit-request/{id}/cancel': async () => {
    const { id } = (await createCardDebit(service, await cardMandate())).body;
    return called('PUT', `/card-debit-request/${id}/cancel`);
  },
  'POST /webhook': webhook,
  'DELETE /webhook/{id}': async () => called('DELETE', `/webhook/${await webhook()}`),
  'POST /webhook/{id}/rotate-secret': async () =>
    called('POST', `/webhook/${await webhook()}/rotate-secret`),
  'POST /sandbox/pay/{request_id}': () => paid(),
  'POST /sandbox/chargeback/{request_id}': async () => player.chargeback(await paid()),
  'POST /sandbox/refund/{request_id}': async () => player.refund(await paid()),
  'POST /payment-request/{id}/refund': async () =>
    called('POST', `/payment-request/${await paid('credit_card')}/refund`, { refund: {} }),
  'POST /refund-qr/{qr_id}': async () => {
    const id = await qr('back');
    await called('POST', `/pay-qr/${id}`);
    return called('POST', `/refund-qr/${id}`, { refund: {} });
  },
  'POST /sandbox/clock': () => player.move({ days: 20 }),
  'POST /save-qr-data': () => qr('saved'),
  'POST /edit-qr/{qr_id}': async () =>
    called('POST', `/edit-qr/${await qr('edited')}`, { first_total: 99 }),
  'POST /batch-edit-qr': async () => {
    await qr('edited2');
    return called('POST', '/batch-edit-qr', batchOf([{ id: 'edited2', first_total: 98 }]));
  },
  'DELETE /delete-qr/{qr_id}': async () => called('DELETE', `/delete-qr/${await qr('gone')}`),
  'DELETE /batch-delete-qr': async () =>
    called('DELETE', '/batch-delete-qr', batchOf([await qr('gone2')])),
  'POST /pay-qr/{qr_id}': async () => called('POST', `/pay-qr/${await qr('paid')}`),
  'POST /create-qr': () => wallsOf(service).create({ id: 'WALL' }),
  'PUT /new-transaction': async () => {
    const walls = wallsOf(service);
    return walls.asked((await walls.create({ id: 'ASKED' })).qr_string);
  },
  'POST /pay-qr-static/{qr_id}': async () => {
    const walls = wallsOf(service);
    const { body, status } = await walls.pay(
      await walls.asked((await walls.create({ id: 'PAID' })).qr_string),
    );
    expect(status).toBeLessThan(300);
    return body;
  },
};

/** Calls that change no fact, or that others stand for, and why. */
const quietCalls: Record<string, string> = {
  'POST /debit-request/{id}/refund': 'the same verb as for a payment request: test/money/refunds',
  'POST /card-debit-request/{id}/refund': 'the same',
  'POST /validator/next-business-day': 'reads',
  'POST /event/{id}/resend': 'queues a delivery, which is kept itself',
};

let suspended = '';

/** What each writing command does once; it leaves at least one event by an operator. */
const commands: Record<string, () => Promise<unknown>> = {
  'accounts create': () => run('accounts', 'create', '--name', 'X', '--cuit', '30999999995'),
  'accounts set': () => run('accounts', 'set', testAccount, '--cbu', cbuOf),
  'accounts rename': () => run('accounts', 'rename', testAccount, 'Otro nombre'),
  'accounts suspend': () => run('accounts', 'suspend', suspended, '--reason', 'r'),
  'accounts reopen': () => run('accounts', 'reopen', suspended, '--reason', 'r'),
  'accounts close': () => run('accounts', 'close', suspended, '--reason', 'r'),
  'keys create': () => run('keys', 'create', ...ofAccount),
  'keys revoke': async () => {
    await run('keys', 'create', ...ofAccount, '--name', 'gone');
    const [key] = await service.sql<{ id: number }[]>`
      select id from api_keys where name = 'gone'`;
    return run('keys', 'revoke', ...ofAccount, String(key?.id));
  },
  'calendar add': () => run('calendar', 'add', dayIn(service, 200)),
  'calendar remove': () => run('calendar', 'remove', dayIn(service, 200)),
  'fees set': () =>
    run(
      'fees',
      'set',
      ...ofAccount,
      '--channel',
      'qr',
      '--percentage',
      '1',
      '--days',
      '2',
      '--from',
      dayIn(service, 5),
    ),
  'fees end': () =>
    run('fees', 'end', ...ofAccount, '--channel', 'qr', '--from', dayIn(service, 9)),
  'plans set': () => run('plans', 'set', testAccount, 'visa', '1'),
  'register import': async () =>
    run(
      'register',
      'import',
      await file(
        'register.csv',
        'cuit,regime,jurisdiction,rate,valid_from,valid_to\n30999999995,SIRTAC,Chaco,1.5,01-01-2020,\n',
      ),
    ),
  'collections refund': async () =>
    run(
      'collections',
      'refund',
      ...ofAccount,
      '--request',
      String(await paid()),
      '--reference',
      'r1',
      '--reason',
      'r',
    ),
  'collections chargeback': async () =>
    run(
      'collections',
      'chargeback',
      ...ofAccount,
      '--request',
      String(await paid()),
      '--reference',
      'c1',
      '--reason',
      'r',
    ),
  'refunds done': async () =>
    run('refunds', 'done', ...ofAccount, await byTransfer(), '--reference', 't1'),
  'refunds fail': async () =>
    run('refunds', 'fail', ...ofAccount, await byTransfer(), '--reason', 'r'),
  'ledger correct': () => payout('k1'),
  'payouts create': async () => {
    await payout('k2');
    return run('payouts', 'create', ...ofAccount, '--amount', '10', '--reference', 'p1');
  },
  'payouts run': () => run('payouts', 'run', '--reference', 'p2', '--out', folder),
  'payouts return': async () => {
    const [row] = await service.sql<{ id: number }[]>`
      select id from payouts where account_id = ${testAccount} order by id limit 1`;
    return run('payouts', 'return', ...ofAccount, String(row?.id), '--reason', 'closed');
  },
  'suspense assign': async () => {
    const request = String(await player.create());
    return run(
      'suspense',
      'assign',
      await lostMoney('a'),
      ...ofAccount,
      '--request',
      request,
      '--reason',
      'n',
    );
  },
  'suspense return': async () => run('suspense', 'return', await lostMoney('b'), '--reason', 'n'),
  'webhooks rotate-secret': async () =>
    run('webhooks', 'rotate-secret', ...ofAccount, String(await webhook())),
  'rails export': async () => {
    await player.create();
    return run('rails', 'export', 'pmc', '--out', folder);
  },
  'rails shred': async () => {
    const [row] = await service.sql<{ name: string }[]>`
      select name from rail_files where direction = 'out' order by id desc limit 1`;
    return run('rails', 'shred', path.join(folder, row?.name ?? ''));
  },
  'vault rewrap': async () => {
    await cardMandate();
    const keys = `next:${Buffer.alloc(32, 9).toString('base64')}`;
    const { testVaultKeys } = await import('../harness/keys.ts');
    const env = { DATABASE_URL: service.databaseUrl, VAULT_KEYS: `${keys},${testVaultKeys}` };
    expect(await recaudo(['vault', 'rewrap'], env)).toMatchObject({ code: 0 });
    const back = { ...env, VAULT_KEYS: `${testVaultKeys},${keys}` };
    expect(await recaudo(['vault', 'rewrap'], back)).toMatchObject({ code: 0 });
  },
  'secrets rotate': () => run('secrets', 'rotate', 'links'),
  'signing resend': async () => run('signing', 'resend', ...ofAccount, String(await unsigned())),
  'signing new-link': async () =>
    run('signing', 'new-link', ...ofAccount, String(await unsigned())),
  'cards import': async () =>
    run('cards', 'import', await file('bins.csv', 'prefix,kind\n400000,debit\n')),
  'cards erase': async () => {
    const id = await cardMandate();
    await called('PUT', `/card-adhesion/${id}/cancel`);
    return run('cards', 'erase', ...ofAccount, String(id));
  },
  'qr import': async () =>
    run(
      'qr',
      'import',
      ...ofAccount,
      await file('qrs.json', JSON.stringify(batchOf([itemOf(service, 'by-file')]))),
    ),
  'connectors resume': async () => {
    await superuser`
      insert into connector_alarms (connector, kind, message, first_at, last_at)
      values ('bank', 'lost', 'm', '2026-01-01', '2026-01-01')`;
    return run('connectors', 'resume', 'bank');
  },
  'mails resend': async () => {
    await superuser`update mails set state = 'failed'`;
    return run('mails', 'resend', '--all');
  },
};

/** Commands that change nothing of this kind, and why. */
const quietCommands: Record<string, string> = {
  serve: 'what it does is done by its parts',
  'connector payway': 'a program of its own, without the database',
  'connector bank': 'a program of its own, without the database',
  'connector template': 'a program of its own, without the database',
  'connectors reconcile': 'needs CONNECTORS; its event is tested in test/connectors/reconcile',
  'connectors configure': 'needs CONNECTORS; writes like `accounts set`, by the same event',
  migrate: 'the list of migrations is its record',
  'webhooks resend': 'queues a delivery, which is kept itself',
  'rails import': 'tested with files of each network: test/rails',
  'rails reject': 'tested with a debit that no file takes: test/rails',
  ...Object.fromEntries(
    [
      'accounts list',
      'accounts show',
      'keys list',
      'calendar list',
      'fees list',
      'plans list',
      'payouts list',
      'suspense list',
      'rails list',
      'rails show',
      'rails waiting',
      'ledger corrections',
      'webhooks list',
      'webhooks deliveries',
      'webhooks listen',
      'audit',
      'events list',
      'secrets list',
      'cards list',
      'qr export',
      'requests show',
      'requests find',
      'debits show',
      'debits find',
      'mandates find',
      'mandates show',
      'payers find',
      'balances',
      'mails list',
      'refunds list',
      'connectors alarms',
      'connectors status',
      'connectors test',
      'doctor',
      'version',
    ].map((name) => [name, 'reads']),
  ),
};

interface Told {
  relation: string;
}

/** Tables that were changed by transactions without an event, and how many events came. */
async function watch(act: () => Promise<unknown>) {
  await superuser`truncate told`;
  await act();
  const untold = await superuser<Told[]>`
    select distinct relation from told t
    where not exists (select from events e where e.xid = t.xid)
      and not exists (select from operator_events e where e.xid = t.xid)
      and not exists (select from told j where j.xid = t.xid and j.relation = 'journals')
      and relation <> all(${Object.keys(silent)}::text[])
    order by 1`;
  const events = await superuser<{ actor: string }[]>`
    select actor from events where xid in (select xid from told)
    union all select actor from operator_events where xid in (select xid from told)`;
  return { untold: untold.map(({ relation }) => relation), actors: events.map((one) => one.actor) };
}

beforeAll(async () => {
  service = await startService({ ROLES: 'payments,qr,web' });
  player = playerOf(service);
  folder = await mkdtemp(path.join(tmpdir(), 'every-write-'));
  const url = new URL(inject('superuserUrl'));
  url.pathname = new URL(service.databaseUrl).pathname;
  superuser = connect(url.href, { max: 2, applicationName: 'watch' });
  await superuser.unsafe(`
    create table told (xid bigint, relation text);
    create function tell() returns trigger language plpgsql security definer as $$
    begin
      insert into public.told values (pg_current_xact_id()::text::bigint, tg_table_name);
      return null;
    end $$`);
  const tables = await superuser<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and relname not in ('told', 'migrations')`;
  for (const { name } of tables) {
    const when = facts[name] ?? 'insert or update or delete';
    await superuser.unsafe(
      `create trigger told after ${when} on ${name} for each row execute function tell()`,
    );
  }
  suspended = await run('accounts', 'create', '--name', 'Z', '--cuit', '30999999995');
});
afterAll(async () => {
  await superuser.end();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

test('each writing call of the APIs is known here, and so is each command', async () => {
  const document = (await service.call('GET', '/openapi.json', { key: null })).body;
  const routes = Object.entries<Record<string, unknown>>(document.paths).flatMap(([route, item]) =>
    Object.keys(item)
      .filter((method) => method !== 'get')
      .map((method) => `${method.toUpperCase()} ${route}`),
  );
  expect([...Object.keys(calls), ...Object.keys(quietCalls)].sort()).toEqual(routes.sort());
  type Node = ReturnType<typeof leavesOf>[number];
  const nameOf = (command: Node): string =>
    command.parent?.parent ? `${nameOf(command.parent)} ${command.name()}` : command.name();
  const leaves = leavesOf(await commandTree()).map(nameOf);
  expect([...Object.keys(commands), ...Object.keys(quietCommands)].sort()).toEqual(leaves.sort());
});

test.each(Object.entries(calls))(
  '%s leaves an event in each transaction, by who called',
  async (_, act) => {
    const { untold, actors } = await watch(act);
    expect(untold).toEqual([]);
    expect(actors.map((text) => readActor(text).kind)).toContain('key');
  },
);

test.each(Object.entries(commands))(
  '%s leaves an event in each transaction, by its operator',
  async (_, act) => {
    const { untold, actors } = await watch(act);
    expect(untold).toEqual([]);
    const kinds = actors.map((text) => readActor(text).kind);
    expect(kinds).toContain('operator');
  },
);

test('what banks and time do leaves events too', async () => {
  const { untold, actors } = await watch(async () => {
    await createDebit(service, await signedAdhesion(service));
    await called('GET', '/card-adhesion/public-key');
    await player.move({ days: 60 });
  });
  expect(untold).toEqual([]);
  expect(actors.map((text) => readActor(text).kind)).toContain('system');
});
