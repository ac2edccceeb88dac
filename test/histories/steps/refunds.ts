import { expect } from 'vitest';
import { cbuEndingIn } from '../../harness/builders/mandates.ts';
import { type Ask, isLive, type Refund } from '../model/ask.ts';
import { takeBack } from '../model/money.ts';
import { askRefund, endOf, endRefund, hearOf, waitForAnswer } from '../model/refunds.ts';
import { balances } from '../model/reports.ts';
import { inCentavos, type Play, pesos } from '../play.ts';
import { lookForReleases, somePlace } from './payments.ts';

const goodCbu = '0170099220000067797370';
/** A CBU whose bank reports a closed account. */
const closedCbu = cbuEndingIn('9902');

const pathOf = ({ kind, id, code }: Ask): string =>
  kind === 'qr' ? `/refund-qr/${code}` : `/${kind.replaceAll('_', '-')}/${id}/refund`;

interface Asked {
  place: number | null;
  part: number | null;
  cbu: string | null;
}

/** Returns a refund of a named or unnamed payment, mostly with an account if one is needed. */
function someRefund(play: Play, ask: Ask): Asked {
  const { random } = play;
  const place = somePlace(play, ask);
  const named = place === null ? ask.payments.findLast(isLive) : ask.payments[place];
  const whole = named?.amount ?? ask.total1;
  const needed = named?.charged === false;
  const cbu = random.percent(90) === needed ? (random.percent(85) ? goodCbu : closedCbu) : null;
  return { place, part: random.percent(65) ? random.between(1, whole) : null, cbu };
}

const isClosed = (cbu: string | null) => ({ isClosed: cbu === closedCbu });

const covered = ({ model }: Play): number | null => {
  const [available, unavailable] = balances(model);
  return model.refundsBelowZero ? null : available + unavailable;
};

const sentRefund = (ask: Ask, { place, part, cbu }: Asked) => ({
  refund: {
    ...(place !== null && { result_id: ask.payments[place]?.id }),
    ...(part !== null && { amount: pesos(part) }),
    ...(cbu !== null && { cbu }),
  },
});

/** Refunds a payment. Runs alone, since the balances must be known to the centavo. */
export async function refund(play: Play): Promise<void> {
  const { model } = play;
  const ask = play.take(({ payments }) => payments.length > 0);
  if (!ask) return;
  await lookForReleases(play, ask);
  await play.learn(ask);
  const asked = someRefund(play, ask);
  const wish = { ...asked, hasCbu: asked.cbu !== null, covered: covered(play) };
  const answer = await play.post(pathOf(ask), sentRefund(ask, asked));
  const made = askRefund(model.book, ask, wish);
  play.note(`asked for ${JSON.stringify(asked)} of ${ask.id}: ${answer.status}`);
  const expected = typeof made === 'number' ? made : 201;
  expect(answer.status, `${wish.covered} ${answer.text}`).toBe(expected);
  if (typeof made === 'number') return await play.check(ask);
  made.id = answer.body.id;
  await followUp(play, ask, made, asked.cbu);
  await play.check(ask);
}

/** Applies the outcome of a refund, which the next sweep decides for a transfer or after a kill. */
export async function followUp(
  play: Play,
  ask: Ask,
  made: Refund,
  cbu: string | null,
): Promise<void> {
  const { model } = play;
  if (play.deployment.kills && !made.transferred) {
    await play.pass(3);
  }
  hearOf(model.book, ask, made, isClosed(cbu));
  if (made.transferred) await play.settleToday();
}

/** Learns the ids of refunds that the service initiated. */
export async function learnRefunds(play: Play, ask: Ask): Promise<void> {
  const path = ask.kind === 'qr' ? `/refund-qr/${ask.code}` : pathOf(ask);
  const fresh = ask.refunds.filter(({ id }) => id === 0);
  if (fresh.length === 0) return;
  const { data } = await play.get(path);
  const known = new Set(ask.refunds.map(({ id }) => id));
  const ids = (data as { id: number }[]).map(({ id }) => id).filter((id) => !known.has(id));
  expect(ids.length, `refunds of ${ask.id}`).toBe(fresh.length);
  for (const [at, one] of fresh.entries()) one.id = ids[at] ?? 0;
}

/** One of several concurrent callers who refund the same request, with their acts in order. */
interface Hand {
  path: string;
  body: object;
  /** Effects on the request, in order. The first one belongs to the response. */
  stages: ((ask: Ask, context: { covered: number | null }) => number)[];
}

function askingHand(play: Play, ask: Ask): Hand {
  const { book } = play.model;
  const asked = someRefund(play, ask);
  // Finds this caller's refund among those of the others.
  const mine = (one: Ask): Refund | undefined => (made === null ? undefined : one.refunds[made]);
  let made: number | null = null;
  return {
    path: pathOf(ask),
    body: sentRefund(ask, asked),
    stages: [
      (one, { covered: most }) => {
        const done = askRefund(book, one, { ...asked, hasCbu: asked.cbu !== null, covered: most });
        made = typeof done === 'number' ? null : one.refunds.length - 1;
        return typeof done === 'number' ? done : 201;
      },
      (one) => {
        const refund = mine(one);
        const end = refund && endOf(refund, isClosed(asked.cbu));
        if (refund && end) endRefund(book, one, refund, end === 'done');
        return 0;
      },
    ],
  };
}

function takingHand(play: Play, ask: Ask): Hand {
  const { book } = play.model;
  const { random } = play;
  const place = random.below(ask.payments.length);
  const type = random.percent(60) ? 'refund' : 'chargeback';
  const part = type === 'refund' ? random.between(1, ask.payments[place]?.amount ?? 1) : null;
  return {
    path: `/sandbox/${type}/${ask.id}`,
    body: {
      result_id: ask.payments[place]?.id,
      ...(part !== null && { amount: pesos(part) }),
    },
    stages: [
      (one) => {
        const done = takeBack(book, one, { type, place, part });
        return typeof done === 'number' ? done : 200;
      },
    ],
  };
}

/** Yields every order of the callers' acts that keeps each caller's own order. */
function* interleavings(lengths: readonly number[]): Generator<number[]> {
  if (lengths.every((length) => length === 0)) yield [];
  for (const [hand, length] of lengths.entries()) {
    if (length === 0) continue;
    for (const rest of interleavings(lengths.with(hand, length - 1))) yield [hand, ...rest];
  }
}

/** Returns the outcome of an order of acts, if that order explains the responses. */
function played(
  play: Play,
  ask: Ask,
  { hands, order, statuses }: { hands: Hand[]; order: number[]; statuses: number[] },
): Ask | null {
  const probe = structuredClone(ask);
  const owed = covered(play);
  const next = hands.map(() => 0);
  for (const hand of order) {
    const at = next[hand] ?? 0;
    next[hand] = at + 1;
    const most = owed === null ? null : owed + owedBy(probe) - owedBy(ask);
    const status = hands[hand]?.stages[at]?.(probe, { covered: most });
    if (at === 0 && status !== statuses[hand]) return null;
  }
  return probe;
}

/** Returns the holder's money from a request, available and pending. */
const owedBy = ({ payments, backs, asides }: Ask): number =>
  payments.reduce((sum, one) => sum + one.unreleased + one.released, 0) -
  backs.reduce((sum, one) => sum + one.fromAvailable, 0) -
  asides.reduce((sum, one) => sum + one.taken, 0);

/**
 * Sends several concurrent refunds of one request. Some order must explain the responses. Runs
 * alone.
 */
export async function rushForRefunds(play: Play): Promise<void> {
  const { random, deployment } = play;
  // Debits on bank accounts may be too late for a chargeback, which the step `giveBack` covers.
  const ask = play.take(({ payments, kind }) => payments.length > 0 && kind !== 'debit_request');
  if (!ask || deployment.kills) return await refund(play);
  await lookForReleases(play, ask);
  await play.learn(ask);
  const hands = Array.from({ length: random.between(2, 3) }, () =>
    random.percent(65) ? askingHand(play, ask) : takingHand(play, ask),
  );
  const keys = hands.map(() => play.name('key'));
  const answers = await Promise.all(
    hands.map(({ path, body }, at) => play.send('POST', path, { body, key: keys[at] ?? '' })),
  );
  const statuses = answers.map(({ answer }) => answer.status);
  const texts = answers.map(({ answer }, at) => `${hands[at]?.path} ${answer.status}`);
  play.note(`at once: ${texts} ${JSON.stringify(hands.map(({ body }) => body))}`);
  await play.settleToday();
  const seen = await movesOf(play, ask);
  for (const order of interleavings(hands.map(({ stages }) => stages.length))) {
    const probe = played(play, ask, { hands, order, statuses });
    if (!probe || movesIn(probe) !== seen) continue;
    await adopt(play, ask, probe);
    return;
  }
  throw new Error(`no order explains ${texts} of ${ask.id}: ${seen}`);
}

/** Copies an order's outcome into the model. */
async function adopt(play: Play, ask: Ask, probe: Ask): Promise<void> {
  const { model } = play;
  Object.assign(ask, probe);
  const { data } = await play.get(pathOf(ask));
  const known = new Set(ask.refunds.map(({ id }) => id));
  const fresh = (data as { id: number; amount: number; state: string }[]).filter(
    ({ id }) => !known.has(id),
  );
  for (const one of ask.refunds) {
    if (one.id !== 0) continue;
    const at = fresh.findIndex(
      ({ amount, state }) => inCentavos(amount) === one.amount && state === one.state,
    );
    one.id = fresh.splice(at, 1)[0]?.id ?? 0;
    if (one.state === 'requested') waitForAnswer(model.book, ask, one);
  }
  await play.check(ask);
}

/**
 * Returns refunded and reserved amounts, with every fact that distinguishes orders with equal
 * responses.
 */
const movesIn = ({ backs, asides, refunds }: Ask): string =>
  [
    ...backs.map(({ type, amount, lines, fee, fromAvailable }) => {
      const withheld = lines.reduce((sum, line) => sum + line.amount, 0);
      return [type, amount, withheld, 0 - fee, fromAvailable].join(' ');
    }),
    ...asides.map(({ taken }) => `aside ${taken}`),
    ...refunds.map(({ amount, state }) => `asked ${amount} ${state}`),
  ]
    .sort()
    .join(', ');

async function movesOf(play: Play, ask: Ask): Promise<string> {
  const { data } = await play.get(pathOf(ask));
  const asked = (data as { amount: number; state: string }[]).map(
    ({ amount, state }) => `asked ${inCentavos(amount)} ${state}`,
  );
  const { done: rows } = await play.desk(
    async (_desk, { sql }) =>
      await sql<{ told: string }[]>`
      with moved as (
        select account_id, kind, result_id, (
          select coalesce(sum(line.amount), 0)
          from unnest(accounts, amounts) as line (account, amount) where line.account = 2
        ) as available
        from journals where request_id = ${ask.id}
      )
      select case when r.type = 'collected' then concat_ws(' ', 'aside', m.available)
        else concat_ws(' ', r.type, r.amount, r.withheld, r.net_fee, m.available) end as told
      from moved m join results r on r.account_id = m.account_id and r.id = m.result_id
      where m.kind in ('refund', 'chargeback', 'refund_hold', 'refund_undone')`,
  );
  return [...rows.map(({ told }) => told), ...asked].sort().join(', ');
}
