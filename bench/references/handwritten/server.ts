import fastify, { type FastifyInstance } from 'fastify';
import { Pool } from 'pg';
import { listen } from '../listen.ts';
import { createKeyCheck, Refused } from './key-check.ts';
import { anySlot, availableOn, balancesText, payText } from './pay.ts';
import {
  bodySchema,
  hereAt,
  presented,
  presentedHolder,
  presentedResult,
  type ResultRow,
  type Row,
  rowOf,
  type Sent,
} from './payment-request.ts';
import { presentedQr, type QrRow, statusText } from './qr.ts';

export interface HandwrittenOptions {
  databaseUrl: string;
  /** Connections to the database, as many as the service has. */
  pool: number;
  /** Answers all reads from memory with the first read's answer. */
  remember?: boolean;
}

/** Generates ids from a sequence, a thousand per value. */
function createIds(pool: Pool, sequence: string) {
  let block = Promise.resolve({ next: 0, end: 0 });
  const draw = async () => {
    const { rows } = await pool.query<{ first: string }>(`select nextval('${sequence}') as first`);
    const first = Number(rows[0]?.first);
    return { next: first, end: first + 1000 };
  };
  return async function next(): Promise<number> {
    const asked = block;
    const mine = await asked;
    if (mine.next < mine.end) return mine.next++;
    if (block === asked) block = draw();
    return await next();
  };
}

/** Creates a request and its event durably, in one statement per call. */
const insertText = `
  with created as (
    insert into requests (account_id, id, kind, state, version, created_at, reference, payer,
      description, due1, total1, due2, total2, last_due, details, place)
    values ($1, $2, 'payment_request', 'pending', 1, $3, $4, $5, $6, $7, $8, $9, $10,
      coalesce($9::date, $7::date), $11::json, 0)
  )
  insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
  values ($1, 'payment_request', $2::bigint::text, 1, $12, 'payment_request.created', $3, $13,
    $14::json)`;

const readText = `
  select r.id::int, r.state, r.created_at, r.reference, r.payer, r.description, r.due1::text,
    r.total1::float8, r.due2::text, r.total2::float8, r.details, coalesce((
      select json_agg(p order by p.id) from results p
      where p.account_id = r.account_id and p.request_id = r.id
    ), '[]') as results
  from requests r
  where r.account_id = $1 and r.id = $2 and r.kind = 'payment_request'`;

interface Hand {
  app: FastifyInstance;
  pool: Pool;
  callerOf: ReturnType<typeof createKeyCheck>;
  requestId: () => Promise<number>;
  recordId: () => Promise<number>;
}

type ReadRow = Row & { results: ResultRow[] };

const idParams = {
  params: { type: 'object', properties: { id: { type: 'integer' } } },
} as const;

const shown = (row: ReadRow, accountId: string, now: Date) => ({
  ...presented(row, accountId, now),
  request_result: row.results.map(presentedResult),
  ...presentedHolder(row, row.results),
});

function addCreate({ app, pool, callerOf, requestId, recordId }: Hand): void {
  app.post<{ Body: { payment_request: Sent } }>(
    '/payment-request',
    { schema: { body: bodySchema } },
    async (request, reply) => {
      const { accountId, actor } = await callerOf(request.headers.authorization, 'write');
      const [id, event] = await Promise.all([requestId(), recordId()]);
      const now = new Date();
      const row = rowOf(request.body.payment_request, id, now);
      const told = {
        state: row.state,
        ...(row.reference !== null && { external_reference: row.reference }),
        amount: row.total1 / 100,
      };
      await pool.query({
        name: 'insert',
        text: insertText,
        values: [
          accountId,
          id,
          now,
          row.reference,
          row.payer,
          row.description,
          row.due1,
          row.total1,
          row.due2,
          row.total2,
          JSON.stringify(row.details),
          event,
          actor,
          JSON.stringify(told),
        ],
      });
      return reply.code(201).send(presented(row, accountId, now));
    },
  );
}

function addReads({ app, pool, callerOf }: Hand, remember: boolean): void {
  let kept: ReadRow | null = null;
  const read = async (accountId: string, id: number): Promise<ReadRow> => {
    if (kept) return kept;
    const query = { name: 'read', text: readText, values: [accountId, id] };
    const [row] = (await pool.query<ReadRow>(query)).rows;
    if (!row) throw new Refused(404, 'There is no payment request with this id.');
    if (remember) kept = row;
    return row;
  };
  app.get<{ Params: { id: number } }>(
    '/payment-request/:id',
    { schema: idParams },
    async (request) => {
      const { accountId } = await callerOf(request.headers.authorization, 'read');
      return shown(await read(accountId, request.params.id), accountId, new Date());
    },
  );
  app.get<{ Params: { id: string } }>('/status/:id', async (request) => {
    const { accountId } = await callerOf(request.headers.authorization, 'read');
    const { id } = request.params;
    const code = id.startsWith(`${accountId}-`) ? id : `${accountId}-${id}`;
    const query = { name: 'status', text: statusText, values: [accountId, code] };
    const [row] = (await pool.query<QrRow>(query)).rows;
    if (!row) throw new Refused(404, 'There is no QR with this id.');
    return presentedQr(row, new Date());
  });
}

function addMoney({ app, pool, callerOf, recordId }: Hand): void {
  app.post<{ Params: { id: number } }>(
    '/sandbox/pay/:id',
    { schema: idParams },
    async (request) => {
      const { accountId, actor } = await callerOf(request.headers.authorization, 'sandbox');
      const [result, event] = await Promise.all([recordId(), recordId()]);
      const now = new Date();
      const today = hereAt(now).slice(0, 10);
      const { id } = request.params;
      const values = [
        accountId,
        id,
        result,
        event,
        now,
        today,
        availableOn(today),
        actor,
        anySlot(),
      ];
      const [row] = (await pool.query<ReadRow>({ name: 'pay', text: payText, values })).rows;
      if (!row) throw new Refused(409, 'No pending payment request has this id.');
      return shown(row, accountId, now);
    },
  );
  app.get('/account/balances', async (request) => {
    const { accountId } = await callerOf(request.headers.authorization, 'read');
    const query = { name: 'balances', text: balancesText, values: [accountId] };
    const [row] = (await pool.query<{ unavailable: number }>(query)).rows;
    return {
      user_account_id: accountId,
      available_balance: 0,
      unavailable_balance: (row?.unavailable ?? 0) / 100,
    };
  });
}

/**
 * (b) A typical hand-written server, without any code of the service: Fastify with its own parser
 * and schema, `pg` with prepared statements, the same rows and indexes, and one durable statement
 * or SELECT per call. No logging, metrics, idempotency or ledger.
 */
export function createHandwritten(options: HandwrittenOptions): FastifyInstance {
  const pool = new Pool({ connectionString: options.databaseUrl, max: options.pool });
  // An idle connection was lost; the next call gets another.
  pool.on('error', () => {});
  const app = fastify();
  app.addHook('onClose', () => pool.end());
  app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
    const code = error.statusCode ?? 500;
    return reply.code(code).send({ code, message: error.message });
  });
  const hand: Hand = {
    app,
    pool,
    callerOf: createKeyCheck(pool),
    requestId: createIds(pool, 'request_ids'),
    recordId: createIds(pool, 'record_ids'),
  };
  addCreate(hand);
  addReads(hand, options.remember ?? false);
  addMoney(hand);
  return app;
}

export const serveHandwritten = (options: HandwrittenOptions): Promise<string> =>
  listen(createHandwritten(options));
