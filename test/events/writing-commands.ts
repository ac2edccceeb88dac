import path from 'node:path';
import { expect } from 'vitest';
import { recaudo } from '../cli/run.ts';
import { adhesionBody } from '../harness/builders/mandates.ts';
import { batchOf, itemOf } from '../harness/builders/qrs.ts';
import { dayIn } from '../scenarios/play.ts';

import { type Desk, ofAccount } from './desk.ts';

/**
 * Runs each writing command once; it leaves at least one event by an operator. Fixtures in
 * test/operations run those of declared operations.
 */
export const commands: Record<string, (desk: Desk) => Promise<unknown>> = {
  'payers erase': async ({ service, run }) => {
    const person = { cbu_holder_id_number: 27_055_361_687, email: 'erased@example.com' };
    const { adhesion } = adhesionBody(person);
    const { body } = await service.call('POST', '/adhesion', { body: { adhesion } });
    await service.call('PUT', `/adhesion/${body.id}/cancel`);
    return run('payers', 'erase', '--cuit', '27055361687', '--reason', 'EX-1');
  },
  'calendar add': ({ service, run }) => run('calendar', 'add', dayIn(service, 200)),
  'calendar remove': ({ service, run }) => run('calendar', 'remove', dayIn(service, 200)),
  'register import': async ({ run, file }) =>
    run(
      'register',
      'import',
      await file(
        'register.csv',
        'cuit,regime,jurisdiction,rate,valid_from,valid_to\n30999999995,SIRTAC,Chaco,1.5,01-01-2020,\n',
      ),
    ),
  'payouts run': ({ folder, run }) => run('payouts', 'run', '--reference', 'p2', '--out', folder),
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
};

/** Commands not run here, with the reason: they change no fact, or another test covers them. */
export const quietCommands: Record<string, string> = {
  serve: 'what it does is done by its parts',
  mcp: 'calls the API, whose calls leave their events',
  'connector payway': 'a program of its own, without the database',
  'connector bank': 'a program of its own, without the database',
  'connector template': 'a program of its own, without the database',
  'connectors reconcile': 'needs CONNECTORS; its event is tested in test/connectors/reconcile',
  migrate: 'the list of migrations is its record',
  'backup create': 'writes to the store of backups; its row of sweep_runs is written over',
  'backup run': 'the same',
  'backup drill': 'the same',
  restore: 'makes another database',
  distribute: 'moves rows to other servers, and changes none',
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
