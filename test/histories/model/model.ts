import { type Ask, isPaidOtherwise, type Pending, stateAt } from './ask.ts';
import { addDays, BankDays, type Day, dayAt, midnight } from './days.ts';
import { endMandate, type Mandate, type Parties, playDebits, playReversals } from './debits.ts';
import { type Book, collect, release, takeBack } from './money.ts';
import { endRefund, giveBack, hearOf } from './refunds.ts';
import type { Channel, Rate } from './terms.ts';

/** Money in suspense. */
export interface Found {
  id: number;
  channel: Channel;
  amount: number;
  paidOn: Day;
  /** The run that a file named for it. */
  run: string | null;
  state: 'open' | 'assigned' | 'returned' | 'reversed';
  /** The bank's id, if it came as a transfer. */
  transfer?: string;
}

export interface Payout {
  id: number;
  reference: string;
  amount: number;
  sentOn: Day;
  returnedOn: Day | null;
}

export interface Correction {
  reference: string;
  amount: number;
  on: Day;
}

/** A spreadsheet whose rows became payment requests. */
export interface Imported {
  id: number;
  made: number[];
  undone: boolean;
}

/** A static QR. */
export interface Wall {
  id: string;
  open: boolean;
  many: boolean;
  text: string;
}

/**
 * Predicts the service's responses and state from earlier responses and the documents alone,
 * without the service's code.
 */
export class Model {
  readonly asks = new Map<number, Ask>();
  readonly mandates = new Map<string, Mandate>();
  readonly walls = new Map<string, Wall>();
  readonly found: Found[] = [];
  readonly payouts: Payout[] = [];
  readonly corrections: Correction[] = [];
  readonly imports: Imported[] = [];
  /** Batches of QRs that were uploaded and accepted. */
  readonly uploads: string[] = [];
  readonly book: Book;
  readonly firstDay: Day;
  cutDay = 19;
  refundsBelowZero = false;
  returnsLate = false;
  isSuspended = false;
  private reachedMs: number;
  private readonly elapsed: () => number;
  private reachedAt: number;

  /** `now` is in milliseconds; `elapsed` returns the real time since the start. */
  constructor(now: number, rates: Rate[], elapsed: () => number) {
    this.elapsed = elapsed;
    this.reachedMs = now;
    this.reachedAt = elapsed();
    this.firstDay = dayAt(now);
    this.book = {
      today: this.firstDay,
      now: () => this.now(),
      bankDays: new BankDays(),
      own: [],
      rates,
      returnsFees: false,
    };
  }

  get today(): Day {
    return this.book.today;
  }

  /** Returns the business time, accurate to a few seconds. */
  now(): number {
    return this.reachedMs + this.elapsed() - this.reachedAt;
  }

  /** Moves the clock within the day, without due work. */
  later(ms: number): void {
    this.reachedMs += ms;
  }

  mandateOf = (ask: Ask): Mandate => {
    const kind = ask.kind === 'debit_request' ? 'adhesion' : 'card_adhesion';
    const found = this.mandates.get(`${kind} ${ask.mandate}`);
    if (!found) throw new Error('a debit without a mandate');
    return found;
  };

  state(ask: Ask): string {
    return stateAt(ask, this.today, this.now());
  }

  parties(): Parties {
    return { book: this.book, asks: () => this.asks.values(), mandateOf: this.mandateOf };
  }

  /** Does everything due now: files, responses, reversals, releases. */
  playDue(): void {
    playDebits(this.parties());
    for (const ask of this.asks.values()) {
      if (ask.runs.length > 0) playReversals(this.parties(), ask);
    }
    for (const ask of this.asks.values()) release(ask, this.today);
  }

  /**
   * Returns future moments that no move of the clock may end close to, since they are accurate to
   * seconds only.
   */
  moments(): number[] {
    return [
      ...[...this.asks.values()].flatMap(({ pending, charges, expiresAt }) => [
        ...pending.map(({ at }) => at),
        ...charges.flatMap(({ closesAt }) => closesAt ?? []),
        ...(expiresAt === null ? [] : [expiresAt]),
      ]),
      ...[...this.mandates.values()].flatMap(({ state, signBefore }) =>
        state === 'pending_to_sign' ? [signBefore] : [],
      ),
    ];
  }

  private nextMoment(until: number): number {
    const dayEnd = midnight(addDays(this.today, 1));
    const known = this.moments().filter((at) => at > this.reachedMs);
    return Math.min(dayEnd, until, ...known);
  }

  /** Moves the clock, moment by moment. */
  advance(until: number): void {
    this.playDue();
    this.reachedMs = this.now();
    this.reachedAt = this.elapsed();
    while (this.reachedMs < until) {
      this.reachedMs = this.nextMoment(until);
      this.book.today = dayAt(this.reachedMs);
      this.playMoment();
      this.playDue();
    }
  }

  private answerRefunds(ask: Ask): void {
    const isDue = ({ what, at }: Pending) => what === 'refund' && at <= this.reachedMs;
    const due = ask.pending.filter(isDue);
    ask.pending = ask.pending.filter((one) => !isDue(one));
    for (const { payment: place } of due) {
      const refund = ask.refunds[place ?? -1];
      if (refund) endRefund(this.book, ask, refund, true);
    }
  }

  /** Closes unanswered charges. */
  private closeUnheard({ charges }: Ask): void {
    for (const one of charges) {
      if (one.closesAt === null || one.closesAt > this.reachedMs) continue;
      one.closesAt = null;
      one.isOpen = false;
    }
  }

  /** Plays one moment: responses to attempts, reversals, and the end of unsigned mandates. */
  private playMoment(): void {
    for (const ask of this.asks.values()) {
      this.answerRefunds(ask);
      this.closeUnheard(ask);
      if (ask.runs.length > 0) continue;
      const due = ask.pending.filter(({ at }) => at <= this.reachedMs);
      ask.pending = ask.pending.filter((one) => !due.includes(one));
      for (const one of due) {
        if (one.what === 'answer') {
          const { channel, amount } = one;
          // A suspended account keeps the payment, and the operator gets an alarm.
          const isUnwanted = this.returnsLate && !this.isSuspended && isPaidOtherwise(ask);
          collect(this.book, ask, { channel, amount, paidOn: this.today, charged: true });
          if (!isUnwanted) continue;
          hearOf(this.book, ask, giveBack(this.book, ask), { isClosed: false });
        } else {
          takeBack(this.book, ask, { type: 'chargeback', place: one.payment, part: null });
        }
      }
    }
    for (const mandate of this.mandates.values()) {
      if (mandate.state === 'pending_to_sign' && mandate.signBefore <= this.reachedMs) {
        endMandate(mandate, this.asks.values());
      }
    }
  }
}
