import type { Outcome, TestCaseName } from '../../../connectors/protocol/messages.ts';
import type { Check } from './check.ts';
import {
  chargeAt,
  must,
  NotOffered,
  type Order,
  put,
  readOutcome,
  type Session,
  settled,
} from './session.ts';

const atOnce = 20;

/**
 * Returns a text that is the same for the same outcome. Approvals differ by the acquirer's
 * reference.
 */
const markOf = (outcome: Outcome): string =>
  outcome.outcome === 'approved' ? `approved ${outcome.reference}` : outcome.outcome;

const quoted = (outcome: unknown): string => JSON.stringify(outcome).slice(0, 300);

/** Checks that the acquirer's list contains the charge once if approved, else not at all. */
async function isListedOnce(session: Session, order: Order, approved: boolean): Promise<void> {
  const taken = (await session.listed(order.attempt)).filter((one) => one.outcome === 'approved');
  const expected = approved ? 1 : 0;
  must(taken.length === expected, `The list has ${taken.length} approvals of it.`);
  const [one] = taken;
  must(!one || one.amount === order.amount, `The list has ${one?.amount} centavos.`);
}

const refusals: readonly { name: TestCaseName; retry: string }[] = [
  { name: 'rejected_never', retry: 'never' },
  { name: 'rejected_other_instrument', retry: 'other_instrument' },
  { name: 'rejected_same_later', retry: 'same_later' },
  { name: 'rejected_same_now', retry: 'same_now' },
  { name: 'rejected_call_issuer', retry: 'call_issuer' },
];

const refused = ({ name, retry }: (typeof refusals)[number]): Check => ({
  guarantee: `a rejection reports that the payer can retry: ${retry.replaceAll('_', ' ')}`,
  try: async (session) => {
    const order = await session.orderOf(name);
    const outcome = await put(session, order);
    must(outcome.outcome === 'rejected', `The answer was ${quoted(outcome)}.`);
    must(outcome.retry === retry, `Its retry is ${outcome.retry}.`);
    must((await settled(session, order)).outcome === 'rejected', 'GET returned another outcome.');
    await isListedOnce(session, order, false);
  },
});

const outcomes: readonly Check[] = [
  {
    guarantee: 'an approval returns the ordered amount, and GET returns the same',
    try: async (session) => {
      const order = await session.orderOf('approved');
      const outcome = await put(session, order);
      must(outcome.outcome === 'approved', `The answer was ${quoted(outcome)}.`);
      must(outcome.amount === order.amount, `The charge took ${outcome.amount} centavos.`);
      const inquired = await settled(session, order);
      must(markOf(inquired) === markOf(outcome), `GET returned ${quoted(inquired)}.`);
      await isListedOnce(session, order, true);
    },
  },
  {
    guarantee: 'an approval returns the result of 3-D Secure, and GET returns the same',
    try: async (session) => {
      if (!session.manifest.channels.some(({ three_ds: declared }) => declared === true)) {
        throw new NotOffered('No channel declares three_ds.');
      }
      const order = await session.orderOf('authenticated');
      const outcome = await put(session, order);
      must(outcome.outcome === 'approved', `The answer was ${quoted(outcome)}.`);
      const { three_ds: threeDs } = outcome;
      must(threeDs?.result === 'authenticated', `The result of 3-D Secure is ${quoted(threeDs)}.`);
      const inquiry = await settled(session, order);
      const again = inquiry.outcome === 'approved' ? inquiry.three_ds : undefined;
      must(
        quoted(again) === quoted(threeDs),
        `GET returned ${quoted(again)} as the result of 3-D Secure.`,
      );
    },
  },
  {
    guarantee: 'the manifest offers a rejection to test',
    try: async ({ manifest: { test } }) => {
      const some = refusals.some(({ name }) => test?.[name]);
      must(some, 'The test section of the manifest has no case for a rejection.');
    },
  },
  ...refusals.map(refused),
  {
    guarantee: 'a pending charge settles, and GET returns its outcome',
    try: async (session) => {
      const order = await session.orderOf('pending');
      const outcome = await put(session, order);
      must(outcome.outcome === 'pending', `The answer was ${quoted(outcome)}.`);
      const end = await settled(session, order);
      must(end.outcome !== 'pending', 'It did not settle while the kit waited.');
      must(end.outcome !== 'unheard', 'It was pending, and then unheard.');
      await isListedOnce(session, order, end.outcome === 'approved');
    },
  },
  {
    guarantee: 'a required action has an address and a future deadline',
    try: async (session) => {
      const order = await session.orderOf('action_required');
      const outcome = await put(session, order);
      must(outcome.outcome === 'action_required', `The answer was ${quoted(outcome)}.`);
      const place = outcome.kind === 'show_qr' ? outcome.data : outcome.url;
      must(place !== undefined, 'It has neither url nor data.');
      const until = Temporal.Instant.from(outcome.until).epochMilliseconds;
      must(until > session.nowMs(), `Its deadline ${outcome.until} has passed.`);
      const inquiry = readOutcome(await session.ask(chargeAt(order)));
      must(
        ['action_required', 'pending'].includes(inquiry.outcome),
        `GET returned ${quoted(inquiry)}.`,
      );
    },
  },
];

const once: readonly Check[] = [
  {
    guarantee: 'the same charge sent twice is one charge with one answer',
    try: async (session) => {
      const order = await session.orderOf('approved');
      const [first, second] = [await put(session, order), await put(session, order)];
      must(markOf(first) === markOf(second), `${quoted(first)}, then ${quoted(second)}.`);
      await isListedOnce(session, order, first.outcome === 'approved');
    },
  },
  {
    guarantee: `the same charge sent ${atOnce} times at once is one charge with one answer`,
    try: async (session) => {
      const order = await session.orderOf('approved');
      const sent = Array.from({ length: atOnce }, () => put(session, order));
      const marks = new Set((await Promise.all(sent)).map(markOf));
      must(marks.size === 1, `The answers were ${[...marks].join(', ')}.`);
      await isListedOnce(session, order, marks.has(markOf(await settled(session, order))));
    },
  },
  {
    guarantee: 'an id with another body gets 409, and the first charge stays',
    try: async (session) => {
      const order = await session.orderOf('approved');
      const first = await put(session, order);
      const changed = { ...order, amount: order.amount + 100 };
      const { status } = await session.call('PUT', chargeAt(order), changed);
      must(status === 409, `The connector answered with status ${status}.`);
      must(markOf(await settled(session, order)) === markOf(first), 'The first changed.');
      await isListedOnce(session, order, first.outcome === 'approved');
    },
  },
  {
    guarantee: 'a charge of another account with the same id gets 409',
    try: async (session) => {
      const order = await session.orderOf('approved');
      const first = await put(session, order);
      const other = { ...order, account: { id: '000000C2', settings: {} } };
      const { status } = await session.call('PUT', chargeAt(order), other);
      must(status === 409, `The connector answered with status ${status}.`);
      must(markOf(await settled(session, order)) === markOf(first), 'The first changed.');
    },
  },
];

/** Checks that GET agrees with the acquirer's list. */
async function tellsTheTruth(session: Session, order: Order): Promise<Outcome> {
  const inquiry = await settled(session, order);
  must(inquiry.outcome !== 'pending', 'GET still returns pending after the kit waited.');
  await isListedOnce(session, order, inquiry.outcome === 'approved');
  return inquiry;
}

const broken: readonly Check[] = [
  {
    guarantee: 'GET returns the true outcome of a charge whose connection broke',
    try: async (session) => {
      const order = await session.orderOf('approved');
      await session.cut('PUT', chargeAt(order), order);
      const inquiry = await tellsTheTruth(session, order);
      if (inquiry.outcome === 'unheard') return;
      const again = await put(session, order);
      must(markOf(again) === markOf(inquiry), `The repeated call returned ${quoted(again)}.`);
      await isListedOnce(session, order, again.outcome === 'approved');
    },
  },
  {
    guarantee: 'a charge without an answer from the acquirer is unknown, never rejected',
    try: async (session) => {
      const order = await session.orderOf('lost');
      const { status, body } = await session.call('PUT', chargeAt(order), order);
      const answer = status === 200 ? readOutcome({ status, body, headers: {} }) : null;
      const isOpen = !answer || ['pending', 'approved'].includes(answer.outcome);
      must(isOpen, `The answer was ${quoted(answer)}.`);
      const inquiry = await tellsTheTruth(session, order);
      must(inquiry.outcome === 'approved', `GET returned ${quoted(inquiry)} for a booked charge.`);
    },
  },
  {
    guarantee: 'a charge that was never sent is unheard',
    try: async (session) => {
      const inquiry = await session.ask(chargeAt({ attempt: session.newAttempt() }));
      if (inquiry.status === 404) return;
      const { outcome } = readOutcome(inquiry);
      must(outcome === 'unheard', `GET returned ${outcome}.`);
    },
  },
  {
    guarantee: 'a charge that arrives after its deadline is not sent',
    try: async (session) => {
      const late = Temporal.Instant.fromEpochMilliseconds(session.nowMs() - 60_000).toString();
      const order = await session.orderOf('approved', { deadline: late });
      const outcome = await put(session, order);
      must(outcome.outcome === 'unheard', `The answer was ${quoted(outcome)}.`);
      await isListedOnce(session, order, false);
    },
  },
  {
    guarantee: 'a charge can be canceled only if the manifest allows it',
    try: async (session) => {
      const offered = session.manifest.channels.find(({ cancel }) => cancel);
      const order = await session.orderOf(offered ? 'pending' : 'approved');
      if (offered && order.channel !== offered.channel)
        throw new NotOffered('No charge is pending.');
      const first = await put(session, order);
      const { attempt, business_time, account } = order;
      const body = { attempt, business_time, account };
      const answer = await session.call('POST', `${chargeAt(order)}/cancel`, body);
      if (!offered) {
        must(answer.status >= 400, `The connector answered with status ${answer.status}.`);
        must(markOf(await settled(session, order)) === markOf(first), 'The charge changed.');
        return;
      }
      must(readOutcome(answer).outcome === 'canceled', `The answer was ${quoted(answer.body)}.`);
      must((await settled(session, order)).outcome === 'canceled', 'GET returned another outcome.');
    },
  },
];

const uncalled: Check = {
  guarantee: 'an approved charge is canceled only if its money is returned',
  try: async (session) => {
    const order = await session.orderOf('approved');
    const first = await put(session, order);
    must(first.outcome === 'approved', `The answer was ${quoted(first)}.`);
    const { attempt, business_time, account } = order;
    const body = { attempt, business_time, account };
    const { status, body: answer } = await session.call('POST', `${chargeAt(order)}/cancel`, body);
    if (status !== 200) return await isListedOnce(session, order, true);
    const outcome = readOutcome({ status, body: answer, headers: {} });
    const [one] = await session.listed(order.attempt);
    const stays = one?.outcome === 'approved' && one.refunded < one.amount;
    must(
      outcome.outcome !== 'canceled' || !stays,
      `It returned canceled, but the list has ${quoted(one)}.`,
    );
    must(
      outcome.outcome === 'canceled' || stays,
      `It returned ${outcome.outcome}, but the list has ${quoted(one)}.`,
    );
  },
};

export const chargeChecks: readonly Check[] = [...outcomes, ...once, ...broken, uncalled];
