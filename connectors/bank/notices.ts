import { timingSafeEqual } from 'node:crypto';
import { Type } from 'typebox';
import type { Page, PageRequest } from '../protocol/connector.ts';
import { reader } from '../protocol/faults.ts';
import type { Notifier } from '../protocol/notify.ts';
import {
  attemptIn,
  centavosOf,
  type Debin,
  type Desk,
  pageOf,
  readById,
  stateOf,
} from './debin.ts';
import { type ListWindow, rowsOf } from './lists.ts';
import { receivedIn, tellTransfer, transferById } from './transfers.ts';

type Tell = Notifier['tell'];

/** Less than the bank's timeout of three seconds. */
const answersWithinMs = 2_500;

const readNotice = reader(
  Type.Object({
    type: Type.String(),
    data: Type.Optional(Type.Object({ id: Type.Optional(Type.Unknown()) })),
  }),
);

/**
 * Reports a DEBIN of ours that is no longer pending, and its chargeback if the payer disowned it.
 */
async function tellDebin(desk: Desk, tell: Tell, debin: Debin): Promise<void> {
  const attempt = attemptIn(desk, debin);
  if (!attempt || stateOf(debin) === 'pending') return;
  await tell({ type: 'charge.changed', attempt }, stateOf(debin));
  if (debin.status !== 'REFUNDED') return;
  const { id } = debin;
  const amount = centavosOf(debin.charge.value.amount);
  await tell({ type: 'charge.charged_back', id, attempt, amount, reference: id });
}

/**
 * Reads several days of the lists. Reports each transfer that arrived and each DEBIN of ours that
 * is no longer pending, because its notice may have been lost.
 */
export async function tellListed(desk: Desk, tell: Tell, window: ListWindow): Promise<void> {
  const signal = AbortSignal.timeout(120_000);
  for await (const transfer of receivedIn(desk, window, signal)) await tellTransfer(tell, transfer);
  for await (const debin of rowsOf((page) => pageOf(desk, window, page, signal))) {
    await tellDebin(desk, tell, debin);
  }
}

const isSecret = (given: string, own: string): boolean => {
  const [a, b] = [Buffer.from(given), Buffer.from(own)];
  return a.length === b.length && timingSafeEqual(a, b);
};

const answer = (status: number): Page => ({ status, headers: {}, body: '' });

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * Receives the bank's notices. They are unsigned, so each is only a hint: the connector queries the
 * bank and reports its answer. Accepts and ignores notices about other subjects.
 */
export async function noticePage(
  desk: Desk,
  tell: Tell,
  { method, path, query, body }: PageRequest,
): Promise<Page | null> {
  if (method !== 'POST' || path !== '/bank') return null;
  // The secret is in the query, which is never logged.
  if (!isSecret(query.get('secret') ?? '', desk.config.noticeSecret)) return answer(404);
  const notice = readNotice(jsonIn(body));
  if ('fault' in notice) return answer(400);
  const { type, data } = notice.value;
  const { id } = data ?? {};
  if (typeof id !== 'string' || !/^[A-Za-z0-9_.-]{1,64}$/.test(id)) return answer(200);
  const signal = AbortSignal.timeout(answersWithinMs);
  if (type.startsWith('debin.')) {
    const debin = await readById(desk, id, signal);
    if (debin) await tellDebin(desk, tell, debin);
  } else if (type === 'transfer.cvu.received') {
    const transfer = await transferById(desk, id, signal);
    if (transfer) await tellTransfer(tell, transfer);
  }
  // transfer.cvu.reversed is about transfers sent from a CVU, which this service never does.
  return answer(200);
}
