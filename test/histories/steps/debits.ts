import { expect } from 'vitest';
import { adhesionBody, cardAdhesionBody, cbuEndingIn } from '../../harness/builders/mandates.ts';
import {
  type BankAnswer,
  bank350Lines,
  type CardAnswer,
  credit300Lines,
  debit150Lines,
  zeros,
} from '../../rails/debit-files.ts';
import { type Ask, blankAsk, type Run } from '../model/ask.ts';
import { addDays, asSent, compact, type Day } from '../model/days.ts';
import { bankRun, cardRun, endMandate, type Mandate, settle } from '../model/debits.ts';
import { takeBack } from '../model/money.ts';
import { type Play, pesos } from '../play.ts';
import { learnFound } from './files.ts';
import { sentSecond, someAmount, someSecondDue } from './payments.ts';

const endings: Record<string, string | null> = {
  '9902': 'R02',
  '9910': 'R10',
  '9915': 'R15',
  '9924': 'R24',
};

const cards = [
  ['4507990000004905', null],
  ['5299910010000015', null],
  ['4517721004856075', null],
  ['4546400044997331', 'R02'],
  ['4258210000474094', 'R10'],
] as const;

const key = ({ kind, id }: Mandate): string => `${kind} ${id}`;
const weekMs = 7 * 86_400_000;

export async function mandate(play: Play): Promise<void> {
  const { model, random } = play;
  const kind = random.percent(60) ? 'adhesion' : 'card_adhesion';
  const willing = random.percent(92);
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
    code: isBank ? (endings[ending] ?? null) : cardCode,
    card: isBank ? null : card,
    signBefore: model.now() + weekMs,
  };
  model.mandates.set(key(made), made);
  // The holder signs behind the answer; a process that died in between leaves it to the next sweep.
  if (play.deployment.kills) await play.settleToday();
  await checkMandate(play, made);
}

async function checkMandate(play: Play, { kind, id, state }: Mandate): Promise<void> {
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
  model.asks.set(answer.body.id, {
    ...structuredClone(blankAsk),
    id: answer.body.id,
    kind: 'card_debit_request',
    due1: run.runOn,
    total1,
    mandate: on.id,
    month: period,
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

/** Alone: the debits on it go with it. */
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

const outbound = {
  'direct-debit-350': { kind: 'debit_request', cards: null },
  debliqc: { kind: 'card_debit_request', cards: ['4507990000004905', '4258210000474094'] },
  deblimc: { kind: 'card_debit_request', cards: ['5299910010000015'] },
  debliqd: { kind: 'card_debit_request', cards: ['4517721004856075'] },
} as const;

const visaCredit = ['4507990000004905', '4258210000474094', '4546400044997331'];

function goesOut({ model }: Play, rail: keyof typeof outbound, ask: Ask): boolean {
  if (ask.kind !== outbound[rail].kind) return false;
  if (rail === 'direct-debit-350') return true;
  const card = model.mandateOf(ask).card ?? '';
  if (rail === 'debliqc') return visaCredit.includes(card);
  return (outbound[rail].cards as readonly string[]).includes(card);
}

/** Runs that were handed over and wait to go out go into a file; the simulator says nothing of them. */
export async function exportFile(play: Play): Promise<void> {
  const { model, random } = play;
  const rail = random.one(Object.keys(outbound) as (keyof typeof outbound)[]) ?? 'debliqc';
  const { done, again } = await play.desk((desk) => desk.exportRail(rail));
  if ('refused' in done) throw new Error(`the export was refused: ${done.refused}`);
  let count = 0;
  for (const ask of model.asks.values()) {
    if (!goesOut(play, rail, ask)) continue;
    for (const run of ask.runs) {
      if (run.state !== 'submitted' || run.filed || run.code !== null) continue;
      run.filed = true;
      count += 1;
      if (!again) expect(done.join('\n')).toContain(referenceOf(ask, run));
    }
  }
  play.note(`${rail} took ${count}`);
}

const referenceOf = ({ id }: Pick<Ask, 'id'>, { no }: Pick<Run, 'no'>): string =>
  `${zeros(id, 14)}${no}`;

/** What a file says of a run. */
interface Word {
  ask: Ask;
  run: Run;
  says:
    | { type: 'paid'; amount: number }
    | { type: 'rejected'; code: string }
    | { type: 'reversed' };
}

const bankCodes = [
  ...['R02', 'R03', 'R04', 'R05', 'R06', 'R07', 'R08', 'R10', 'R13', 'R14', 'R15', 'R17', 'R19'],
  ...['R20', 'R23', 'R24', 'R25', 'R26', 'R28', 'R29', 'R75', 'R81', 'R87', 'R89', 'R90', 'R91'],
  'R95',
];

function someWord(play: Play, ask: Ask, run: Run, codes: readonly string[]): Word {
  const { random } = play;
  if (run.end === 'paid' && random.percent(60)) return { ask, run, says: { type: 'reversed' } };
  if (random.percent(55)) {
    const other = random.percent(10) ? random.between(1, run.amount) : run.amount;
    return { ask, run, says: { type: 'paid', amount: other } };
  }
  return { ask, run, says: { type: 'rejected', code: random.one(codes) ?? 'R06' } };
}

/** Runs that a file may tell of: those that are out, and now and then one that was decided. */
function someWords(play: Play, fits: (ask: Ask) => boolean, codes: readonly string[]): Word[] {
  const words: Word[] = [];
  const told = (ask: Ask): Run | undefined =>
    ask.runs.findLast((run) => run.filed && (run.state === 'submitted' || play.random.percent(30)));
  for (let left = play.random.between(1, 6); left > 0; left -= 1) {
    const ask = play.take((one) => fits(one) && one.runs.some(({ filed }) => filed));
    const run = ask && told(ask);
    if (ask && run) words.push(someWord(play, ask, run, codes));
  }
  return words;
}

/** Money for a run that does not wait for it, by run: it is in suspense once. */
function isLost({ run }: Word): boolean {
  return run.state === 'waiting' || (run.state === 'done' && run.end !== 'paid');
}

/** What a word comes to; true where its money goes into suspense. */
function hear(play: Play, word: Word, on: Day): boolean {
  const { model } = play;
  const { ask, run, says } = word;
  if (says.type === 'reversed') {
    const reference = referenceOf(ask, run);
    const place = ask.payments.findIndex((one) => one.run === reference);
    const payment = ask.payments[place];
    if (!payment || ask.state === 'reverted' || ask.told.includes(reference)) return false;
    const probe = structuredClone(ask);
    const back = takeBack(model.book, probe, { type: 'chargeback', place, part: null });
    const late = payment.channel === 'direct_debit' && addDays(payment.paidOn, 30) < on;
    if (typeof back === 'number' || late) return false;
    Object.assign(ask, probe);
    ask.told.push(reference);
    return false;
  }
  if (says.type === 'paid' && isLost(word)) return true;
  if (run.state !== 'submitted') return false;
  const outcome = says.type === 'paid' ? { paidOn: on, amount: says.amount } : { code: says.code };
  settle(model.parties(), ask, run, outcome);
  return false;
}

const bankLine = (word: Word): BankAnswer => {
  const { ask, run, says } = word;
  const common = { reference: referenceOf(ask, run), customer: zeros(ask.mandate ?? 0, 15) };
  if (says.type === 'reversed') return { ...common, type: '0371', amount: run.amount };
  if (says.type === 'rejected') {
    return { ...common, type: '0360', code: says.code, amount: run.amount };
  }
  return { ...common, amount: says.amount };
};

/** Alone: a code may end a mandate, and other debits with it. */
export async function bankFile(play: Play): Promise<void> {
  const { model } = play;
  const words = someWords(play, ({ kind }) => kind === 'debit_request', bankCodes);
  if (words.length === 0) return await exportFile(play);
  for (const { ask } of words) await before(play, ask);
  const lines = bank350Lines(compact(model.today), words.map(bankLine));
  await told(play, { rail: 'direct-debit-350', lines, words, channel: 'direct_debit' });
}

/** Money of today that goes back is made available first, as the day would do it. */
async function before(play: Play, { payments }: Ask): Promise<void> {
  const { today } = play.model;
  if (payments.some((one) => one.releasedOn === null && one.available <= today)) {
    await play.settleToday();
  }
}

const cardFiles = {
  rdebliqc: { cards: visaCredit, codes: ['51', '05', '14', '41'], lines: credit300Lines },
  rdeblimc: { cards: ['5299910010000015'], codes: ['51', '05'], lines: credit300Lines },
  rdebliqd: { cards: ['4517721004856075'], codes: ['R10', '034', 'R06'], lines: debit150Lines },
  ldebliqd: { cards: ['4517721004856075'], codes: ['R10', '034', 'R06'], lines: debit150Lines },
} as const;

const establishments: Record<string, string> = {
  rdebliqc: '0000000515',
  rdeblimc: '0000000517',
  rdebliqd: '0000000516',
  ldebliqd: '0000000516',
};

/** Answers of the card processor. */
export async function cardFile(play: Play): Promise<void> {
  const { model, random } = play;
  const rail = random.one(Object.keys(cardFiles) as (keyof typeof cardFiles)[]) ?? 'rdebliqc';
  const { cards: numbers, codes, lines: write } = cardFiles[rail];
  const cardOf = (ask: Ask): string => model.mandateOf(ask).card ?? '';
  const words = someWords(
    play,
    (ask) =>
      ask.kind === 'card_debit_request' && (numbers as readonly string[]).includes(cardOf(ask)),
    codes,
  );
  if (words.length === 0) return await exportFile(play);
  for (const { ask } of words) await before(play, ask);
  const items = words.map(
    ({ ask, run, says }): CardAnswer => ({
      card: cardOf(ask),
      reference: referenceOf(ask, run),
      amount: says.type === 'paid' ? says.amount : run.amount,
      ...(says.type === 'reversed' && { transaction: '6000' }),
      ...(says.type === 'rejected' && { code: says.code, text: 'No' }),
    }),
  );
  const names = { name: rail.toUpperCase(), establishment: establishments[rail] ?? '' };
  const lines = write(compact(model.today), items, names);
  await told(play, { rail, lines, words, channel: 'card_debit' });
}

interface File {
  rail: string;
  lines: string[];
  words: Word[];
  channel: 'direct_debit' | 'card_debit';
}

/** A file is taken in, now and then twice at once; what it tells happened once. */
async function told(play: Play, { rail, lines, words, channel }: File): Promise<void> {
  const { model } = play;
  await play.takeIn((desk) => desk.importBank(rail, lines));
  const said = words.map(({ ask, run, says }) => `${ask.id}/${run.no} ${JSON.stringify(says)}`);
  play.note(`${rail}: ${said}`);
  const lost: { amount: number; paidOn: Day; run: string }[] = [];
  for (const word of words) {
    const { ask, run, says } = word;
    const mark = `lost ${referenceOf(ask, run)}`;
    const isNew = hear(play, word, model.today) && !ask.told.includes(mark);
    if (!isNew || says.type !== 'paid') continue;
    ask.told.push(mark);
    lost.push({ amount: says.amount, paidOn: model.today, run: referenceOf(ask, run) });
  }
  await learnFound(play, channel, lost);
  for (const { ask } of words) await play.check(ask);
  for (const one of new Set(words.map(({ ask }) => model.mandateOf(ask)))) {
    await checkMandate(play, one);
  }
}
