import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'vitest';
import { centavos } from '../../src/kernel/money.ts';
import { suspend } from '../../src/money/suspense/index.ts';
import { recaudo } from '../cli/run.ts';
import { adhesionBody, cardAdhesionBody } from '../harness/builders/mandates.ts';
import { batchOf, full, itemOf } from '../harness/builders/qrs.ts';
import { connectSuperuser } from '../harness/database.ts';
import { type Answer, startService, type TestService, testAccount } from '../harness/service.ts';
import { type Player, playerOf } from '../scenarios/play.ts';

export const ofAccount = ['--account', testAccount];
export const cbuOf = '2850590940090418135201';

/** Tables whose changes need no event, with the reason. */
const silent: Record<string, string> = {
  account_writes: 'who wrote a moment ago; what he wrote has its events',
  anchors: 'the proof, not the fact',
  api_calls: 'that somebody called; what the call did has its events',
  api_calls_left_out: 'the same',
  attempts: 'a charge on its way: what it comes to is a result, with an event',
  balance_deltas: 'follows from journals',
  balances: 'follows from journals',
  batch_chunks: 'an upload on its way',
  batch_pages: 'what an import says of each item; its end is an event',
  charge_references: 'whose charge an acquirer’s id is: what it came to is a result',
  card_holds: 'how an authorized charge ends: what it came to is a result',
  card_bins: 'replaced whole: one event for all rows',
  clock: 'moved stop by stop; one event when the move is done',
  connector_calls: 'which calls of connectors were heard; what they did has its events',
  connector_alarms: 'what is to be looked at; that somebody forgot it has its event',
  closed_books: 'what a report shows does not change any more; no fact changes',
  daily_total_marks: 'how far totals are folded',
  daily_totals: 'follow from results',
  deliveries: 'how an event reaches a webhook, kept itself with each attempt',
  delivery_attempts: 'the same',
  events: 'an event',
  import_files: 'the file of a draft; that it was uploaded has its event',
  import_headings:
    'how headings of spreadsheets are understood: the match that said so has its event',
  import_pages: 'what an import says of each row; what was created has its events',
  id_timeline: 'marks the server that ids come from',
  idempotency_keys: 'an answer that is kept for a day',
  journals: 'the record of a posting, append-only as an event is',
  kept_cards: 'where a card is kept: that it was handed over and ended are its mandate’s events',
  ledger_day_marks: 'how far days are folded',
  ledger_days: 'follow from journals',
  mails: 'queued by a fact that has its event, and sent by nobody',
  network_charges: 'which attempt a payment of a network is: what it comes to is a result',
  operator_events: 'an event',
  outbox: 'an event on its way',
  rail_lines: 'what a line was taken for: what follows from it has its event, the sums the file’s',
  reconciliation_findings: 'what a comparison found, of which there is one event',
  notice_marks: 'how far notices to users are',
  payer_mail_marks: 'how far mails to payers are',
  payer_mails: 'queued by a fact that has its event, or by a day that came',
  replica_marks: 'how far a replica is',
  request_states: 'follow from requests',
  request_word_marks: 'how far words are written',
  request_words: 'follow from requests',
  seal_links: 'the proof, not the fact',
  seal_marks: 'the proof, not the fact',
  seals: 'the proof, not the fact',
  settlement_lines: 'what a payout came by: that it was listed is its payout’s event',
  simulated_charges: 'what the sandbox’s bank knows',
  simulated_refunds: 'what the sandbox’s bank knows',
  simulated_reversals: 'what the sandbox’s bank knows',
  sweep_runs: 'how a sweep fared; what it did has its events',
  user_challenges: 'what is drawn before anything is shown',
  user_devices: 'where somebody signed in, whose event is the session’s',
  folded_notices: 'how many letters went out, and what a later one tells',
  card_tries: 'what is counted before it is looked at',
  user_accesses: 'who failed and who looked: it changes nothing',
  user_tries: 'what is counted before it is looked at',
  unwanted_approvals:
    'whether an approval is to go back: that it does is a refund, with its events',
};

/** Tables of which only some changes are facts. */
const facts: Record<string, string> = {
  // Progress is not a fact; the end has an event.
  batches: 'insert',
  // Progress is not a fact here either.
  imports: 'insert or update of state, matched',
  // Last use is not a fact.
  api_keys:
    'insert or delete or update of revoked_at, permissions, name, expires_at, hash, ranges, replaced_by',
  // The end of a run is not a fact; its result is.
  debit_runs: 'insert or delete or update of submit_on, run_on, amount, file_id, charged',
  // The number of booked lines is not a fact.
  rail_files: 'insert or delete or update of state, summary',
  // The outcome of its lines is not a fact; the comparison has its event.
  settlement_payouts: 'insert',
  // The end is not a fact; the request's state is.
  static_transactions: 'insert or delete',
  // Availability is not a fact here; the journal of the release is.
  results: 'insert or delete or update of amount, net_fee, paid_at',
  // The clock step of the last code is not a fact.
  users:
    'insert or delete or update of state, password_hash, lang, name, service_role, totp_since, totp_ciphertext',
  // Use is not a fact; the session it opened is.
  user_passkeys: 'insert or delete or update of name, public_key, credential_id',
  // Last activity is not a fact.
  user_sessions: 'insert or delete',
  // When a key is checked next is not a fact.
  service_keys: 'insert or delete or update of ciphertext, retired_at',
};

interface Told {
  relation: string;
}

/** Makes each table of a service report its writes. */
async function watchTables(service: TestService) {
  const superuser = connectSuperuser(service.databaseUrl, { max: 2, applicationName: 'watch' });
  await superuser.unsafe(`
    create table told_of (xid bigint, relation text);
    create function tell() returns trigger language plpgsql security definer as $$
    begin
      insert into public.told_of values (pg_current_xact_id()::text::bigint, tg_table_name);
      return null;
    end $$`);
  const tables = await superuser<{ name: string }[]>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and relname not in ('told_of', 'migrations')`;
  for (const { name } of tables) {
    const when = facts[name] ?? 'insert or update or delete';
    await superuser.unsafe(
      `create trigger told_of after ${when} on ${name} for each row execute function tell()`,
    );
  }
  /**
   * Runs an act. Returns the tables that were changed by transactions without an event, and the
   * actors of the events.
   */
  async function watch(act: () => Promise<unknown>) {
    await superuser`truncate told_of`;
    await act();
    const untold = await superuser<Told[]>`
      select distinct relation from told_of t
      where not exists (select from events e where e.xid = t.xid)
        and not exists (select from operator_events e where e.xid = t.xid)
        and not exists (select from told_of j where j.xid = t.xid and j.relation = 'journals')
        and relation <> all(${Object.keys(silent)}::text[])
      order by 1`;
    const events = await superuser<{ actor: string }[]>`
      select actor from events where xid in (select xid from told_of)
      union all select actor from operator_events where xid in (select xid from told_of)`;
    return {
      untold: untold.map(({ relation }) => relation),
      actors: events.map((one) => one.actor),
    };
  }

  return { superuser, watch };
}

function actsOf(
  service: TestService,
  player: Player,
  { folder, env }: { folder: string; env: Record<string, string> },
) {
  const run = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await recaudo(args, {
      ...env,
      DATABASE_URL: service.databaseUrl,
    });
    expect([code, stderr.replace(/^the secret before.*\n/, '')], args.join(' ')).toEqual([0, '']);
    return stdout.trim();
  };
  const called = async (method: string, route: string, body?: unknown): Promise<Answer['body']> => {
    const answer = await service.call(method, route, body === undefined ? {} : { body });
    expect(answer.status, `${method} ${route} ${answer.text}`).toBeLessThan(300);
    return answer.body;
  };
  const file = async (name: string, text: string): Promise<string> => {
    const target = path.join(folder, name);
    await writeFile(target, text);
    return target;
  };
  /** Creates an import that waits for its confirmation. Returns its number. */
  const spreadsheet = async (name: string): Promise<string> => {
    const rows = `Nombre;Concepto;Vencimiento;Monto\n${name};Cuota;31-12-2098;10\n`;
    const sheet = await file(`${name}.csv`, rows);
    return String(JSON.parse(await run('imports', 'upload', ...ofAccount, sheet, '--json')).id);
  };
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
  let qrs = 0;
  const qr = async (name: string): Promise<string> => {
    qrs += 1;
    const id = `${name}-${qrs}`;
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

  /** Creates a cash refund, which waits for the operator's transfer. */
  const byTransfer = async (): Promise<string> => {
    const id = await player.create();
    await player.pay(id, { channel: 'non_banking' });
    const refund = { cbu: cbuOf };
    return String((await called('POST', `/payment-request/${id}/refund`, { refund })).id);
  };
  return {
    run,
    called,
    file,
    spreadsheet,
    lostMoney,
    paid,
    qr,
    unsigned,
    webhook,
    cardMandate,
    payout,
    byTransfer,
  };
}

/** Opens a service with watched tables, and with shortcuts for calls and commands. */
export async function openDesk(env: Record<string, string> = {}) {
  const service = await startService({ ROLES: 'payments,qr,web', ...env });
  const player = playerOf(service);
  const folder = await mkdtemp(path.join(tmpdir(), 'every-write-'));
  const acts = actsOf(service, player, { folder, env });
  const { superuser, watch } = await watchTables(service);
  const suspended = await acts.run('accounts', 'create', '--name', 'Z', '--cuit', '30999999995');
  return {
    service,
    player,
    folder,
    ...acts,
    superuser,
    watch,
    suspended,
    async close() {
      await superuser.end();
      await service.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export type Desk = Awaited<ReturnType<typeof openDesk>>;
