import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { auditAccount } from '../../src/audit/index.ts';
import {
  addCalendarDay,
  type Calendar,
  type CalendarChange,
  calendarWith,
  loadCalendar,
} from '../../src/calendar/index.ts';
import { debitTermsOf } from '../../src/composition/debits.ts';
import { rescheduleRuns, termsOfAccounts } from '../../src/debit-requests/index.ts';
import { formatDay, isoMidnight } from '../../src/kernel/dates.ts';
import { movePromises } from '../../src/money/collections/index.ts';
import { recaudo } from '../cli/run.ts';
import { testOperator, testOperatorText } from '../harness/actors.ts';
import { todayOf } from '../harness/builders/clock.ts';
import {
  createCardDebit,
  createDebit,
  getDebit,
  handOver,
  settle,
  submittedDebit,
} from '../harness/builders/debits.ts';
import { signedAdhesion, signedCardAdhesion } from '../harness/builders/mandates.ts';
import { startService, type TestService, testAccount } from '../harness/service.ts';
import { withoutWorker } from '../scenarios/play.ts';

vi.setConfig({ testTimeout: 90_000 });

type Day = Temporal.PlainDate;

let service: TestService;
beforeAll(async () => {
  service = await startService(withoutWorker);
});
afterAll(async () => {
  expect(await auditAccount(service.sql, testAccount)).toEqual([]);
  await service.stop();
});

const calendarNow = (): Promise<Calendar> => loadCalendar(service.sql);
const closing = async (day: Day): Promise<CalendarChange> => ({
  day,
  calendar: await calendarWith(service.sql, day, 'bank'),
  today: todayOf(service),
});

const runsBy = (change: CalendarChange, apply: boolean) => {
  const { base } = service.service.parts;
  const terms = termsOfAccounts(base.sql, debitTermsOf(service.config));
  return rescheduleRuns(base, terms)(change, { apply, actor: testOperator });
};
const releasesBy = (change: CalendarChange, apply: boolean) =>
  movePromises(service.service.parts.base)(change, { apply, actor: testOperator });

const runOf = async (id: number, no = 1) => {
  const [run] = await service.sql<{ run_on: Day; submit_on: Day }[]>`
    select run_on, submit_on from debit_runs where request_id = ${id} and no = ${no}`;
  if (!run) throw new Error('there is no such run');
  return run;
};
const said = ({ run_on, submit_on }: { run_on: Day; submit_on: Day }): string[] =>
  [submit_on, run_on].map(String);

const eventsOf = (id: number, what: string) =>
  service.sql<{ data: Record<string, unknown>; version: number; actor: string }[]>`
    select data, version, actor from events
    where entity_id = ${String(id)} and type like ${`%.${what}`} order by version`;

test('moves the waiting debits of a newly closed day once, second runs too, and back if it reopens', async () => {
  const before = await calendarNow();
  const adhesion = await signedAdhesion(service);
  const due = before.nextBusinessDay(todayOf(service).add({ days: 40 }), 0);
  const bank = await createDebit(service, adhesion, { first_due_date: formatDay(due) });
  const canceled = await createDebit(service, adhesion, { first_due_date: formatDay(due) });
  await service.call('PUT', `/debit-request/${canceled.body.id}/cancel`);
  const early = before.nextBusinessDay(todayOf(service).add({ days: 10 }), 0);
  const second = await submittedDebit(service, {
    first_due_date: formatDay(early),
    second_due_date: formatDay(due),
    second_total: 1500,
  });
  const inProcess = await createDebit(service, adhesion, { first_due_date: formatDay(due) });
  await service.sql`
    update debit_runs set state = 'submitted' where request_id = ${inProcess.body.id}`;
  expect(await settle(service, second.debit, { code: 'R10' })).toBe('retried');
  const was = { submit_on: before.businessDayBefore(due, 2), run_on: due };
  for (const [id, no] of [
    [bank.body.id, 1],
    [second.debit, 2],
  ]) {
    expect(said(await runOf(id, no))).toEqual(said(was));
  }

  const change = await closing(due);
  const run_on = before.nextBusinessDay(due, 1);
  const to = { run_on, submit_on: change.calendar.businessDayBefore(run_on, 2) };
  const [group] = await runsBy(change, false);
  expect(group).toMatchObject({ kind: 'debit_request', count: 2, amount: 143_050 + 150_000 });
  expect([said(group?.from ?? was), said(group?.to ?? was)]).toEqual([said(was), said(to)]);
  expect(said(await runOf(bank.body.id))).toEqual(said(was));

  // Two concurrent changes and a repetition move each run once.
  const counts = (await Promise.all([runsBy(change, true), runsBy(change, true)])).flat();
  expect(counts.reduce((sum, { count }) => sum + count, 0)).toBe(2);
  await addCalendarDay(service.sql, due, 'bank');
  expect(await runsBy(change, true)).toEqual([]);
  for (const [id, no] of [
    [bank.body.id, 1],
    [second.debit, 2],
  ]) {
    expect(said(await runOf(id, no))).toEqual(said(to));
    expect(await eventsOf(id, 'rescheduled')).toEqual([
      {
        actor: testOperatorText,
        version: expect.any(Number),
        data: expect.objectContaining({
          run: no,
          run_on: isoMidnight(to.run_on),
          was_run_on: isoMidnight(due),
          submit_on: isoMidnight(to.submit_on),
          was_submit_on: isoMidnight(was.submit_on),
        }),
      },
    ]);
  }
  for (const id of [canceled.body.id, inProcess.body.id]) {
    expect(said(await runOf(id))).toEqual(said(was));
  }
  const shown = await getDebit(service, second.debit);
  expect(shown.state).toBe('in_process');
  expect(shown.state_comment).toContain(`It runs again on ${formatDay(run_on)}.`);
  expect((await getDebit(service, bank.body.id)).state).toBe('pending');
  await service.sql`
    update debit_runs set state = 'waiting', run_on = ${to.run_on}::date,
      submit_on = ${to.submit_on}::date where request_id = ${inProcess.body.id}`;

  // Removing the bank holiday restores the previous days.
  const back = { ...change, calendar: await calendarWith(service.sql, due, null) };
  expect((await runsBy(back, true)).map(({ count }) => count)).toEqual([3]);
  expect(said(await runOf(bank.body.id))).toEqual(said(was));
  await service.sql`delete from calendar_days`;
});

test('moves both hand-over and run of a card debit if its hand-over day closes', async () => {
  const created = await createCardDebit(service, await signedCardAdhesion(service));
  const was = await runOf(created.body.id);
  const change = await closing(was.submit_on);
  const submit_on = change.calendar.nextBusinessDay(was.submit_on, 1);
  const run_on = change.calendar.nextBusinessDay(submit_on, 2);
  expect(await runsBy(change, true)).toMatchObject([{ kind: 'card_debit_request', count: 1 }]);
  expect(said(await runOf(created.body.id))).toEqual(said({ submit_on, run_on }));
  expect(await eventsOf(created.body.id, 'rescheduled')).toHaveLength(1);
});

test('moves a run that is already due for hand-over to the first day still possible', async () => {
  const before = await calendarNow();
  const created = await createDebit(service, await signedAdhesion(service));
  const { id } = created.body;
  const today = todayOf(service);
  // Make the run due for hand-over today.
  const due = before.nextBusinessDay(today, 2);
  await service.sql`update requests set due1 = ${due}::date where id = ${id}`;
  await service.sql`
    update debit_runs set run_on = ${due}::date, submit_on = ${today}::date
    where request_id = ${id}`;
  const closed = before.nextBusinessDay(today, 1);
  const change = await closing(closed);
  await runsBy(change, true);
  const run = await runOf(id);
  expect(String(run.run_on)).toBe(String(change.calendar.nextBusinessDay(today, 2)));
  expect(change.calendar.isBusinessDay(run.run_on)).toBe(true);
  expect(Temporal.PlainDate.compare(run.submit_on, today)).toBeLessThanOrEqual(0);
  expect(Temporal.PlainDate.compare(run.run_on, due)).toBe(1);
  await handOver(service, id);
});

test('moves a payment’s availability in GET but not in its day’s report, and delays its release', async () => {
  const { debit } = await submittedDebit(service);
  await settle(service, debit, { paid: true });
  const informed = todayOf(service);
  const calendar = await calendarNow();
  const promised = calendar.nextBusinessDay(informed, 2);
  const [payment] = (await getDebit(service, debit)).request_result;
  expect(payment.available_at).toBe(isoMidnight(promised));
  const report = async () => (await service.call('GET', `/report/collection/${informed}`)).text;
  const before = await report();
  expect(before).toContain(isoMidnight(promised));

  const change = await closing(promised);
  const moved = change.calendar.nextBusinessDay(promised, 0);
  const unreleased = Math.round(payment.net_amount * 100);
  const expected = [{ from: promised, to: moved, count: 1, amount: unreleased }];
  const told = (groups: { from: Day; to: Day; count: number; amount: number }[]) =>
    groups.map((group) => ({ ...group, from: String(group.from), to: String(group.to) }));
  expect(told(await releasesBy(change, false))).toEqual(told(expected));
  const both = await Promise.all([releasesBy(change, true), releasesBy(change, true)]);
  expect(told(both.flat())).toEqual(told(expected));
  await addCalendarDay(service.sql, promised, 'bank');
  expect(await releasesBy(change, true)).toEqual([]);

  const after = (await getDebit(service, debit)).request_result[0];
  expect(after).toMatchObject({ available_at: isoMidnight(moved), is_available: false });
  expect(await report()).toBe(before);
  expect(await eventsOf(debit, 'availability_moved')).toEqual([
    {
      actor: testOperatorText,
      version: expect.any(Number),
      data: expect.objectContaining({
        state: 'paid',
        request_result_id: payment.id,
        promised_at: isoMidnight(promised),
        available_at: isoMidnight(moved),
      }),
    },
  ]);

  const at = async (day: Day) => {
    const to = { advance_to: `${day}T12:00:00-03:00` };
    expect((await service.call('POST', '/sandbox/clock', { body: to })).status).toBe(200);
    return (await getDebit(service, debit)).request_result[0].is_available;
  };
  expect(await at(promised)).toBe(false);
  expect(await at(moved)).toBe(true);
  expect(await report()).toBe(before);
  // Removing the holiday does not retract available money.
  const back = { ...change, calendar: await calendarWith(service.sql, promised, null) };
  expect(await releasesBy({ ...back, today: todayOf(service) }, true)).toEqual([]);
});

test('previews a closed day’s effects, and applies them once while a service runs', async () => {
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await recaudo(['calendar', ...args, '--json'], {
      DATABASE_URL: service.databaseUrl,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  };
  const due = (await calendarNow()).nextBusinessDay(todayOf(service).add({ days: 80 }), 0);
  const adhesion = await signedAdhesion(service);
  const { body } = await createDebit(service, adhesion, { first_due_date: formatDay(due) });
  const day = formatDay(due);
  const looked = await run('add', day, '--kind', 'bank', '--dry-run');
  expect(looked).toMatchObject({ day, kind: 'bank', dry_run: true, releases_moved: false });
  expect(looked.runs).toEqual([
    expect.objectContaining({ kind: 'debit_request', run_on: day, count: 1, amount: '1430.50' }),
  ]);
  expect(await run('list')).not.toContainEqual({ day, kind: 'bank' });
  const done = await run('add', day, '--kind', 'bank', '--move');
  expect(done).toMatchObject({ dry_run: false, releases_moved: true, runs: looked.runs });
  expect(formatDay((await runOf(body.id)).run_on)).toBe(looked.runs[0].new_run_on);
  expect((await run('add', day, '--kind', 'bank', '--move')).runs).toEqual([]);
  const next = await createDebit(service, adhesion, { first_due_date: day });
  expect(said(await runOf(next.body.id))).toEqual(said(await runOf(body.id)));
});
