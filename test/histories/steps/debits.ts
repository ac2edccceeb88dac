import { expect } from 'vitest';
import {
  adhesionBody,
  cardAdhesionBody,
  cbuEndingIn,
  keptCard,
  keptCardBody,
} from '../../harness/builders/mandates.ts';
import { blankAsk, type CardWord } from '../model/ask.ts';
import { addDays, asSent, midnight } from '../model/days.ts';
import { bankRun, cardRun, endMandate, type Mandate } from '../model/debits.ts';
import type { Model } from '../model/model.ts';
import { type Play, pesos } from '../play.ts';
import { sentSecond, someAmount, someSecondDue } from './payments.ts';

const endings: Record<string, string | null> = {
  '9902': 'R02',
  '9910': 'R10',
  '9915': 'R15',
  '9924': 'R24',
};

/** Cards of each brand, with the simulator's response to their debits. */
export const cards = [
  ['4507990000004905', null],
  ['5299910010000015', null],
  ['4517721004856075', null],
  ['4546400044997331', 'R02'],
  ['4258210000474094', 'R10'],
  ['373953192351004', null],
  ['5896570000000008', null],
] as const;

const key = ({ kind, id }: Mandate): string => `${kind} ${id}`;
/** Returns the end of the seventh day, the deadline in the holder's e-mail. */
const signBefore = ({ today }: Model): number => midnight(addDays(today, 8));

/** Creates a mandate whose holder gives the card to a connector on the signing page. */
async function keptMandate(play: Play): Promise<void> {
  const { model, random } = play;
  const answer = await play.post('/card-adhesion', keptCardBody());
  expect(answer.status, answer.text).toBe(201);
  const made: Mandate = {
    id: answer.body.id,
    kind: 'card_adhesion',
    state: 'pending_to_sign',
    wasSigned: false,
    email: 'ana@example.com',
    code: null,
    card: null,
    keepsCard: true,
    signBefore: signBefore(model),
  };
  model.mandates.set(key(made), made);
  play.note(`card_adhesion ${made.id} without a number`);
  if (random.percent(90)) {
    const { done: path } = await play.desk((desk) => desk.signingPath(made.kind, made.id));
    const sent = { as: null, form: { ...keptCard, token: `tok_${made.id}` } };
    const signed = await play.send('POST', path, sent);
    expect(signed.answer.status, signed.answer.text).toBe(303);
    Object.assign(made, { state: 'signed', wasSigned: true });
  }
  await checkMandate(play, made);
}

export async function mandate(play: Play): Promise<void> {
  const { model, random } = play;
  const kind = random.percent(60) ? 'adhesion' : 'card_adhesion';
  if (play.deployment.acquirer && kind === 'card_adhesion' && random.percent(50)) {
    return await keptMandate(play);
  }
  const willing = random.percent(80);
  const email = willing ? 'ana@example.com' : 'ana+nosign@example.com';
  const no = model.mandates.size;
  const ending = random.percent(45) ? (random.one(Object.keys(endings)) ?? '') : '1234';
  const [card, cardCode] = random.one(cards) ?? cards[0];
  const isBank = kind === 'adhesion';
  const fields = isBank ? { cbu_number: cbuEndingIn(ending, no) } : { card_number: card };
  const body = isBank ? adhesionBody({ ...fields, email }) : cardAdhesionBody({ ...fields, email });
  const answer = await play.post(isBank ? '/adhesion' : '/card-adhesion', body);
  expect(answer.status, answer.text).toBe(201);
  const { id } = answer.body;
  const made: Mandate = {
    id,
    kind,
    state: willing ? 'signed' : 'pending_to_sign',
    wasSigned: willing,
    email,
    code: isBank ? (endings[ending] ?? null) : cardCode,
    card: isBank ? null : card,
    keepsCard: false,
    signBefore: signBefore(model),
  };
  model.mandates.set(key(made), made);
  // The signature is processed after the response; if the process dies between them, the next sweep
  // does it.
  if (play.deployment.kills) await play.settleToday();
  await checkMandate(play, made);
}

export async function checkMandate(play: Play, { kind, id, state }: Mandate): Promise<void> {
  const path = kind === 'adhesion' ? 'adhesion' : 'card-adhesion';
  expect((await play.get(`/${path}/${id}`)).state, `${kind} ${id}`).toBe(state);
}

const someMandate = (play: Play): Mandate | undefined => {
  const all = [...play.model.mandates.values()];
  const live = all.filter(({ state }) => state === 'signed');
  return play.random.one(play.random.percent(90) ? live : all);
};

export async function debit(play: Play): Promise<void> {
  const found = someMandate(play);
  if (!found) return await mandate(play);
  await (found.kind === 'adhesion' ? bankDebit(play, found) : cardDebit(play, found));
}

const expectMade = (answer: { status: number; text: string }, { state }: Mandate): boolean => {
  expect(answer.status, answer.text).toBe(state === 'signed' ? 201 : 409);
  return state === 'signed';
};

async function bankDebit(play: Play, on: Mandate): Promise<void> {
  const { model, random } = play;
  const { bankDays } = model.book;
  const total1 = someAmount(play);
  const due1 = addDays(bankDays.after(model.today, 3), random.below(8));
  const second = random.percent(50)
    ? someSecondDue(play, due1, total1)
    : { due2: null, total2: null };
  const answer = await play.post('/debit-request', {
    debit_request: {
      adhesion_id: on.id,
      description: 'Cuota',
      first_due_date: asSent(due1),
      first_total: pesos(total1),
      ...sentSecond(second),
    },
  });
  play.note(`debit of ${total1} on ${on.id}, due ${due1}: ${answer.status} ${answer.body.id}`);
  if (!expectMade(answer, on)) return;
  model.asks.set(answer.body.id, {
    ...structuredClone(blankAsk),
    id: answer.body.id,
    kind: 'debit_request',
    due1,
    total1,
    ...second,
    mandate: on.id,
    runs: [bankRun(bankDays, due1, total1)],
  });
}

/** Returns the acquirer's responses to the first and the second order. */
function someWords({ random }: Play, amount: number): CardWord[] {
  return [1, 2].map(() => {
    const says = random.weighted({ approved: 30, rejected: 12, pending: 18, unheard: 40 });
    if (says !== 'approved') return { says };
    return { says, amount: random.percent(15) ? random.between(1, amount + 500) : amount };
  });
}

async function cardDebit(play: Play, on: Mandate): Promise<void> {
  const { model, random } = play;
  const [year = 0, month = 0, date = 0] = model.today.split('-').map(Number);
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const late = date > Math.min(model.cutDay, last);
  const ahead = (late ? 1 : 0) + (random.percent(70) ? 0 : 1);
  const period = {
    month: ((month - 1 + ahead) % 12) + 1,
    year: year + (month + ahead > 12 ? 1 : 0),
  };
  const total1 = someAmount(play);
  const answer = await play.post('/card-debit-request', {
    card_debit_request: { card_adhesion_id: on.id, ...period, amount: pesos(total1) },
  });
  play.note(`card debit of ${total1} on ${on.id}: ${answer.status} ${answer.body.id}`);
  if (!expectMade(answer, on)) return;
  const run = cardRun(model.book.bankDays, period, { cutDay: model.cutDay, amount: total1 });
  const words = on.keepsCard ? someWords(play, total1) : [];
  if (on.keepsCard) play.deployment.acquirer?.plan(answer.body.id, ...words);
  model.asks.set(answer.body.id, {
    ...structuredClone(blankAsk),
    id: answer.body.id,
    kind: 'card_debit_request',
    due1: run.runOn,
    total1,
    mandate: on.id,
    month: period,
    cutDay: model.cutDay,
    words,
    runs: [run],
  });
}

export async function cancelDebit(play: Play): Promise<void> {
  const ask = play.take(({ runs }) => runs.length > 0);
  if (!ask) return;
  const path = ask.kind === 'debit_request' ? 'debit-request' : 'card-debit-request';
  const { answer } = await play.send('PUT', `/${path}/${ask.id}/cancel`);
  play.note(`cancel ${ask.id} ${ask.state}: ${answer.status}`);
  const can = ask.state === 'pending' || ask.state === 'canceled';
  expect(answer.status, answer.text).toBe(can ? 200 : 409);
  if (can) ask.state = 'canceled';
  await play.check(ask);
}

/** Cancels a mandate and its debits. Runs alone. */
export async function cancelMandate(play: Play): Promise<void> {
  const found = someMandate(play);
  if (!found) return;
  const path = found.kind === 'adhesion' ? 'adhesion' : 'card-adhesion';
  const { answer } = await play.send('PUT', `/${path}/${found.id}/cancel`);
  expect(answer.status, answer.text).toBe(200);
  play.note(`cancel ${found.kind} ${found.id}`);
  endMandate(found, play.model.asks.values());
  await checkMandate(play, found);
}

/** Accepts, declines or revokes a mandate on its signing page, sometimes twice at once. */
export async function answerLetter(play: Play): Promise<void> {
  const { model, random } = play;
  const asked = ({ email }: Mandate): boolean => email.includes('nosign');
  const found = random.one([...model.mandates.values()].filter(asked));
  if (!found) return await mandate(play);
  const { done: path } = await play.desk((desk) => desk.signingPath(found.kind, found.id));
  const word = random.one(['accept', 'accept', 'decline_confirmed', 'revoke_confirmed']) ?? '';
  const times = random.percent(30) ? 2 : 1;
  const answers = await Promise.all(
    Array.from({ length: times }, () =>
      play.send('POST', path, { as: null, form: { answer: word, lang: 'es' } }),
    ),
  );
  for (const { answer } of answers) expect(answer.status, answer.text).toBe(303);
  play.note(`${found.kind} ${found.id} ${found.state}: ${word}`);
  if (word === 'accept' && found.state === 'pending_to_sign') {
    found.state = 'signed';
    found.wasSigned = true;
  }
  const ends = { decline_confirmed: 'pending_to_sign', revoke_confirmed: 'signed' }[word];
  if (ends === found.state) endMandate(found, model.asks.values());
  await checkMandate(play, found);
}
