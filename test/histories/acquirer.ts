import { bodyFor } from '../../connectors/protocol/signature.ts';
import { approvedAs, type Call, playConnector } from '../connectors/played.ts';
import type { Sent } from './deployment.ts';

/**
 * Simulates an acquirer of DEBIN and debit cards behind a connector. It also keeps cards for
 * debits, and can authorize a card before it captures. The history decides the outcome of each
 * charge.
 */
export interface Acquirer {
  /** Entry of CONNECTORS. */
  entry: object;
  /** Sets the outcomes of the next orders for a request, in order. The last one repeats. */
  plan(requestId: number, ...outcomes: Outcome[]): void;
  /** Returns the ids of the charges that were ordered for a request. */
  ordered(requestId: number): string[];
  /** Decides an open charge, or changes a decision. */
  decide(attempt: string, outcome: Outcome): void;
  /** Returns a notice as the connector sends it, with a fresh signature each time. */
  tells(notice: object): Sent;
  stop(): Promise<void>;
}

export const acquirerPath = '/connectors/acquirer/notices';

export type Outcome =
  | { says: 'approved'; amount: number; decidedAt?: string }
  | { says: 'rejected' | 'pending' | 'unheard' };

const daySeconds = 86_400;

/** Tracks holds by charge: an approved charge is held first, then captured or voided. */
function openHolds() {
  const ends = new Map<string, 'held' | 'capture' | 'void'>();
  return {
    begin: (attempt: string) => ends.set(attempt, 'held'),
    end({ path, attempt }: Call): void {
      const end = path.endsWith('/void') ? 'void' : 'capture';
      if (ends.get(attempt ?? '') === 'held') ends.set(attempt ?? '', end);
    },
    /** Returns the approval, unless the charge is still held or was voided. */
    said(attempt: string, approval: { json: object }) {
      const end = ends.get(attempt) ?? 'capture';
      if (end === 'void') return { json: { outcome: 'canceled' } };
      if (end === 'capture') return approval;
      const until = { expires_at: '2999-01-01T00:00:00Z' };
      return { json: { ...approval.json, outcome: 'authorized', ...until } };
    },
  };
}

const answerOf = (attempt: string, outcome: Outcome, holds: ReturnType<typeof openHolds>) => {
  switch (outcome.says) {
    case 'approved': {
      const told = { decided_at: outcome.decidedAt };
      return holds.said(attempt, approvedAs(`ref-${attempt}`, outcome.amount, told));
    }
    case 'rejected':
      return { json: { outcome: 'rejected', code: '51', text: 'No.', retry: 'same_later' } };
    case 'pending':
      return { json: { outcome: 'pending', ask_after_s: daySeconds } };
    case 'unheard':
      return { json: { outcome: 'unheard' } };
  }
};

/** Decides refunds by their cents, as the simulator does. */
function refundsByCents() {
  const asked = new Map<string, { amount: number; at: number }>();
  return ({ method, path, body }: Call) => {
    const { pathname, searchParams } = new URL(path, 'http://acquirer');
    const now = Date.parse(body?.business_time ?? searchParams.get('business_time') ?? '');
    const known = asked.get(pathname);
    if (method === 'PUT' && !known) asked.set(pathname, { amount: body.amount, at: now });
    const refund = asked.get(pathname);
    if (!refund) return { json: { outcome: 'unheard' } };
    const cents = refund.amount % 100;
    if (cents >= 91 && cents <= 93) return { json: { outcome: 'failed', code: '12', text: 'No.' } };
    if (cents === 94 && now < refund.at + (daySeconds - 60) * 1000) {
      return { json: { outcome: 'pending', ask_after_s: daySeconds } };
    }
    return { json: { outcome: 'done', reference: `back ${pathname.split('/').at(-1)}` } };
  };
}

export async function openAcquirer(): Promise<Acquirer> {
  const origin = 'http://127.0.0.1:9';
  const browser = { kind: 'frame', url: `${origin}/card`, origin };
  const played = await playConnector('acquirer', [
    'DEBIN',
    { channel: 'debit_card', browser, keeps_cards: true, captures: true },
  ]);
  const plans = new Map<string, Outcome[]>();
  const planned = (id: string): Outcome | undefined => {
    const [first, ...others] = plans.get(id) ?? [];
    if (others.length > 0) plans.set(id, others);
    return first;
  };
  const orders = new Map<string, string[]>();
  const holds = openHolds();
  const charges = new Map<string, Outcome>();
  played.plays.charge = ({ attempt, body }) => {
    const { id } = body.request;
    const name = attempt ?? '';
    const all = orders.get(id) ?? [];
    if (!all.includes(name)) orders.set(id, [...all, name]);
    const outcome = charges.get(name) ?? planned(id) ?? { says: 'approved', amount: body.amount };
    if (!charges.has(name) && body.authorize_only === true) holds.begin(name);
    charges.set(name, outcome);
    if (outcome.says === 'unheard') return (response) => response.destroy();
    return answerOf(name, outcome, holds);
  };
  const said = (attempt: string | null) =>
    answerOf(attempt ?? '', charges.get(attempt ?? '') ?? { says: 'unheard' }, holds);
  played.plays.inquiry = ({ attempt }) => said(attempt);
  played.plays.hold = (call) => {
    holds.end(call);
    return said(call.attempt);
  };
  played.plays.refund = refundsByCents();
  return {
    entry: played.configured(),
    plan: (requestId, ...outcomes) => plans.set(String(requestId), outcomes),
    ordered: (requestId) => orders.get(String(requestId)) ?? [],
    decide: (attempt, outcome) => charges.set(attempt, outcome),
    tells(notice) {
      const body = bodyFor('POST', acquirerPath, notice);
      return { body, as: null, headers: () => ({ ...played.signed(body) }) };
    },
    stop: () => played.stop(),
  };
}
