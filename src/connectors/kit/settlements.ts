import {
  type SettlementList,
  settlementListSchema,
} from '../../../connectors/protocol/messages.ts';
import type { Check } from './check.ts';
import { must, NotOffered, type Order, put, readerOf, type Session } from './session.ts';

const readSettlements = readerOf<SettlementList>(settlementListSchema, 'The list of settlements');

type Line = SettlementList['settlements'][number];

const dayMs = 86_400_000;
/** Returns the start of an instant's day in Argentina, three hours behind UTC. */
const midnight = (ms: number): string =>
  new Date(Math.floor((ms - 3 * 3_600_000) / dayMs) * dayMs + 3 * 3_600_000).toISOString();

async function linesOf(
  { pages, manifest }: Session,
  range: { from: string; until: string },
): Promise<Line[]> {
  if (!manifest.settlements) throw new NotOffered('The manifest has no settlements.');
  return (await pages('/settlements', range, readSettlements)).flatMap((page) => page.settlements);
}

const recent = (session: Session): Promise<Line[]> =>
  linesOf(session, {
    from: midnight(session.nowMs() - dayMs),
    until: midnight(session.nowMs() + 2 * dayMs),
  });

/** Makes a charge and waits until a payout lists it. */
async function settled(session: Session): Promise<{ order: Order; line: Line; all: Line[] }> {
  if (!session.manifest.settlements) throw new NotOffered('The manifest has no settlements.');
  const order: Order = await session.orderOf('settled');
  const outcome = await put(session, order);
  must(outcome.outcome === 'approved', `The outcome was ${outcome.outcome}.`);
  const all = await session.until(
    () => recent(session),
    (lines) => lines.some(({ attempt }) => attempt === order.attempt),
  );
  const own = all.filter(({ attempt }) => attempt === order.attempt);
  const [line] = own;
  must(line !== undefined, 'The list has no line of it.');
  must(own.length === 1, `The list has ${own.length} lines of it.`);
  return { order, line, all };
}

export const settlementChecks: readonly Check[] = [
  {
    guarantee: 'a charge that was paid out is listed once, with its amount, fee and net',
    try: async (session) => {
      const { order, line } = await settled(session);
      must(line.kind === 'sale', `Its line is a ${line.kind}.`);
      must(line.gross === order.amount, `The gross of its line is ${line.gross} centavos.`);
      must(line.net === line.gross - line.fee, `${line.net} is not ${line.gross} - ${line.fee}.`);
    },
  },
  {
    guarantee: 'the lines of a payout add up to its amount',
    try: async (session) => {
      const { line, all } = await settled(session);
      const own = all.filter(({ payout }) => payout.id === line.payout.id);
      const days = new Set(own.map(({ payout }) => `${payout.paid_on} ${payout.net}`));
      must(days.size === 1, 'Its lines have different days or amounts.');
      const sum = own.reduce((total, { net }) => total + net, 0);
      must(sum === line.payout.net, `It is ${line.payout.net}, but its lines add up to ${sum}.`);
    },
  },
  {
    guarantee: 'lines of payouts stay the same when listed again, each with its own id',
    try: async (session) => {
      const { all } = await settled(session);
      const ids = all.map(({ id }) => id);
      must(new Set(ids).size === ids.length, 'Two lines have the same id.');
      const again = new Map((await recent(session)).map((line) => [line.id, line]));
      for (const line of all) {
        const now = JSON.stringify(again.get(line.id));
        must(now === JSON.stringify(line), `Line ${line.id} is now ${now}.`);
      }
    },
  },
  {
    guarantee: 'the list of a day without payouts is empty and ends',
    try: async (session) => {
      const longAgo = { from: '2001-01-01T03:00:00Z', until: '2001-01-02T03:00:00Z' };
      const found = await linesOf(session, longAgo);
      must(found.length === 0, `It has ${found.length} lines.`);
      const { status } = await session.call('GET', '/settlements');
      must(status === 400, `Without a range, the connector answered with status ${status}.`);
    },
  },
];
