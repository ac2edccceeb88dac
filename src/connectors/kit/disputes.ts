import type { Notice } from '../../../connectors/protocol/messages.ts';
import type { Check } from './check.ts';
import type { Listener } from './notices.ts';
import { must, NotOffered, type Order, put, type Session } from './session.ts';

type Disputed = Extract<Notice, { type: 'dispute.changed' }>;

const isDispute = (notice: Notice): notice is Disputed => notice.type === 'dispute.changed';

/** Makes a charge that its payer disputes, and waits until the withheld money is returned. */
async function play(session: Session, listener: Listener | null) {
  if (!session.manifest.notices.includes('dispute.changed')) {
    throw new NotOffered('The manifest does not list the notice dispute.changed.');
  }
  if (!listener) throw new NotOffered('The kit needs --listen to receive notices.');
  const order: Order = await session.orderOf('disputed');
  const outcome = await put(session, order);
  must(outcome.outcome === 'approved', `The outcome was ${outcome.outcome}.`);
  const notices = await session.until(
    async () => listener.notices.filter(isDispute).filter((one) => one.attempt === order.attempt),
    (all) => all.some(({ taken }) => taken > 0) && all.some(({ taken }) => taken === 0),
  );
  return { order, notices };
}

/** Checks that need a listening kit and a connector that reports disputes. */
export const disputeChecks = (listener: Listener | null): readonly Check[] => [
  {
    guarantee: 'notices report the opening and the decision of a dispute, and the money withheld',
    try: async (session) => {
      const { order, notices } = await play(session, listener);
      const sorted = notices.toSorted((one, other) => one.revision - other.revision);
      const [first, last] = [sorted[0], sorted.at(-1)];
      must(first !== undefined && last !== undefined, 'The kit received no valid notice of it.');
      must(new Set(notices.map(({ id }) => id)).size === 1, 'Its id changed.');
      must(first.revision < last.revision, 'Its revision did not increase.');
      must(
        first.state === 'opened' || first.state === 'evidence_due',
        `Its first state was ${first.state}.`,
      );
      must(first.amount === order.amount, `${first.amount} centavos were disputed.`);
      must(first.taken <= order.amount, `${first.taken} centavos were withheld.`);
      must(last.taken === 0, `${last.taken} centavos are still withheld after it was won.`);
      must(last.state === 'won', `Its final state was ${last.state}.`);
    },
  },
  {
    guarantee: 'a dispute that waits for evidence has a deadline',
    try: async (session) => {
      const { notices } = await play(session, listener);
      const waiting = notices.find(({ state }) => state === 'evidence_due');
      if (!waiting) throw new NotOffered('Its dispute did not wait for evidence.');
      const due = waiting.evidence_due_at;
      must(due !== undefined, 'It has no deadline.');
      must(Temporal.Instant.from(due).epochMilliseconds > session.nowMs(), `${due} has passed.`);
    },
  },
];
