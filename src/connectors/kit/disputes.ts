import type { Notice } from '../../../connectors/protocol/messages.ts';
import type { Check } from './check.ts';
import type { Listener } from './notices.ts';
import { must, NotOffered, type Order, put, type Session } from './session.ts';

type Disputed = Extract<Notice, { type: 'dispute.changed' }>;

const isDispute = (notice: Notice): notice is Disputed => notice.type === 'dispute.changed';

/** Disputes a payment, and waits for the decision. */
async function play(session: Session, listener: Listener | null) {
  if (!session.manifest.notices.includes('dispute.changed')) {
    throw new NotOffered('The manifest names no notice dispute.changed.');
  }
  if (!listener) throw new NotOffered('The kit does not listen: --listen says where.');
  const order: Order = await session.orderOf('disputed');
  const outcome = await put(session, order);
  must(outcome.outcome === 'approved', `It was answered with ${outcome.outcome}.`);
  const told = await session.until(
    async () => listener.notices.filter(isDispute).filter((one) => one.attempt === order.attempt),
    (all) => all.some(({ taken }) => taken > 0) && all.some(({ taken }) => taken === 0),
  );
  return { order, told };
}

/** Checks that need a listening kit and a connector that reports disputes. */
export const disputeChecks = (listener: Listener | null): readonly Check[] => [
  {
    guarantee: 'a dispute is told as it is opened and decided, with the money that it holds back',
    try: async (session) => {
      const { order, told } = await play(session, listener);
      const sorted = told.toSorted((one, other) => one.revision - other.revision);
      const [first, last] = [sorted[0], sorted.at(-1)];
      must(first !== undefined && last !== undefined, 'No notice of it was taken.');
      must(new Set(told.map(({ id }) => id)).size === 1, 'Its id changed.');
      must(first.revision < last.revision, 'Its revision did not grow.');
      must(first.state === 'opened' || first.state === 'evidence_due', `It was ${first.state}.`);
      must(first.amount === order.amount, `${first.amount} centavos were disputed.`);
      must(first.taken <= order.amount, `${first.taken} centavos were held back.`);
      must(last.taken === 0, `${last.taken} centavos stay held back of what was won.`);
      must(last.state === 'won', `In the end it was ${last.state}.`);
    },
  },
  {
    guarantee: 'a dispute that waits for evidence says until when',
    try: async (session) => {
      const { told } = await play(session, listener);
      const waiting = told.find(({ state }) => state === 'evidence_due');
      if (!waiting) throw new NotOffered('Its dispute did not wait for evidence.');
      const due = waiting.evidence_due_at;
      must(due !== undefined, 'It says no moment.');
      must(Temporal.Instant.from(due).epochMilliseconds > session.nowMs(), `${due} has passed.`);
    },
  },
];
