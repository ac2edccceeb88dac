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

/** Identifies a charge. The acquirer's reference distinguishes approvals. */
const markOf = (outcome: Outcome): string =>
  outcome.outcome === 'approved' ? `approved ${outcome.reference}` : outcome.outcome;

const quoted = (outcome: unknown): string => JSON.stringify(outcome).slice(0, 300);

/** Checks that the acquirer's list has the charge once if approved, else never. */
async function isListedOnce(session: Session, order: Order, approved: boolean): Promise<void> {
  const taken = (await session.listed(order.attempt)).filter((one) => one.outcome === 'approved');
  const wanted = approved ? 1 : 0;
  must(taken.length === wanted, `The list shows it approved ${taken.length} times.`);
  const [one] = taken;
  must(!one || one.amount === order.amount, `The list shows ${one?.amount} centavos.`);
}

const refusals: readonly { name: TestCaseName; retry: string }[] = [
  { name: 'rejected_never', retry: 'never' },
  { name: 'rejected_other_instrument', retry: 'other_instrument' },
  { name: 'rejected_same_later', retry: 'same_later' },
  { name: 'rejected_same_now', retry: 'same_now' },
  { name: 'rejected_call_issuer', retry: 'call_issuer' },
];

const refused = ({ name, retry }: (typeof refusals)[number]): Check => ({
  guarantee: `a refusal after which the payer may try ${retry.replaceAll('_', ' ')} says so`,
  try: async (session) => {
    const order = await session.orderOf(name);
    const outcome = await put(session, order);
    must(outcome.outcome === 'rejected', `It was answered with ${quoted(outcome)}.`);
    must(outcome.retry === retry, `It says that he may retry ${outcome.retry}.`);
    must((await settled(session, order)).outcome === 'rejected', 'GET says something else.');
    await isListedOnce(session, order, false);
  },
});

const outcomes: readonly Check[] = [
  {
    guarantee: 'an approval says the amount that was ordered, and GET says the same',
    try: async (session) => {
      const order = await session.orderOf('approved');
      const outcome = await put(session, order);
      must(outcome.outcome === 'approved', `It was answered with ${quoted(outcome)}.`);
      must(outcome.amount === order.amount, `${outcome.amount} centavos were taken.`);
      const asked = await settled(session, order);
      must(markOf(asked) === markOf(outcome), `GET answers ${quoted(asked)}.`);
      await isListedOnce(session, order, true);
    },
  },
  {
    guarantee: 'an approval says what 3-D Secure came to, and GET says the same',
    try: async (session) => {
      if (!session.manifest.channels.some(({ three_ds: told }) => told === true)) {
        throw new NotOffered('No channel says three_ds.');
      }
      const order = await session.orderOf('authenticated');
      const outcome = await put(session, order);
      must(outcome.outcome === 'approved', `It was answered with ${quoted(outcome)}.`);
      const { three_ds: told } = outcome;
      must(told?.result === 'authenticated', `It says ${quoted(told)} of 3-D Secure.`);
      const asked = await settled(session, order);
      const again = asked.outcome === 'approved' ? asked.three_ds : undefined;
      must(quoted(again) === quoted(told), `GET says ${quoted(again)} of 3-D Secure.`);
    },
  },
  {
    guarantee: 'some refusal can be tried',
    try: async ({ manifest: { test } }) => {
      const some = refusals.some(({ name }) => test?.[name]);
      must(some, 'The test section of the manifest offers no refusal.');
    },
  },
  ...refusals.map(refused),
  {
    guarantee: 'a charge that is pending settles, and GET tells how',
    try: async (session) => {
      const order = await session.orderOf('pending');
      const outcome = await put(session, order);
      must(outcome.outcome === 'pending', `It was answered with ${quoted(outcome)}.`);
      const end = await settled(session, order);
      must(end.outcome !== 'pending', 'It did not settle in the time that the kit waits.');
      must(end.outcome !== 'unheard', 'It was pending, and then never heard of.');
      await isListedOnce(session, order, end.outcome === 'approved');
    },
  },
  {
    guarantee: 'an action that is required says where, and until a moment to come',
    try: async (session) => {
      const order = await session.orderOf('action_required');
      const outcome = await put(session, order);
      must(outcome.outcome === 'action_required', `It was answered with ${quoted(outcome)}.`);
      const place = outcome.kind === 'show_qr' ? outcome.data : outcome.url;
      must(place !== undefined, 'It says neither url nor data.');
      const until = Temporal.Instant.from(outcome.until).epochMilliseconds;
      must(until > session.nowMs(), `Its moment ${outcome.until} has passed.`);
      const asked = readOutcome(await session.ask(chargeAt(order)));
      must(['action_required', 'pending'].includes(asked.outcome), `GET says ${quoted(asked)}.`);
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
    guarantee: 'an id with another content is answered with 409, and the first stands',
    try: async (session) => {
      const order = await session.orderOf('approved');
      const first = await put(session, order);
      const changed = { ...order, amount: order.amount + 100 };
      const { status } = await session.call('PUT', chargeAt(order), changed);
      must(status === 409, `It was answered with status ${status}.`);
      must(markOf(await settled(session, order)) === markOf(first), 'The first changed.');
      await isListedOnce(session, order, first.outcome === 'approved');
    },
  },
  {
    guarantee: 'a charge of another account under the same id is answered with 409',
    try: async (session) => {
      const order = await session.orderOf('approved');
      const first = await put(session, order);
      const other = { ...order, account: { id: '000000C2', settings: {} } };
      const { status } = await session.call('PUT', chargeAt(order), other);
      must(status === 409, `It was answered with status ${status}.`);
      must(markOf(await settled(session, order)) === markOf(first), 'The first changed.');
    },
  },
];

/** Checks that GET agrees with the acquirer's list. */
async function tellsTheTruth(session: Session, order: Order): Promise<Outcome> {
  const asked = await settled(session, order);
  must(asked.outcome !== 'pending', 'GET still says pending when the kit stops to wait.');
  await isListedOnce(session, order, asked.outcome === 'approved');
  return asked;
}

const broken: readonly Check[] = [
  {
    guarantee: 'after the connection was cut during a charge, GET tells the truth',
    try: async (session) => {
      const order = await session.orderOf('approved');
      await session.cut('PUT', chargeAt(order), order);
      const asked = await tellsTheTruth(session, order);
      if (asked.outcome === 'unheard') return;
      const again = await put(session, order);
      must(markOf(again) === markOf(asked), `Sent again it answers ${quoted(again)}.`);
      await isListedOnce(session, order, again.outcome === 'approved');
    },
  },
  {
    guarantee: 'a charge whose answer the acquirer never gave is unknown, never refused',
    try: async (session) => {
      const order = await session.orderOf('lost');
      const { status, body } = await session.call('PUT', chargeAt(order), order);
      const told = status === 200 ? readOutcome({ status, body, headers: {} }) : null;
      const isOpen = !told || ['pending', 'approved'].includes(told.outcome);
      must(isOpen, `It was answered with ${quoted(told)}.`);
      const asked = await tellsTheTruth(session, order);
      must(asked.outcome === 'approved', `GET says ${quoted(asked)} of what was booked.`);
    },
  },
  {
    guarantee: 'a charge that was never sent is unheard',
    try: async (session) => {
      const asked = await session.ask(chargeAt({ attempt: session.newAttempt() }));
      if (asked.status === 404) return;
      const { outcome } = readOutcome(asked);
      must(outcome === 'unheard', `GET says ${outcome}.`);
    },
  },
  {
    guarantee: 'a charge that comes after its deadline is not sent',
    try: async (session) => {
      const late = Temporal.Instant.fromEpochMilliseconds(session.nowMs() - 60_000).toString();
      const order = await session.orderOf('approved', { deadline: late });
      const outcome = await put(session, order);
      must(outcome.outcome === 'unheard', `It was answered with ${quoted(outcome)}.`);
      await isListedOnce(session, order, false);
    },
  },
  {
    guarantee: 'a charge can be called off only where the manifest says so',
    try: async (session) => {
      const offered = session.manifest.channels.find(({ cancel }) => cancel);
      const order = await session.orderOf(offered ? 'pending' : 'approved');
      if (offered && order.channel !== offered.channel) throw new NotOffered('Nothing is pending.');
      const first = await put(session, order);
      const { attempt, business_time, account } = order;
      const body = { attempt, business_time, account };
      const answer = await session.call('POST', `${chargeAt(order)}/cancel`, body);
      if (!offered) {
        must(answer.status >= 400, `It was answered with status ${answer.status}.`);
        must(markOf(await settled(session, order)) === markOf(first), 'The charge changed.');
        return;
      }
      must(readOutcome(answer).outcome === 'canceled', `It was answered ${quoted(answer.body)}.`);
      must((await settled(session, order)).outcome === 'canceled', 'GET says something else.');
    },
  },
];

const uncalled: Check = {
  guarantee: 'a charge that was approved is not called off, unless its money goes back',
  try: async (session) => {
    const order = await session.orderOf('approved');
    const first = await put(session, order);
    must(first.outcome === 'approved', `It was answered with ${quoted(first)}.`);
    const { attempt, business_time, account } = order;
    const body = { attempt, business_time, account };
    const { status, body: told } = await session.call('POST', `${chargeAt(order)}/cancel`, body);
    if (status !== 200) return await isListedOnce(session, order, true);
    const outcome = readOutcome({ status, body: told, headers: {} });
    const [one] = await session.listed(order.attempt);
    const stays = one?.outcome === 'approved' && one.refunded < one.amount;
    must(
      outcome.outcome !== 'canceled' || !stays,
      `It says canceled, and the list ${quoted(one)}.`,
    );
    must(
      outcome.outcome === 'canceled' || stays,
      `It says ${outcome.outcome}, and the list ${quoted(one)}.`,
    );
  },
};

export const chargeChecks: readonly Check[] = [...outcomes, ...once, ...broken, uncalled];
