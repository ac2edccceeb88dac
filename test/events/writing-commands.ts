import path from 'node:path';
import { expect } from 'vitest';
import { keepLetter } from '../../src/connectors/http.ts';
import { raiseMoneyAlarm } from '../../src/money/alarms/index.ts';
import { recaudo } from '../cli/run.ts';
import { testOperator } from '../harness/actors.ts';
import { adhesionBody } from '../harness/builders/mandates.ts';
import { batchOf, itemOf } from '../harness/builders/qrs.ts';
import { signIn } from '../harness/portal.ts';
import { testAccount } from '../harness/service.ts';
import { dayIn } from '../scenarios/play.ts';

import { cbuOf, type Desk, ofAccount } from './desk.ts';

/** Runs each writing command once; it leaves at least one event by an operator. */
export const commands: Record<string, (desk: Desk) => Promise<unknown>> = {
  'accounts create': ({ run }) => run('accounts', 'create', '--name', 'X', '--cuit', '30999999995'),
  'accounts set': ({ run }) => run('accounts', 'set', testAccount, '--cbu', cbuOf),
  'accounts rename': ({ run }) => run('accounts', 'rename', testAccount, 'Otro nombre'),
  'accounts suspend': ({ run, suspended }) =>
    run('accounts', 'suspend', suspended, '--reason', 'r'),
  'accounts reopen': ({ run, suspended }) => run('accounts', 'reopen', suspended, '--reason', 'r'),
  'accounts close': ({ run, suspended }) => run('accounts', 'close', suspended, '--reason', 'r'),
  'payers erase': async ({ service, run }) => {
    const person = { cbu_holder_id_number: 27_055_361_687, email: 'erased@example.com' };
    const { adhesion } = adhesionBody(person);
    const { body } = await service.call('POST', '/adhesion', { body: { adhesion } });
    await service.call('PUT', `/adhesion/${body.id}/cancel`);
    return run('payers', 'erase', '--cuit', '27055361687', '--reason', 'EX-1');
  },
  'keys create': ({ run }) => run('keys', 'create', ...ofAccount),
  'keys revoke': async ({ service, run }) => {
    await run('keys', 'create', ...ofAccount, '--name', 'gone');
    const [key] = await service.sql<{ id: number }[]>`
      select id from api_keys where name = 'gone'`;
    return run('keys', 'revoke', ...ofAccount, String(key?.id));
  },
  'users create': ({ run }) =>
    run('users', 'create', 'op@example.com', '--name', 'Op', '--role', 'operator'),
  'users invite': ({ run }) =>
    run('users', 'invite', 'eva@example.com', '--name', 'Eva', ...ofAccount, '--role', 'treasury'),
  'users role': ({ run }) =>
    run('users', 'role', 'eva@example.com', ...ofAccount, '--role', 'collections'),
  'users remove': ({ run }) => run('users', 'remove', 'eva@example.com', ...ofAccount),
  'users release': async ({ run, service }) => {
    const email = 'demo@recaudo.example';
    const browser = { address: '203.0.113.1', userAgent: '' };
    const tried = { email, password: 'x', browser, network: '203.0.113.1' };
    await service.service.parts.users.signIn(tried);
    return await run('users', 'release', email);
  },
  'users sign-out': async ({ run, service }) => {
    const { email } = await signIn(service, 'owner');
    return await run('users', 'sign-out', email);
  },
  'users service-role': ({ run }) =>
    run('users', 'service-role', 'eva@example.com', '--role', 'operator_read_only'),
  'users reset': ({ run }) => run('users', 'reset', 'demo@recaudo.example'),
  'users remove-factor': async ({ run, service }) => {
    const { users } = service.service.parts;
    const user = await users.find('demo@recaudo.example');
    if (!user) throw new Error('no demo user');
    await users.beginFactor(testOperator, user);
    return await run('users', 'remove-factor', user.email);
  },
  'users suspend': ({ run }) => run('users', 'suspend', 'operador@recaudo.example'),
  'users reopen': ({ run }) => run('users', 'reopen', 'operador@recaudo.example'),
  'calendar add': ({ service, run }) => run('calendar', 'add', dayIn(service, 200)),
  'calendar remove': ({ service, run }) => run('calendar', 'remove', dayIn(service, 200)),
  'fees set': ({ service, run }) =>
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
  'fees end': ({ service, run }) =>
    run('fees', 'end', ...ofAccount, '--channel', 'qr', '--from', dayIn(service, 9)),
  'plans set': ({ run }) => run('plans', 'set', testAccount, 'visa', '1'),
  'register import': async ({ run, file }) =>
    run(
      'register',
      'import',
      await file(
        'register.csv',
        'cuit,regime,jurisdiction,rate,valid_from,valid_to\n30999999995,SIRTAC,Chaco,1.5,01-01-2020,\n',
      ),
    ),
  'collections refund': async ({ run, paid }) =>
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
  'collections chargeback': async ({ run, paid }) =>
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
  'refunds done': async ({ run, byTransfer }) =>
    run('refunds', 'done', ...ofAccount, await byTransfer(), '--reference', 't1'),
  'refunds fail': async ({ run, byTransfer }) =>
    run('refunds', 'fail', ...ofAccount, await byTransfer(), '--reason', 'r'),
  'ledger correct': ({ payout }) => payout('k1'),
  'payouts create': async ({ run, payout }) => {
    await payout('k2');
    return run('payouts', 'create', ...ofAccount, '--amount', '10', '--reference', 'p1');
  },
  'payouts run': ({ folder, run }) => run('payouts', 'run', '--reference', 'p2', '--out', folder),
  'payouts return': async ({ service, run }) => {
    const [row] = await service.sql<{ id: number }[]>`
      select id from payouts where account_id = ${testAccount} order by id limit 1`;
    return run('payouts', 'return', ...ofAccount, String(row?.id), '--reason', 'closed');
  },
  'suspense assign': async ({ player, run, lostMoney }) => {
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
  'suspense return': async ({ run, lostMoney }) =>
    run('suspense', 'return', await lostMoney('b'), '--reason', 'n'),
  'alarms close': async ({ service, run }) => {
    await raiseMoneyAlarm(service.service.parts.base, { kind: 'amount', fact: 'x', message: 'x' });
    const [row] = await service.sql<{ id: number }[]>`select id from money_alarms`;
    return run('alarms', 'close', String(row?.id), '--reason', 'n');
  },
  'webhooks rotate-secret': async ({ run, webhook }) =>
    run('webhooks', 'rotate-secret', ...ofAccount, String(await webhook())),
  'rails export': async ({ player, folder, run }) => {
    await player.create();
    return run('rails', 'export', 'pmc', '--out', folder);
  },
  'rails shred': async ({ service, folder, run }) => {
    const [row] = await service.sql<{ name: string }[]>`
      select name from rail_files where direction = 'out' order by id desc limit 1`;
    return run('rails', 'shred', path.join(folder, row?.name ?? ''));
  },
  'vault rewrap': async ({ service, cardMandate }) => {
    await cardMandate();
    const keys = `next:${Buffer.alloc(32, 9).toString('base64')}`;
    const { testVaultKeys } = await import('../harness/keys.ts');
    const env = { DATABASE_URL: service.databaseUrl, VAULT_KEYS: `${keys},${testVaultKeys}` };
    expect(await recaudo(['vault', 'rewrap'], env)).toMatchObject({ code: 0 });
    const back = { ...env, VAULT_KEYS: `${testVaultKeys},${keys}` };
    expect(await recaudo(['vault', 'rewrap'], back)).toMatchObject({ code: 0 });
  },
  'secrets rotate': ({ run }) => run('secrets', 'rotate', 'links'),
  'signing resend': async ({ run, unsigned }) =>
    run('signing', 'resend', ...ofAccount, String(await unsigned())),
  'signing new-link': async ({ run, unsigned }) =>
    run('signing', 'new-link', ...ofAccount, String(await unsigned())),
  'cards import': async ({ run, file }) =>
    run('cards', 'import', await file('bins.csv', 'prefix,kind\n400000,debit\n')),
  'cards erase': async ({ run, called, cardMandate }) => {
    const id = await cardMandate();
    await called('PUT', `/card-adhesion/${id}/cancel`);
    return run('cards', 'erase', ...ofAccount, String(id));
  },
  'qr import': async ({ service, run, file }) =>
    run(
      'qr',
      'import',
      ...ofAccount,
      await file('qrs.json', JSON.stringify(batchOf([itemOf(service, 'by-file')]))),
    ),
  'migrate-in': async ({ run, file, service }) => {
    const request = {
      ...{ id: 1, type: 'payment_request', state: 'pending', payer_name: 'Ana' },
      ...{ description: 'Cuota', first_due_date: dayIn(service, 9), first_total: 10 },
    };
    return run(
      'migrate-in',
      ...ofAccount,
      '--confirm',
      await file('moved.json', JSON.stringify([request])),
    );
  },
  'imports upload': ({ spreadsheet }) => spreadsheet('uploaded'),
  'imports read': async ({ run, spreadsheet }) => {
    const id = await spreadsheet('read again');
    return run('imports', 'read', ...ofAccount, id, '--headings', '1');
  },
  'imports match': async ({ run, spreadsheet }) => {
    const id = await spreadsheet('matched');
    return run('imports', 'match', ...ofAccount, id, '--column', 'external_reference=');
  },
  'imports confirm': async ({ run, spreadsheet }) =>
    run('imports', 'confirm', ...ofAccount, await spreadsheet('confirmed')),
  'imports discard': async ({ run, spreadsheet }) =>
    run('imports', 'discard', ...ofAccount, await spreadsheet('discarded')),
  'imports undo': async ({ run, spreadsheet }) => {
    const id = await spreadsheet('undone');
    await run('imports', 'confirm', ...ofAccount, id);
    return run('imports', 'undo', ...ofAccount, id);
  },
  'connectors resume': async ({ superuser, run }) => {
    await superuser`
      insert into connector_alarms (connector, kind, message, first_at, last_at)
      values ('bank', 'lost', 'm', '2026-01-01', '2026-01-01')`;
    return run('connectors', 'resume', 'bank');
  },
  'connectors discard': async ({ service, run }) => {
    await keepLetter(service.service.parts.base, 'bank', { type: 'later' });
    const [letter] = await service.sql<{ id: number }[]>`select id from connector_letters`;
    return run('connectors', 'discard', String(letter?.id), '--reason', 'known');
  },
  'mails bounces': async ({ run, file, superuser }) => {
    const mail = { account: testAccount, id: 4711 };
    await superuser`
      insert into mails (account_id, id, recipient, subject, body, state, attempts, next_at)
      values (${mail.account}, ${mail.id}, 'b@example.com', 'x', 'x', 'sent', 1, '2020-01-01')`;
    await superuser`
      insert into payer_mails (account_id, request_id, kind, no, copy, state, at, mail_id)
      values (${mail.account}, 1, 'request', 0, 0, 'queued', '2020-01-01', ${mail.id})`;
    const text = `Content-Type: multipart/report; report-type=delivery-status; boundary=B\n\n--B\nContent-Type: message/delivery-status\n\nFinal-Recipient: rfc822; b@example.com\nAction: failed\nStatus: 5.1.1\n\n--B\nContent-Type: text/rfc822-headers\n\nMessage-ID: <${mail.account}.${mail.id}@x>\n--B--\n`;
    return run('mails', 'bounces', await file('bounces.eml', text));
  },
  'mails resend': async ({ superuser, run }) => {
    await superuser`update mails set state = 'failed'`;
    return run('mails', 'resend', '--all');
  },
};

/** Commands that change nothing of this kind, and why. */
export const quietCommands: Record<string, string> = {
  serve: 'what it does is done by its parts',
  mcp: 'calls the API, whose calls leave their events',
  'connector payway': 'a program of its own, without the database',
  'connector bank': 'a program of its own, without the database',
  'connector template': 'a program of its own, without the database',
  'connectors reconcile': 'needs CONNECTORS; its event is tested in test/connectors/reconcile',
  'connectors replay': 'needs CONNECTORS; its event is tested in test/connectors/letters',
  'connectors configure': 'needs CONNECTORS; writes like `accounts set`, by the same event',
  'payouts approve': 'needs two operators; its events are tested in test/cli/proposals',
  'payouts reject': 'the same',
  'ledger approve': 'the same',
  'ledger reject': 'the same',
  'accounts approve-look': 'needs what waits; its events are tested in test/portal/looks-approved',
  'accounts reject-look': 'the same',
  migrate: 'the list of migrations is its record',
  'backup create': 'writes to the store of backups; its row of sweep_runs is written over',
  'backup run': 'the same',
  'backup drill': 'the same',
  restore: 'makes another database',
  distribute: 'moves rows to other servers, and changes none',
  'webhooks resend': 'queues a delivery, which is kept itself',
  'rails import': 'tested with files of each network: test/rails',
  'rails reject': 'tested with a debit that no file takes: test/rails',
  ...Object.fromEntries(
    [
      'accounts list',
      'accounts show',
      'accounts looks',
      'keys list',
      'calendar list',
      'fees list',
      'plans list',
      'payouts list',
      'payouts proposals',
      'ledger proposals',
      'suspense list',
      'alarms list',
      'disputes list',
      'settlements list',
      'settlements lines',
      'settlements owed',
      'imports list',
      'imports show',
      'imports result',
      'users list',
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
      'explain',
      'init',
      'requests show',
      'requests find',
      'debits show',
      'debits find',
      'mandates find',
      'mandates show',
      'payers find',
      'payers export',
      'balances',
      'backup list',
      'mails list',
      'refunds list',
      'connectors alarms',
      'connectors holds',
      'connectors letters',
      'connectors status',
      'connectors test',
      'doctor',
      'estimate',
      'version',
    ].map((name) => [name, 'reads']),
  ),
};
