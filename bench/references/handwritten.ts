import fastify, { type FastifyReply, type FastifyRequest } from 'fastify';
import { createAuthenticator } from '../../src/accounts/index.ts';
import { channelCodes } from '../../src/money/channels/index.ts';
import { readResults } from '../../src/money/collections/store.ts';
import { isPaymentRequest } from '../../src/payment-requests/details.ts';
import { presentCreated, presentPaymentRequest } from '../../src/payment-requests/present.ts';
import { paymentRequestForm } from '../../src/payment-requests/schema.ts';
import { actorText } from '../../src/platform/actor.ts';
import { createClocks } from '../../src/platform/clocks.ts';
import { Refusal } from '../../src/platform/errors.ts';
import { readForm, unwrap } from '../../src/platform/http/form.ts';
import type { Caller } from '../../src/platform/http/gate.ts';
import { createLinks } from '../../src/platform/links.ts';
import { connect, type Sql } from '../../src/platform/postgres/connect.ts';
import { idBlocks } from '../../src/platform/postgres/id-blocks.ts';
import { readRequests } from '../../src/requests/index.ts';
import { eventDataOf, newRow, type Row } from '../harness/rows.ts';
import { listen } from './listen.ts';
import { oneKey } from './one-key.ts';

export interface HandwrittenOptions {
  databaseUrl: string;
  /** Connections to the database: as many as the service has. */
  pool: number;
}

/** One request and its event, durable when it answers: one statement for each call. */
const insertOne = (sql: Sql, row: Row, eventId: number, actor: string) => sql`
  with created as (
    insert into requests (account_id, id, kind, state, version, created_at, reference, payer,
      description, due1, total1, due2, total2, last_due, code, details)
    values (${row.account_id}, ${row.id}, ${row.kind}, ${row.state}, ${row.version},
      ${row.created_at}::timestamptz, ${row.reference}, ${row.payer}, ${row.description},
      ${row.due1}::date, ${row.total1}, ${row.due2}::date, ${row.total2}, ${row.last_due}::date,
      ${row.code}, ${row.details}::json)
  )
  insert into events (account_id, entity, entity_id, version, id, type, at, actor, data)
  values (${row.account_id}, ${row.kind}, ${String(row.id)}, ${row.version}, ${eventId},
    'payment_request.created', ${row.created_at}::timestamptz, ${actor},
    ${eventDataOf(row)}::json)`;

/**
 * (b) What one would write by hand: Fastify with its own parser, the same key check and rules, the
 * same rows and indexes, one durable INSERT for each call. No log, no measures, no idempotency.
 */
export async function serveHandwritten(options: HandwrittenOptions): Promise<string> {
  const sql = connect(options.databaseUrl, { max: options.pool, applicationName: 'handwritten' });
  const clocks = await createClocks(sql);
  const { authenticate } = createAuthenticator(sql, clocks.wall, {
    begin: () => null,
    wasRight() {},
  });
  const requestIds = idBlocks(sql, 'request_ids');
  const recordIds = idBlocks(sql, 'record_ids');
  const app = fastify();
  const links = createLinks('http://127.0.0.1', oneKey);

  const admit = async (request: FastifyRequest, permission: string): Promise<Caller> => {
    const caller = await authenticate(request.headers.authorization, '');
    if (!caller.permissions.has(permission)) throw new Refusal('forbidden', 'Not permitted.');
    return caller;
  };

  app.setErrorHandler((error, _request, reply: FastifyReply) => {
    const status = error instanceof Refusal ? error.status : 500;
    return reply.code(status).send({ code: status, message: String(error) });
  });

  app.post('/payment-request', async (request, reply) => {
    const { accountId, actor } = await admit(request, 'write');
    const today = clocks.business.today();
    const input = readForm(paymentRequestForm, unwrap(request.body, 'payment_request'), {
      today,
      offered: channelCodes,
      barcode: '0448',
    });
    const [id, eventId] = await Promise.all([requestIds.next(), recordIds.next()]);
    const row = newRow(accountId, id, clocks.business.now(), input);
    await insertOne(sql, row, eventId, actorText(actor));
    return reply.code(201).send(presentCreated(row, links, today));
  });

  app.get<{ Params: { id: string } }>('/payment-request/:id', async (request, reply) => {
    const { accountId } = await admit(request, 'read');
    const key = { accountId, id: Number(request.params.id) };
    const [[found], results] = await Promise.all([
      readRequests(sql, [key]),
      readResults(sql, [key]),
    ]);
    if (!found || !isPaymentRequest(found))
      return reply.code(404).send({ code: 404, message: 'Not found.' });
    const today = clocks.business.today();
    return presentPaymentRequest(found, links, today, { results, retentions: null });
  });
  return await listen(app);
}
