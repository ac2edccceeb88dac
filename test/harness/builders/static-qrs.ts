import { expect } from 'vitest';
import { auditAccount } from '../../../src/audit/index.ts';
import { type Answer, type TestService, testAccount } from '../service.ts';

/** Returns a valid body of POST /create-qr. */
export const staticBody = (fields: Record<string, unknown> = {}): Record<string, unknown> => ({
  id: 'CAJA1',
  qr_type: 'static_closed_amount',
  qr_name: 'Caja 1',
  city: 'Córdoba',
  postal_code: 'X5000ABC',
  multiple_payment: 'true',
  description: 'Entradas del museo',
  payer_name: 'Visitantes',
  ...fields,
});

export interface Walls {
  /** Creates a static QR with its own id. Returns the response body. */
  create(fields?: Record<string, unknown>): Promise<Answer['body']>;
  /** Requests an amount with a static QR. */
  ask(qrString: string, fields?: Record<string, unknown>): Promise<Answer>;
  /** Requests an amount, which must succeed. Returns the id of the transaction. */
  asked(qrString: string, fields?: Record<string, unknown>): Promise<string>;
  pay(qrId: string, body?: Record<string, unknown>): Promise<Answer>;
  status(qrId: string): Promise<Answer['body']>;
  move(body: Record<string, unknown>): Promise<Answer['body']>;
  /** Returns the types of a QR's events, in order. */
  events(entity: 'qr' | 'static_qr', id: string): Promise<string[]>;
  /** Fails if the audit of the account finds a fault. */
  audit(): Promise<void>;
}

export function wallsOf({ call, sql }: TestService): Walls {
  let made = 0;
  const ask: Walls['ask'] = (qrString, fields = {}) =>
    call('PUT', `/new-transaction?data=${encodeURIComponent(qrString)}`, {
      body: { first_total: 150.5, ...fields },
    });
  return {
    async create(fields = {}) {
      made += 1;
      const body = staticBody({ id: `WALL-${made}`, ...fields });
      const answer = await call('POST', '/create-qr', { body });
      expect(answer.status, answer.text).toBe(201);
      return answer.body;
    },
    ask,
    async asked(qrString, fields) {
      const answer = await ask(qrString, fields);
      expect(answer.status, answer.text).toBe(200);
      return answer.body.qr_id;
    },
    pay: (qrId, body = {}) => call('POST', `/pay-qr-static/${qrId}`, { body }),
    status: async (qrId) => (await call('GET', `/status-static/${qrId}`)).body,
    move: async (body) => (await call('POST', '/sandbox/clock', { body })).body,
    async events(entity, id) {
      const rows = await sql<{ type: string }[]>`
        select type from events
        where account_id = ${testAccount} and entity = ${entity} and entity_id = ${id}
        order by version`;
      return rows.map(({ type }) => type);
    },
    audit: async () => expect(await auditAccount(sql, testAccount)).toEqual([]),
  };
}

/** No background worker: due work runs when a test moves the clock. */
export const withoutWorker = { ROLES: 'payments,qr' };
