import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Answer } from '../harness/service.ts';
import type { Deployment, Sent } from './deployment.ts';
import type { Desk, DeskParts } from './desk.ts';
import type { Ask } from './model/ask.ts';
import { asSent } from './model/days.ts';
import type { Model } from './model/model.ts';
import { resultsOf } from './model/reports.ts';
import type { Random } from './random.ts';

export const pesos = (amount: number): number => amount / 100;
export const inCentavos = (amount: number): number => Math.round(amount * 100);

/** Retries a call with an unknown outcome for this long. */
const patienceMs = 90_000;

export const pathOf = {
  payment_request: 'payment-request',
  debit_request: 'debit-request',
  card_debit_request: 'card-debit-request',
} as const;

const stateNames: Record<string, string> = {
  pending: 'Pending',
  paid: 'Paid',
  expired: 'Expired',
  deleted: 'Deleted',
  refunded: 'Refunded',
};

/** A running history: its model, its deployment, and the state that its steps share. */
export class Play {
  readonly model: Model;
  readonly deployment: Deployment;
  readonly random: Random;
  /** The log of the history, to explain a failure. */
  readonly log: string[] = [];
  /** The key of another account, which moves the clock. */
  clockKey: string | null = null;
  /** Number of calls and commands, including reads. */
  calls = 0;
  /** Requests that a step of this moment works with. */
  private readonly taken = new Set<number>();
  private names = 0;

  constructor(model: Model, deployment: Deployment, random: Random) {
    this.model = model;
    this.deployment = deployment;
    this.random = random;
  }

  name(word: string): string {
    this.names += 1;
    return `${word}-${this.names}`;
  }

  note(text: string): void {
    this.log.push(`${this.model.today} ${text}`);
  }

  /** Reserves a request for a step until the moment is over. Returns undefined if none fits. */
  take(fits: (ask: Ask) => boolean = () => true): Ask | undefined {
    const free = [...this.model.asks.values()].filter(
      (ask) => !this.taken.has(ask.id) && fits(ask),
    );
    // Newer requests come more often: their state can still change.
    const ask = this.random.one(this.random.percent(60) ? free.slice(-40) : free);
    if (ask) this.taken.add(ask.id);
    return ask;
  }

  momentOver(): void {
    this.taken.clear();
  }

  /** Sends calls to the clock with the other account's key, since this account may be suspended. */
  asWhom(path: string, sent: Sent = {}): Sent {
    const isClock = path === '/sandbox/clock' && this.clockKey !== null;
    return isClock ? { ...sent, as: this.clockKey } : sent;
  }

  /** Repeats a call until its outcome is known. `again` is true if it was repeated. */
  async send(
    method: string,
    path: string,
    sent: Sent = {},
  ): Promise<{ answer: Answer; again: boolean }> {
    this.calls += 1;
    const until = Date.now() + patienceMs;
    for (let again = false; ; again = true) {
      const answer = await this.deployment.send(method, path, this.asWhom(path, sent));
      // An earlier attempt with this key is still running: it may be the one with the lost
      // response.
      const running = answer !== 'nobody knows' && answer.status === 409 && sent.key !== undefined;
      const underWay = running && answer.body.error_code === 'idempotency_key_in_use';
      if (answer !== 'nobody knows' && !underWay) {
        expect(answer.status, `${method} ${path}: ${answer.text}`).toBeLessThan(500);
        return { answer, again };
      }
      if (Date.now() > until) throw new Error(`nobody answers ${method} ${path}`);
      await sleep(again ? 50 : 5);
    }
  }

  /** Sends a call with an idempotency key, sometimes twice at once. It takes effect once. */
  async post(path: string, body: unknown, method = 'POST'): Promise<Answer> {
    const sent: Sent = { body, key: this.name('key') };
    if (!this.random.percent(25)) return (await this.send(method, path, sent)).answer;
    const both = await Promise.all([this.send(method, path, sent), this.send(method, path, sent)]);
    const [first, second] = both.map(({ answer }) => answer);
    if (!first || !second) throw new Error('two calls');
    const done = [first, second].filter(({ status }) => status < 300);
    if (done.length === 2) expect(first.body).toEqual(second.body);
    return done[0] ?? first;
  }

  async get(path: string): Promise<Answer['body']> {
    const { answer } = await this.send('GET', path);
    expect(answer.status, `GET ${path}: ${answer.text}`).toBe(200);
    return answer.body;
  }

  /**
   * Repeats an operator's act while the database is away. `again` is true if an earlier attempt may
   * have done it.
   */
  async desk<T>(
    work: (desk: Desk, parts: DeskParts) => Promise<T>,
  ): Promise<{ done: T; again: boolean }> {
    this.calls += 1;
    const until = Date.now() + patienceMs;
    for (let again = false; ; again = true) {
      try {
        return { done: await this.deployment.desk(work), again };
      } catch (error) {
        const isOurs = error instanceof Error && error.name === 'AssertionError';
        if (isOurs || Date.now() > until || !isAway(error)) throw error;
        await sleep(100);
      }
    }
  }

  /** Moves the clock by some minutes in which nothing falls due, according to the model. */
  async pass(minutes: number): Promise<void> {
    const { answer } = await this.send('POST', '/sandbox/clock', { body: { minutes } });
    expect(answer.status, answer.text).toBe(200);
    this.model.later(minutes * 60_000);
  }

  /** Does everything that is due now, like a sweep. */
  async settleToday(): Promise<void> {
    const { answer } = await this.send('POST', '/sandbox/clock', { body: { minutes: 0 } });
    expect(answer.status, answer.text).toBe(200);
    this.model.playDue();
  }

  /**
   * Imports a file, sometimes twice at once. An import that is refused during another one is
   * repeated.
   */
  async takeIn(work: (desk: Desk) => Promise<object>): Promise<void> {
    const copy = async (): Promise<void> => {
      for (;;) {
        const { done } = await this.desk(work);
        if ('outcome' in done) return;
        expect(done).toMatchObject({ code: 'file.importing' });
        await sleep(20);
      }
    };
    await Promise.all(Array.from({ length: this.random.percent(30) ? 2 : 1 }, copy));
  }

  /** Learns the service's ids of a request's payments. */
  async learn(ask: Ask): Promise<void> {
    const { done: rows } = await this.desk(
      async (_desk, { sql }) =>
        await sql<{ id: number }[]>`
        select id from results where request_id = ${ask.id} and type = 'collected' order by informed_at, id`,
    );
    expect(rows.length, `payments of ${ask.id}`).toBe(ask.payments.length);
    for (const [at, payment] of ask.payments.entries()) payment.id = rows[at]?.id ?? 0;
  }

  /** Compares the holder's refunds and their outcomes. */
  private async checkRefunds(ask: Ask): Promise<void> {
    if (ask.refunds.length === 0) return;
    const path =
      ask.kind === 'qr' ? `/refund-qr/${ask.code}` : `/${pathOf[ask.kind]}/${ask.id}/refund`;
    const { data } = await this.get(path);
    const shown = (data as Record<string, unknown>[]).map(({ id, state, amount }) => [
      ...[id, state, inCentavos(Number(amount))],
    ]);
    const expected = ask.refunds.map(({ id, state, amount }) => [id, state, amount]);
    expect(shown.sort(), `refunds of ${ask.id}`).toEqual(expected.sort());
  }

  /** Compares the service's view of a request with the model's. */
  async check(ask: Ask): Promise<void> {
    await this.learn(ask);
    await this.checkRefunds(ask);
    if (ask.kind === 'qr') return await this.checkQr(ask);
    const body = await this.get(`/${pathOf[ask.kind]}/${ask.id}`);
    expect(body.state, `state of ${ask.kind} ${ask.id}`).toBe(this.model.state(ask));
    // Money due today may become available at any moment, so this does not compare whether it has.
    const { today } = this.model;
    const shown = (body.request_result as Record<string, unknown>[]).map((one) => {
      const type = String(one.type).split('_')[0];
      const amount = inCentavos(Number(one.amount));
      if (type !== 'collected') return [type, amount].join(' ');
      const figures = [one.net_fee, one.fee_iva].map((figure) => inCentavos(Number(figure)));
      const day = String(one.available_at).slice(0, 10);
      const now = one.is_available === true && day <= today ? 'yes' : 'no';
      return [type, amount, ...figures, day, day === today ? 'today' : now].join(' ');
    });
    const expected = resultsOf(ask).map((text) =>
      text.replace(new RegExp(`${today} (yes|no)$`), `${today} today`),
    );
    expect(shown.sort(), `results of ${ask.kind} ${ask.id}`).toEqual(expected.sort());
  }

  private async checkQr(ask: Ask): Promise<void> {
    const path = ask.staticId === null ? 'status' : 'status-static';
    const body = await this.get(`/${path}/${ask.code}`);
    expect(body.status, `status of ${ask.code}`).toBe(stateNames[this.model.state(ask)]);
    expect(inCentavos(body.first_total)).toBe(ask.total1);
    if (ask.staticId !== null) return;
    expect(body.first_due_date).toBe(asSent(ask.due1));
    expect(body.second_due_date).toBe(ask.due2 === null ? undefined : asSent(ask.due2));
    expect(body.multiple_payment).toBe(ask.staysOpen);
    expect(body).toMatchObject(ask.texts);
  }
}

/** Returns true if the database is down, or cut a statement off. */
export function isAway(error: unknown): boolean {
  const text =
    error instanceof Error ? `${error.name} ${error.message} ${String(error.cause)}` : '';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return (
    /ECONN|EPIPE|57P|08\d{3}|CONNECT/.test(code) ||
    /connect|terminat|closed|starting up|shutting down|recovery|refused|timeout/i.test(text)
  );
}
