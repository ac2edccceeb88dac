import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAccounts } from '../../src/accounts/index.ts';
import { auditAccount } from '../../src/audit/index.ts';
import { createLog } from '../../src/platform/log.ts';
import type { Sql } from '../../src/platform/postgres/connect.ts';
import { recaudo } from '../cli/run.ts';
import { anotherAccount } from '../harness/builders/accounts.ts';
import { advance, inDays } from '../harness/builders/clock.ts';
import { createDebit } from '../harness/builders/debits.ts';
import { adhesionBody, cbuEndingIn } from '../harness/builders/mandates.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { connectSuperuser } from '../harness/database.ts';
import { sealEvents } from '../harness/sealed.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { openTamperer } from '../harness/tamper.ts';
import { openDesk } from '../imports/desk.ts';

const cuit = '23314445554';
const name = 'Zoraida Quintriqueo';
const email = 'zoraida@example.com';
const cbu = cbuEndingIn('7391', 77);
const lines: string[] = [];
const log = createLog('debug', { write: (line: string) => void lines.push(line) });

let service: TestService;
let superuser: Sql;
beforeAll(async () => {
  service = await startService({ ROLES: 'payments,worker' }, log);
  superuser = connectSuperuser(service.databaseUrl);
});
afterAll(async () => {
  await superuser.end();
  await service.stop();
});

const payers = (...args: string[]) =>
  recaudo(['payers', ...args], { DATABASE_URL: service.databaseUrl });
const erase = (...args: string[]) => payers('erase', '--reason', 'EX-2026-114', '--json', ...args);

/** Returns the audit's findings for an account, with the keys of its seals. */
const faults = async (accountId = testAccount): Promise<string[]> => {
  const { keys } = service.service.parts.sealer;
  return (await auditAccount(superuser, accountId, { keys })).map(({ what }) => what);
};

/** Returns every row of every table, and the content of uploaded files as text. */
async function dump(): Promise<string> {
  const tables = await superuser<{ name: string }[]>`
    select quote_ident(table_name) as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`;
  const rows = [];
  for (const { name: table } of tables) {
    const found = await superuser.unsafe<{ text: string }[]>(
      `select row_to_json(t)::text as text from ${table} t`,
    );
    rows.push(...found.map(({ text }) => `${table} ${text}`));
  }
  const asBytes = await superuser<{ text: string }[]>`
    select convert_from(bytes, 'UTF8') as text from import_files`;
  return [...rows, ...asBytes.map(({ text }) => text)].join('\n');
}

const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
  const answer = await service.call('POST', path, { body, headers });
  expect([200, 201], answer.text).toContain(answer.status);
  return answer.body;
};

const adhesionOf = (fields: Record<string, unknown> = {}) =>
  adhesionBody({
    adhesion_holder_name: name,
    cbu_holder_name: name.toUpperCase(),
    cbu_holder_id_number: Number(cuit),
    cbu_number: cbu,
    email,
    description: 'Cuota de quintriqueo',
    metadata: { who: 'zoraida' },
    ...fields,
  });

/**
 * Creates a person with a mandate, a paid debit, payments, a refund by transfer, e-mails and an
 * import.
 */
async function play() {
  const headers = { 'Idempotency-Key': 'mandate' };
  const { id: adhesion } = await post('/adhesion', adhesionOf(), headers);
  const { body: debit } = await createDebit(
    service,
    adhesion,
    {
      description: 'Debito de Zoraida',
      metadata: { note: 'zoraida' },
    },
    { 'Idempotency-Key': 'debit' },
  );
  const fields = {
    payer_name: name,
    payer_email: email.toUpperCase(),
    description: `Curso de ${name}`,
    metadata: { cuit: '23-31444555-4' },
    items: [{ description: 'Clase de Zoraida', amount: 10 }],
  };
  const create = async (key: string) =>
    (
      await post('/payment-request', paymentRequestBody(service, fields), {
        'Idempotency-Key': key,
      })
    ).id as number;
  const paid = await create('paid');
  await post(`/sandbox/pay/${paid}`, { channel: 'credit_card' });
  const returned = await create('returned');
  await post(`/sandbox/pay/${returned}`, {});
  await advance(service, { days: 15 });
  const asked = await post(
    `/payment-request/${returned}/refund`,
    { refund: { amount: 5, cbu } },
    { 'Idempotency-Key': 'refund' },
  );
  const done = await recaudo(
    ['refunds', 'done', String(asked.id), '--account', testAccount, '--reference', 'T-1'],
    { DATABASE_URL: service.databaseUrl },
  );
  expect(done.stderr).toBe('');
  const refused = { amount: 6, cbu: cbuEndingIn('9902', 77) };
  await post(`/payment-request/${returned}/refund`, { refund: refused });
  const of = ['--account', testAccount, '--request', String(returned), '--amount', '2'];
  const back = await recaudo(
    ['collections', 'refund', ...of, '--reason', `Pidió ${name}`, '--reference', 'C-1'],
    { DATABASE_URL: service.databaseUrl },
  );
  expect(back.stderr).toBe('');
  const desk = openDesk(service);
  const due = inDays(service, 20);
  const heading = 'Socio;Concepto;Vencimiento;Importe;Referencia;Email';
  const rows = [
    `${name};Taller;${due};100,00;Z-1;${email}`,
    `Otra Socia;Taller;${due};100,00;O-1;otra@example.com`,
  ];
  const draft = await desk.upload([heading, ...rows].join('\r\n'));
  const refund = asked.id as number;
  return { adhesion, debit: debit.id as number, paid, returned, refund, desk, draft };
}

const marks = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => /zoraida|quintriqueo|31444555/i.test(line) || line.includes(cbu))
    .map(
      (line) =>
        `${line.slice(0, 40)} … ${/.{30}(zoraida|quintriqueo|31444555).*/i.exec(line)?.[0]}`,
    );

describe('a person', () => {
  let played: Awaited<ReturnType<typeof play>>;
  beforeAll(async () => {
    played = await play();
  }, 60_000);

  test('exports a person as one JSON document, with evidence and e-mails', async () => {
    const ran = await payers('export', '--cuit', '23-31444555-4');
    const { accounts } = JSON.parse(ran.stdout);
    expect(accounts).toHaveLength(1);
    const [account] = accounts;
    expect(account.mandates[0]).toMatchObject({ id: played.adhesion, cbu, holder: name });
    expect(account.mandates[0].evidence.text).toBe('Signed by the payer simulator.');
    const ids = account.requests.map(({ id }: { id: number }) => id);
    expect(ids).toEqual([played.debit, played.paid, played.returned].sort((a, b) => a - b));
    expect(account.results.length).toBeGreaterThan(0);
    expect(account.refunds[0]).toMatchObject({ cbu });
    expect(account.imported_rows).toEqual([
      expect.objectContaining({ cells: expect.arrayContaining([name, email]) }),
    ]);
    expect(JSON.stringify(account)).not.toContain('Otra Socia');
  });

  test('refuses to erase a person while some data is still needed, and names that data', async () => {
    const { code, stdout } = await erase('--cuit', cuit);
    expect(code).toBe(1);
    const { state, needed } = JSON.parse(stdout);
    expect(state).toBe('needed');
    const what = needed.map((one: { what: string; why: string }) => `${one.what}: ${one.why}`);
    expect(what).toContain('adhesion: it is signed: cancel it first');
    expect(what).toContain('import: it is draft');
    expect(marks(await dump()).length).toBeGreaterThan(10);
  });

  test('leaves nothing of an erased person in tables, files and logs, with a clean audit', async () => {
    const { imports } = played.desk;
    const ctx = { accountId: testAccount, actor: { kind: 'user', id: 7 }, requestId: 't' } as const;
    await imports.discard(ctx, played.draft.import.id);
    await advance(service, { days: 30 });
    await service.call('PUT', `/adhesion/${played.adhesion}/cancel`);
    await advance(service, { days: 60 });
    expect(JSON.parse((await erase('--cuit', cuit, '--dry-run')).stdout).state).toBe('found');
    const both = await Promise.all([erase('--cuit', cuit), erase('--cuit', cuit)]);
    expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect(marks(await dump())).toEqual([]);
    expect(marks(lines.join('\n'))).toEqual([]);
    expect(await faults()).toEqual([]);
    await sealEvents(service);
    expect(await faults()).toEqual([]);
    const [events] = await service.sql<{ count: number }[]>`
      select count(*)::int as count from events where type like '%.payer_erased'`;
    expect(events?.count).toBe(4);
    expect((await erase('--cuit', cuit)).stdout).toContain('"accounts":[]');
    const texts = await service.sql<{ text: string }[]>`
      select comment as text from refunds where state = 'failed'
      union all select data->>'reason' from events where type like '%.refund_failed'
      union all select details->>'state_comment' from results where type = 'refund'
      union all select data->>'state_comment' from events where type like '%.refunded'
        and data->>'state_comment' is not null`;
    expect(texts.length).toBeGreaterThan(3);
    expect(new Set(texts.map(({ text }) => text))).toEqual(new Set(['Dato suprimido']));
    const [mandate] = await service.sql<{ evidence: unknown; cbu: string }[]>`
      select evidence, cbu from mandates where id = ${played.adhesion} and kind = 'adhesion'`;
    expect(mandate).toEqual({ evidence: null, cbu: '0'.repeat(22) });
  }, 120_000);

  test('keeps an erased person’s amounts and ids, and strips the stored answers', async () => {
    const { body } = await service.call('GET', `/payment-request/${played.paid}`);
    expect(body).toMatchObject({ id: played.paid, state: 'paid', first_total: 1430.5 });
    expect(body.payer_name).toBe('Dato suprimido');
    expect(body.request_result[0].amount).toBe(1430.5);
    const { adhesion: mandate, debit, paid, refund } = played;
    for (const [key, id] of Object.entries({ mandate, debit, paid, refund })) {
      const again = await service.sql<{ body: string }[]>`
        select body from idempotency_keys where key = ${key}`;
      expect(again.map((row) => JSON.parse(row.body))).toEqual([{ id, erased: true }]);
    }
    expect((await service.call('GET', `/adhesion/${played.adhesion}`)).status).toBe(200);
    expect((await service.call('GET', `/debit-request/${played.debit}`)).status).toBe(200);
  });

  test('still detects forged changes to an erased row', async () => {
    const tamperer = openTamperer(service);
    try {
      const { paid, adhesion, returned } = played;
      const changes = {
        [`update requests set payer = 'Otro' where id = ${paid}`]: `request ${paid} differs from its seal`,
        [`update mandates set holder = 'Otro' where id = ${adhesion}`]: `mandate adhesion ${adhesion} differs from its seal`,
        [`update results set payer = 'Otro' where request_id = ${paid}`]: 'differs from its seal',
        [`update refunds set cbu = '${cbu}' where request_id = ${returned}`]:
          'was not written by this service',
        [`update attempts set details = '{}' where request_id = ${paid}`]:
          'was not written by this service',
      };
      for (const [change, fault] of Object.entries(changes)) {
        const found = await tamperer.faultsAfter(change);
        expect(found.join('\n'), change).toContain(fault);
      }
    } finally {
      await tamperer.end();
    }
  });
});

test('does not affect another person of the same name', async () => {
  const other = { email: 'tocaya@example.com', cbu_number: cbuEndingIn('1111', 5) };
  const first = await post('/adhesion', adhesionOf());
  const namesake = await post(
    '/adhesion',
    adhesionOf({ ...other, cbu_holder_id_number: 20055361682 }),
  );
  const request = await post(
    '/payment-request',
    paymentRequestBody(service, { payer_name: name, payer_email: other.email }),
  );
  await service.call('PUT', `/adhesion/${first.id}/cancel`);
  expect((await erase('--cuit', cuit)).code).toBe(0);
  const kept = (await service.call('GET', `/adhesion/${namesake.id}`)).body;
  expect(kept).toMatchObject({ adhesion_holder_name: name, email: other.email, state: 'signed' });
  const paying = (await service.call('GET', `/payment-request/${request.id}`)).body;
  expect(paying).toMatchObject({ payer_name: name, payer_email: other.email });
  expect((await service.call('GET', `/adhesion/${first.id}`)).body.email).not.toBe(email);
});

test('erases a person in the other accounts if one fails, and in that one on a retry', async () => {
  const other = await anotherAccount(service);
  const body = adhesionOf();
  const ids = [];
  for (const { key } of [{ key: undefined }, other]) {
    const made = await service.call('POST', '/adhesion', { body, ...(key && { key }) });
    await service.call('PUT', `/adhesion/${made.body.id}/cancel`, { ...(key && { key }) });
    ids.push(made.body.id);
  }
  const last = (await listAccounts(superuser)).at(-1)?.id;
  await superuser.unsafe(`
    create function fail_erasure() returns trigger language plpgsql as $$
      begin raise exception 'the machine went away'; end $$;
    create trigger fail_erasure before update on mandates for each row
      when (new.account_id = '${last}') execute function fail_erasure()`);
  expect((await erase('--cuit', cuit)).code).toBe(1);
  const left = () => superuser<{ account_id: string }[]>`
    select distinct account_id from mandates where details->>'holder_id_number' = ${cuit}`;
  expect(await left()).toEqual([{ account_id: last }]);
  await superuser.unsafe('drop trigger fail_erasure on mandates; drop function fail_erasure()');
  expect((await erase('--cuit', cuit)).code).toBe(0);
  expect(await left()).toEqual([]);
  await sealEvents(service);
  expect([...(await faults()), ...(await faults(other.id))]).toEqual([]);
});
