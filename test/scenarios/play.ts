import { auditAccount } from '../../src/audit/index.ts';
import { paymentRequestBody } from '../harness/builders/payment-requests.ts';
import { type Answer, type TestService, testAccount } from '../harness/service.ts';

export interface EventSeen {
  version: number;
  type: string;
  actor: string;
  data: Record<string, unknown>;
  /** True if webhooks will deliver it. */
  queued: boolean;
}

/** Shortcuts for the calls of an account holder and of the sandbox's third parties. */
export interface Player {
  /** Creates a payment request that is due in ten days. Returns its id. */
  create(fields?: Record<string, unknown>): Promise<number>;
  get(id: number, query?: string): Promise<Answer['body']>;
  pay(id: number, body?: Record<string, unknown>): Promise<Answer>;
  refund(id: number, body?: Record<string, unknown>): Promise<Answer>;
  chargeback(id: number, body?: Record<string, unknown>): Promise<Answer>;
  /** Moves the clock; `{ minutes: 0 }` runs what is due now. */
  move(body: Record<string, unknown>): Promise<Answer>;
  /** Returns the available and the unavailable balance, in pesos. */
  balances(): Promise<[number, number]>;
  /** Returns the audit's findings as sentences. */
  faults(): Promise<string[]>;
  events(id: number): Promise<EventSeen[]>;
}

export function playerOf(service: TestService): Player {
  const { call, sql } = service;
  const post = (path: string, body: unknown = {}) => call('POST', path, { body });
  return {
    async create(fields = {}) {
      const { status, body } = await post('/payment-request', paymentRequestBody(service, fields));
      if (status !== 201) throw new Error(`not created: ${JSON.stringify(body)}`);
      return body.id;
    },
    get: async (id, query = '') => (await call('GET', `/payment-request/${id}${query}`)).body,
    pay: (id, body) => post(`/sandbox/pay/${id}`, body),
    refund: (id, body) => post(`/sandbox/refund/${id}`, body),
    chargeback: (id, body) => post(`/sandbox/chargeback/${id}`, body),
    move: (body) => post('/sandbox/clock', body),
    async balances() {
      const { body } = await call('GET', '/account/balances');
      return [body.available_balance, body.unavailable_balance];
    },
    faults: async () => (await auditAccount(sql, testAccount)).map(({ what }) => what),
    events: async (id) =>
      await sql<EventSeen[]>`
        select e.version, e.type, e.actor, e.data, o.event_id is not null as queued
        from events e left join outbox o on o.account_id = e.account_id and o.event_id = e.id
        where e.account_id = ${testAccount} and e.entity = 'payment_request'
          and e.entity_id = ${String(id)}
        order by e.version`,
  };
}

/** Returns the day `days` after the service's today, as calls expect it. */
export function dayIn(service: TestService, days: number): string {
  const day = service.service.parts.clocks.business.today().add({ days });
  const [year, month, date] = day.toString().split('-');
  return `${date}-${month}-${year}`;
}

/** No background worker: due work runs when a test moves the clock. */
export const withoutWorker = { ROLES: 'payments' };
