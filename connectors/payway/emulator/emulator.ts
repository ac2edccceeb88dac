import { type Answer, type Listening, openHttp, type Request } from '../../protocol/http.ts';
import { challengePage, fingerprintPage } from './acs.ts';
import { invalid, jsonAnswer, notFound, paymentBody, Refused, unauthorized } from './answers.ts';
import { type Book, openBook, type Payment } from './book.ts';
import { Dropped, instruction, pay, type Timing, tokenise } from './pay.ts';
import { refund, refundsOf, takeBack } from './refund.ts';

export interface EmulatorOptions {
  host: string;
  port: number;
  dataDir: string;
  publicKey: string;
  privateKey: string;
  timing: Timing;
  /** True if payments of an open lot can be refunded; otherwise refunds fail until it closes. */
  sameDayRefunds: boolean;
  /** True if payments can be searched by their reference; some sites answer 400. */
  searchByReference: boolean;
  /** True if the site's fraud control refuses payments without `fraud_detection`. */
  fraudControl: boolean;
  now?: () => number;
}

const base = '/api/v2';

function objectOf({ body }: Request): Record<string, unknown> {
  if (body === '') return {};
  try {
    const value = JSON.parse(body);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below, like other non-objects.
  }
  throw invalid('invalid_param', 'body');
}

interface Desk extends Required<EmulatorOptions> {
  book: Book;
  origin: () => string;
}

const unauthenticated = {
  type: 'cybersource_error',
  reason: { id: -1, description: 'AUTENTICACION RECHAZADA' },
};

/**
 * Returns a payment as of now: its review may have ended, or its payer may have run out of time.
 */
async function current(desk: Desk, payment: Payment): Promise<Payment> {
  if (payment.settles_at === null || payment.settles_at > desk.now()) return payment;
  const settled: Payment =
    payment.status === 'review'
      ? { ...payment, status: 'approved', settles_at: null }
      : { ...payment, status: 'rejected', settles_at: null, error: unauthenticated };
  await desk.book.save(settled);
  return settled;
}

async function visible(desk: Desk, payment: Payment | null): Promise<Payment | null> {
  if (!payment || payment.hidden_until > desk.now()) return null;
  return await current(desk, payment);
}

async function search(desk: Desk, query: URLSearchParams): Promise<Answer> {
  const reference = query.get('siteOperationId');
  if (reference !== null && !desk.searchByReference) {
    throw invalid('invalid_param', 'query_params_siteOperationId');
  }
  const offset = Number(query.get('offset') ?? 0);
  const limit = Math.min(Number(query.get('pageSize') ?? 50), 50);
  const rows =
    reference === null
      ? desk.book.list(offset, limit)
      : [desk.book.byReference(reference)].filter((one) => one !== null);
  const seen = await Promise.all(rows.map((one) => visible(desk, one)));
  const results = seen.filter((one) => one !== null).map(paymentBody);
  const hasMore = reference === null && rows.length === limit;
  return jsonAnswer(200, { limit, offset, results, hasMore });
}

/** `POST /threeds/instruction`: the result of the browser's step. */
async function instruct(desk: Desk, body: Record<string, unknown>): Promise<Answer> {
  const payment = await visible(desk, desk.book.payment(Number(body.id)));
  if (!payment) throw notFound('payment', String(body.id));
  if (!payment.status.endsWith('pending')) return jsonAnswer(200, paymentBody(payment));
  if (payment.status === 'fingerprint pending' && payment.challenge) {
    const next = { ...payment, status: 'challenge pending' };
    await desk.book.save(next);
    return jsonAnswer(200, instruction(next, desk.origin()));
  }
  const refused = body.instruction_value === 'N';
  const ended: Payment = refused
    ? { ...payment, status: 'rejected', settles_at: null, error: unauthenticated }
    : { ...payment, status: 'approved', settles_at: null };
  await desk.book.save(ended);
  return jsonAnswer(refused ? 402 : 200, paymentBody(ended));
}

async function aboutPayment(desk: Desk, request: Request, parts: string[]): Promise<Answer> {
  const [id = '', room, refundId] = parts;
  const payment = await visible(desk, desk.book.payment(Number(id)));
  if (!payment) throw notFound('payment', id);
  const { method } = request;
  if (room === undefined && method === 'GET') return jsonAnswer(200, paymentBody(payment));
  if (room !== 'refunds') throw notFound('', '');
  if (refundId !== undefined && method === 'DELETE') {
    return await takeBack(desk.book, payment, Number(refundId), desk.now());
  }
  if (method === 'GET') return refundsOf(payment);
  const { sameDayRefunds: sameDay, now } = desk;
  return await refund(desk.book, payment, objectOf(request), { sameDay, now: now() });
}

const preflight: Answer = {
  status: 204,
  headers: {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': 'apikey, content-type, cache-control, x-consumer-username',
  },
  body: '',
};

/** `GET /usersite/{user}/cardtokens`: the cards on file of a user. */
const cardsOf = ({ book }: Desk, user: string): Answer =>
  jsonAnswer(200, {
    tokens: book.cardTokensOf(decodeURIComponent(user)).map(({ id, method, token }) => ({
      token: id,
      payment_method_id: method,
      bin: token.bin,
      last_four_digits: token.lastFour,
      expiration_month: '08',
      expiration_year: '30',
      expired: false,
      card_holder: token.holder,
    })),
  });

async function privately(desk: Desk, request: Request): Promise<Answer> {
  const { method, path, query } = request;
  const [room, ...parts] = path.slice(base.length + 1).split('/');
  if (room === 'payments' && parts.length === 0) {
    if (method === 'GET') return await search(desk, query);
    const { timing, fraudControl, now } = desk;
    const terms = { timing, fraudControl, origin: desk.origin(), now };
    return await pay(desk.book, objectOf(request), terms);
  }
  if (room === 'usersite' && parts[1] === 'cardtokens') return cardsOf(desk, parts[0] ?? '');
  if (room === 'cardtokens' && method === 'DELETE') {
    if (!(await desk.book.forgetCard(parts[0] ?? ''))) throw notFound('cardtoken', parts[0] ?? '');
    return { status: 204, headers: {}, body: '' };
  }
  if (room === 'payments') return await aboutPayment(desk, request, parts);
  if (room === 'threeds') return await instruct(desk, objectOf(request));
  throw notFound('', '');
}

async function route(desk: Desk, request: Request): Promise<Answer> {
  const { method, path, headers } = request;
  if (method === 'OPTIONS') return preflight;
  if (path === `${base}/healthcheck`) {
    return jsonAnswer(200, { name: 'emulator', version: '1', buildTime: '' });
  }
  if (path === '/acs/fingerprint') return fingerprintPage();
  if (path === '/acs/challenge') return challengePage();
  const key = headers.apikey;
  if (key !== desk.publicKey && key !== desk.privateKey) throw unauthorized(401);
  if (path === `${base}/tokens`) {
    if (key !== desk.publicKey) throw unauthorized(403);
    return await tokenise(desk.book, objectOf(request), desk.now());
  }
  if (path === `${base}/frauddetectionconf`) {
    const org_id = desk.fraudControl ? 'emulator' : '';
    return jsonAnswer(200, { org_id, merchant_id: 'merchant-' });
  }
  if (key !== desk.privateKey) throw unauthorized(403);
  if (path === '/api/v1/closures/batchclosure') {
    const method = objectOf(request).payment_method_id;
    const closed = await desk.book.closeLots(typeof method === 'number' ? method : null);
    return jsonAnswer(200, { closed });
  }
  return await privately(desk, request);
}

/**
 * Emulates the acquirer of `connectors/payway`. Written from public documents and transcripts in
 * public tests: good for trying the connector, not for certifying it.
 */
export async function startEmulator(options: EmulatorOptions): Promise<Listening> {
  const book = openBook(options.dataDir);
  let origin = '';
  const desk: Desk = { now: () => Date.now(), ...options, book, origin: () => origin };
  const listening = await openHttp(options, async (request) => {
    try {
      return await route(desk, request);
    } catch (error) {
      if (error instanceof Refused) return error.answer;
      if (error instanceof Dropped) return 'drop';
      throw error;
    }
  });
  origin = listening.origin;
  return {
    origin,
    stop: async () => {
      await listening.stop();
      book.close();
    },
  };
}
