import { createReadStream } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { createBase } from '../../src/composition/base.ts';
import { createDebitBooks as debitBooksOn } from '../../src/composition/debits.ts';
import { readConfig } from '../../src/config/index.ts';
import { dayOf } from '../../src/kernel/dates.ts';
import { wallClock } from '../../src/platform/clocks.ts';
import { createLog } from '../../src/platform/log.ts';
import { connect, type Sql } from '../../src/platform/postgres/connect.ts';
import { createVault } from '../../src/platform/vault.ts';
import type { DebitBooks, DebitRailTerms } from '../../src/rails/index.ts';
import type { Lab } from './lab.ts';
import { accountId } from './rows.ts';
import { reserveIds } from './store.ts';

export const today = (): Temporal.PlainDate => dayOf(wallClock.now());

export const railTerms = (): DebitRailTerms => ({
  directDebitService: '0515',
  macroAgreement: '00515',
  macroService: '',
  visaEstablishment: '0000000515',
  visaDebitEstablishment: '0000000515',
  mastercardEstablishment: '0000000515',
  visaDebitPrefixes: ['451772'],
  exchangeBrands: [],
  today: today(),
});

/** Builds the tools of the operator's commands in this process. */
export async function createDebitBooks(lab: Lab): Promise<DebitBooks> {
  const sql = connect(lab.url, { max: 6, applicationName: 'recaudo bench debits' });
  lab.cleanup.defer(() => sql.end({ timeout: 5 }));
  const { base } = await createBase(sql, createLog('silent'));
  const vault = createVault([{ id: 'bench', key: Buffer.alloc(32) }]);
  return debitBooksOn(base, vault, readConfig({ DATABASE_URL: lab.url }));
}

/** Stores debits submitted today, each on its own mandate. */
export async function fillDebits(sql: Sql, count: number): Promise<{ first: number }> {
  const first = await reserveIds(sql, 'request_ids', count);
  const events = await reserveIds(sql, 'record_ids', 2 * count);
  const day = today();
  await sql`
    insert into mandates (account_id, kind, id, state, version, created_at, sign_before, holder,
      email, description, payer, cbu, details, place)
    select ${accountId}, 'adhesion', ${first}::bigint + no, 'signed', 2, ${day}::date, ${day}::date,
      'Ana Pérez', 'ana@example.com', 'Cuota social', 'Ana Pérez', '0110599500000123456784',
      '{"short_description":"Cuota","holder_id_number":"20055361682"}', 0
    from generate_series(0, ${count - 1}::bigint) as no`;
  await sql`
    with created as (
      insert into requests (account_id, id, kind, state, version, created_at, reference, payer,
        description, due1, total1, last_due, mandate_id, details, place)
      select ${accountId}, ${first}::bigint + no, 'debit_request', 'in_process', 2, ${day}::date,
        'contract-' || no, 'Ana Pérez', 'Cuota de diciembre', ${day}::date + 2, 143050,
        ${day}::date + 2, ${first}::bigint + no, '{}', 0
      from generate_series(0, ${count - 1}::bigint) as no
      returning account_id, id, kind, state, last_due, place
    )
    insert into request_states (account_id, id, kind, state, last_due, place) select * from created`;
  await sql`
    insert into debit_runs (account_id, request_id, no, kind, submit_on, run_on, amount, state)
    select ${accountId}, ${first}::bigint + no, 1, 'debit_request', ${day}::date, ${day}::date + 2,
      143050, 'submitted'
    from generate_series(0, ${count - 1}::bigint) as no`;
  await sql`
    insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
    select ${accountId}, 'debit_request', ${first}::bigint + no, version,
      ${events}::bigint + 2 * no + version - 1, 'debit_request.submitted', ${day}::date, 'bench',
      '{}'
    from generate_series(0, ${count - 1}::bigint) as no, generate_series(1, 2) as version`;
  await sql`vacuum analyze mandates, requests, request_states, debit_runs, events, results, journals`;
  return { first };
}

/** Writes a bank's answer that executed all orders of a file, except every twentieth. */
export async function answerTo(orders: string, target: string): Promise<void> {
  const lines: string[] = [];
  const reader = createInterface({ input: createReadStream(orders, 'latin1') });
  for await (const line of reader) {
    if (!line.startsWith('0370')) {
      lines.push(line.replace('EMPRESA', 'BANCO  '));
      continue;
    }
    const rejected = lines.length % 20 === 0;
    const type = rejected ? '0360' : '0370';
    lines.push(`${type}${line.slice(4, 134)}${rejected ? 'R08' : '   '}${line.slice(137)}`);
  }
  await writeFile(target, lines.map((line) => `${line}\r\n`).join(''), 'latin1');
}
