import type { Ask, Run } from './ask.ts';
import { addDays, type BankDays, type Day, dayAt } from './days.ts';
import { type Book, collect, takeBack } from './money.ts';

/** Permission to debit a bank account or a card. */
export interface Mandate {
  id: number;
  kind: 'adhesion' | 'card_adhesion';
  state: 'pending_to_sign' | 'signed' | 'canceled';
  wasSigned: boolean;
  email: string;
  /** The simulated bank's response to any debit on it; null approves. */
  code: string | null;
  card: string | null;
  /** True if a connector keeps its card, and charges it. */
  keepsCard: boolean;
  /** Unsigned mandates end at this moment. */
  signBefore: number;
}

/** Returns a run's reference in every file: the debit in 14 digits, then the run's number. */
export const runName = ({ id }: Pick<Ask, 'id'>, { no }: Pick<Run, 'no'>): string =>
  `${String(id).padStart(14, '0')}${no}`;

/** Business days from the hand-over to the run. */
const handover = 2;

const closing = ['R02', 'R03', 'R04', 'R15', 'R89'];
const waiting = ['034', 'R05', 'R24', 'R29', 'R81', 'R90', 'R95'];
const retrying = ['R10', 'R28'];

const runAt = (bankDays: BankDays, due: Day, no: 1 | 2, amount: number): Run => {
  const runOn = bankDays.after(due, 0);
  const submitOn = bankDays.before(runOn, handover);
  return {
    no,
    submitOn,
    runOn,
    amount,
    state: 'waiting',
    code: null,
    end: null,
    filed: false,
    charged: false,
  };
};

export const bankRun = (bankDays: BankDays, due: Day, amount: number): Run =>
  runAt(bankDays, due, 1, amount);

/** Returns a month's card run, handed over on the bank day after the cut-off. */
export function cardRun(
  bankDays: BankDays,
  { month, year }: { month: number; year: number },
  { cutDay, amount }: { cutDay: number; amount: number },
): Run {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const cut = `${year}-${String(month).padStart(2, '0')}-${String(Math.min(cutDay, last)).padStart(2, '0')}`;
  const submitOn = bankDays.after(cut, 1);
  const runOn = bankDays.after(submitOn, handover);
  return {
    no: 1,
    submitOn,
    runOn,
    amount,
    state: 'waiting',
    code: null,
    end: null,
    filed: false,
    charged: false,
  };
}

/** Ends a mandate, and cancels its debits that were not submitted yet. */
export function endMandate(mandate: Mandate, asks: Iterable<Ask>): void {
  if (mandate.state === 'canceled') return;
  mandate.state = 'canceled';
  const kind = mandate.kind === 'adhesion' ? 'debit_request' : 'card_debit_request';
  for (const ask of asks) {
    if (ask.kind === kind && ask.mandate === mandate.id && ask.state === 'pending') {
      ask.state = 'canceled';
    }
  }
}

export interface Parties {
  book: Book;
  asks(): Iterable<Ask>;
  mandateOf(ask: Ask): Mandate;
}

function refuse(ask: Ask, run: Run, { rejected }: { rejected: boolean }): void {
  ask.rejections.push(run.amount);
  run.state = 'done';
  run.end = 'refused';
  if (!rejected) ask.retried += 1;
  if (rejected && ask.state === 'in_process') ask.state = 'rejected';
}

function tryAgain({ book }: Parties, ask: Ask): void {
  if (ask.due2 === null || ask.total2 === null) throw new Error('a second run of no second due');
  const soonest = book.bankDays.after(book.today, handover);
  ask.runs.push(runAt(book.bankDays, ask.due2 < soonest ? soonest : ask.due2, 2, ask.total2));
}

/** Applies a bank's or processor's response to a run that was sent. */
export function settle(
  parties: Parties,
  ask: Ask,
  run: Run,
  told: { code: string } | { paidOn: Day; amount: number },
): void {
  if ('paidOn' in told) {
    run.state = 'done';
    run.end = 'paid';
    const channel = ask.kind === 'debit_request' ? 'direct_debit' : 'card_debit';
    const paid = { channel, amount: told.amount, paidOn: told.paidOn } as const;
    collect(parties.book, ask, paid).run = runName(ask, run);
    return;
  }
  run.code = told.code;
  if (waiting.includes(told.code)) return;
  const again = retrying.includes(told.code) && run.no === 1 && ask.due2 !== null;
  refuse(ask, run, { rejected: !again });
  if (again) tryAgain(parties, ask);
  if (closing.includes(told.code)) endMandate(parties.mandateOf(ask), parties.asks());
}

/**
 * Maximum number of orders of one debit: the second one follows an unanswered first, on the same
 * day.
 */
const mostOrders = 2;

/**
 * Charges a debit's card on file on the run's day. Plays a second order at once, since it follows
 * on the same day.
 */
function chargeCard({ book }: Parties, ask: Ask, run: Run): void {
  for (let no = 0; no < mostOrders; no += 1) {
    const word = ask.words[no] ?? { says: 'approved', amount: run.amount };
    const { says } = word;
    const isOpen = says === 'pending';
    const isApproved = says === 'approved';
    const attempt = `#${no}`;
    const orderedOn = run.runOn;
    const { amount } = run;
    const made = { attempt, amount, orderedOn, isHeld: false, isOpen, isApproved };
    ask.charges.push({ ...made, closesAt: null });
    if (says === 'unheard') continue;
    run.charged = true;
    if (says === 'approved') {
      const paid = { channel: 'card_debit', amount: word.amount, paidOn: orderedOn } as const;
      collect(book, ask, { ...paid, charged: true }).attempt = attempt;
      endRun(ask, run, 'paid');
    }
    if (says === 'rejected') endRun(ask, run, 'refused');
    return;
  }
  run.charged = true;
  refuse(ask, run, { rejected: true });
}

/** Applies the late decision of a debit's charge. */
export function endRun(ask: Ask, run: Run, end: 'paid' | 'refused'): void {
  if (end === 'refused') refuse(ask, run, { rejected: true });
  else Object.assign(run, { state: 'done', end });
}

const byCents: Record<number, string> = { 91: 'R10', 92: 'R02', 93: 'R08' };

/** Hands over today's runs, except those whose debit or mandate has ended. */
function submit({ book, mandateOf }: Parties, ask: Ask): void {
  for (const run of ask.runs) {
    if (run.state !== 'waiting' || run.submitOn > book.today) continue;
    const gone = run.no === 2 && mandateOf(ask).kind === 'adhesion' && isCanceled(mandateOf(ask));
    if (gone) refuse(ask, run, { rejected: true });
    else if (ask.state === 'pending' || ask.state === 'in_process') {
      ask.state = 'in_process';
      run.state = 'submitted';
    } else run.state = 'done';
  }
}

const isCanceled = ({ state }: Mandate): boolean => state === 'canceled';

/** Responds as the simulator's bank to runs that went out in no file, and charges cards on file. */
function answer(parties: Parties, ask: Ask): void {
  const { today } = parties.book;
  for (const run of [...ask.runs]) {
    const patient = run.code === null || run.code === 'R24';
    if (run.state !== 'submitted' || run.filed || !patient) continue;
    if (parties.mandateOf(ask).keepsCard) {
      if (!run.charged && run.runOn <= today) chargeCard(parties, ask, run);
      continue;
    }
    const cents = run.amount % 100;
    const on = addDays(run.runOn, (cents === 94 ? 1 : 0) + (run.code === null ? 0 : 1));
    if (on > today) continue;
    const code = run.code === null ? (parties.mandateOf(ask).code ?? byCents[cents]) : undefined;
    if (code !== undefined) settle(parties, ask, run, { code });
    else {
      settle(parties, ask, run, { paidOn: run.runOn, amount: run.amount });
      if (cents === 95) {
        const next = addDays(today, 1);
        const at = Date.parse(`${next}T03:00:00Z`);
        const channel = 'direct_debit';
        ask.pending.push({ what: 'reversal', at, channel, amount: run.amount, payment: null });
      }
    }
  }
}

/** Plays the debits' day: sends all, then applies the banks' responses until nothing is due. */
export function playDebits(parties: Parties): void {
  for (let rounds = 0; rounds < 2; rounds += 1) {
    for (const ask of parties.asks()) submit(parties, ask);
    for (const ask of parties.asks()) answer(parties, ask);
  }
}

/** Charges back the payments whose holders reverse them by today. */
export function playReversals(parties: Parties, ask: Ask): void {
  const due = ask.pending.filter(
    ({ what, at }) => what === 'reversal' && dayAt(at) <= parties.book.today,
  );
  ask.pending = ask.pending.filter((one) => !due.includes(one));
  for (const { payment: place } of due) {
    takeBack(parties.book, ask, { type: 'chargeback', place, part: null });
  }
}

/** Reschedules waiting runs after a change of the calendar. */
export function reschedule(book: Book, ask: Ask, changed: Day): void {
  if (ask.state !== 'pending' && ask.state !== 'in_process') return;
  for (const run of ask.runs.filter(({ state }) => state === 'waiting')) {
    const due = run.no === 1 ? ask.due1 : (ask.due2 ?? ask.due1);
    let to = ask.month
      ? cardRun(book.bankDays, ask.month, { cutDay: ask.cutDay, amount: run.amount })
      : runAt(book.bankDays, due, run.no, run.amount);
    if (to.submitOn < book.today) {
      to = runAt(book.bankDays, book.bankDays.after(book.today, handover), run.no, run.amount);
    }
    const days = [run.submitOn, run.runOn, to.submitOn, to.runOn].toSorted();
    if ((days[0] ?? '') > changed || changed > (days[3] ?? '')) continue;
    run.submitOn = to.submitOn;
    run.runOn = to.runOn;
  }
}
