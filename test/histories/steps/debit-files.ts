import { expect } from 'vitest';
import {
  type BankAnswer,
  bank350Lines,
  type CardAnswer,
  credit300Lines,
  debit150Lines,
  type MacroAnswer,
  macro220Lines,
  zeros,
} from '../../rails/debit-files.ts';
import { macroService } from '../desk.ts';
import type { Ask, Run } from '../model/ask.ts';
import { compact, type Day } from '../model/days.ts';
import { settle } from '../model/debits.ts';
import { takeBack } from '../model/money.ts';
import { type Play, pesos } from '../play.ts';
import { checkMandate } from './debits.ts';
import { learnFound } from './files.ts';

const visaCredit = ['4507990000004905', '4258210000474094', '4546400044997331'];
/** Cards of brands whose processors have no files. */
const exchanged = ['373953192351004', '5896570000000008'];

/** Rails of outgoing files, with the cards of each; null for debits on bank accounts. */
const outbound: Record<string, readonly string[] | null> = {
  'direct-debit-350': null,
  'direct-debit-220': null,
  debliqc: visaCredit,
  deblimc: ['5299910010000015'],
  debliqd: ['4517721004856075'],
  'cards-csv': exchanged,
  'cards-json': exchanged,
};

function goesOut({ model }: Play, rail: string, ask: Ask): boolean {
  const numbers = outbound[rail] ?? null;
  if (numbers === null) return ask.kind === 'debit_request';
  if (ask.kind !== 'card_debit_request') return false;
  return numbers.includes(model.mandateOf(ask).card ?? '');
}

/** Exports submitted runs to a file. The simulator no longer responds to them. */
export async function exportFile(play: Play): Promise<void> {
  const { model, random } = play;
  const rail = random.one(Object.keys(outbound)) ?? 'debliqc';
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

/** A file's report on a run. */
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

/** The outcomes that a rail can express. */
interface Language {
  codes: readonly string[];
  /** True if it reports reversals. */
  reverses: boolean;
}

function someWord(play: Play, ask: Ask, run: Run, { codes, reverses }: Language): Word {
  const { random } = play;
  if (reverses && run.end === 'paid' && random.percent(60)) {
    return { ask, run, says: { type: 'reversed' } };
  }
  if (random.percent(55)) {
    const other = random.percent(10) ? random.between(1, run.amount) : run.amount;
    return { ask, run, says: { type: 'paid', amount: other } };
  }
  return { ask, run, says: { type: 'rejected', code: random.one(codes) ?? 'R06' } };
}

/** Picks runs that a file can report: submitted ones, and sometimes a decided one. */
function someWords(play: Play, fits: (ask: Ask) => boolean, language: Language): Word[] {
  const words: Word[] = [];
  const told = (ask: Ask): Run | undefined =>
    ask.runs.findLast((run) => run.filed && (run.state === 'submitted' || play.random.percent(30)));
  for (let left = play.random.between(1, 6); left > 0; left -= 1) {
    const ask = play.take((one) => fits(one) && one.runs.some(({ filed }) => filed));
    const run = ask && told(ask);
    if (ask && run) words.push(someWord(play, ask, run, language));
  }
  return words;
}

/** Returns true if the run was not submitted or ended unpaid: its money goes into suspense. */
function isLost({ run }: Word): boolean {
  return run.state === 'waiting' || (run.state === 'done' && run.end !== 'paid');
}

/** Applies a report. Returns true if its money goes into suspense. */
function hear(play: Play, word: Word, on: Day): boolean {
  const { model } = play;
  const { ask, run, says } = word;
  if (says.type === 'reversed') {
    const reference = referenceOf(ask, run);
    const place = ask.payments.findIndex((one) => one.run === reference);
    const payment = ask.payments[place];
    if (!payment || ask.told.includes(reference)) return false;
    const probe = structuredClone(ask);
    const back = takeBack(model.book, probe, { type: 'chargeback', place, part: null });
    if (typeof back === 'number') return false;
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

const macroLine = ({ model }: Play, { ask, run, says }: Word): MacroAnswer => ({
  reference: referenceOf(ask, run),
  customer: zeros(ask.mandate ?? 0, 15),
  due: compact(model.today),
  amount: run.amount,
  ...(says.type === 'paid' ? { debited: says.amount } : { debited: 0 }),
  ...(says.type === 'rejected' && { code: says.code }),
});

/** Imports a bank's file. Runs alone, since a code may end a mandate and its other debits. */
export async function bankFile(play: Play): Promise<void> {
  const { model, random } = play;
  const rail = random.percent(60) ? 'direct-debit-350' : 'direct-debit-220';
  const language = { codes: bankCodes, reverses: rail === 'direct-debit-350' };
  const words = someWords(play, ({ kind }) => kind === 'debit_request', language);
  if (words.length === 0) return await exportFile(play);
  for (const { ask } of words) await before(play, ask);
  const date = compact(model.today);
  const lines = language.reverses
    ? bank350Lines(date, words.map(bankLine))
    : macro220Lines(
        date,
        words.map((word) => macroLine(play, word)),
        { service: macroService },
      );
  await told(play, { rail, lines, words, channel: 'direct_debit' });
}

/** Releases today's money before a reversal, since the service may do so at any moment. */
async function before(play: Play, { payments }: Ask): Promise<void> {
  const { today } = play.model;
  if (payments.some((one) => one.releasedOn === null && one.available <= today)) {
    await play.settleToday();
  }
}

interface CardFile {
  cards: readonly string[];
  codes: readonly string[];
  write(day: Day, items: CardAnswer[]): string[];
}

const named =
  (lines: typeof credit300Lines, name: string, establishment: string): CardFile['write'] =>
  (day, items) =>
    lines(compact(day), items, { name, establishment });

const outcomeOf = ({ transaction, code }: CardAnswer): string =>
  transaction === '6000' ? 'reversed' : code === undefined ? 'paid' : 'rejected';

/** Returns the cells of an exchange file, the same for CSV and JSON. */
const exchangeCells = (day: Day, one: CardAnswer) => ({
  reference: one.reference,
  outcome: outcomeOf(one),
  amount: String(pesos(one.amount)),
  date: day,
  code: one.code ?? '',
  text: one.text ?? '',
  new_card_number: '',
});

const exchange: Pick<CardFile, 'cards' | 'codes'> = {
  cards: exchanged,
  codes: ['51', 'R10', 'R90'],
};
const onDebit: Pick<CardFile, 'cards' | 'codes'> = {
  cards: ['4517721004856075'],
  codes: ['R10', '034', 'R06'],
};

const cardFiles: Record<string, CardFile> = {
  rdebliqc: {
    cards: visaCredit,
    codes: ['51', '05', '14', '41'],
    write: named(credit300Lines, 'RDEBLIQC', '0000000515'),
  },
  rdeblimc: {
    cards: ['5299910010000015'],
    codes: ['51', '05'],
    write: named(credit300Lines, 'RDEBLIMC', '0000000517'),
  },
  rdebliqd: { ...onDebit, write: named(debit150Lines, 'RDEBLIQD', '0000000516') },
  ldebliqd: { ...onDebit, write: named(debit150Lines, 'LDEBLIQD', '0000000516') },
  'cards-json-answers': {
    ...exchange,
    write: (day, items) => items.map((one) => JSON.stringify(exchangeCells(day, one))),
  },
  'cards-csv-answers': {
    ...exchange,
    write: (day, items) => {
      const rows = items.map((one) => exchangeCells(day, one));
      return [rows[0] ?? {}, ...rows].map((row, at) =>
        (at === 0 ? Object.keys(row) : Object.values(row)).join(','),
      );
    },
  },
};

/** Imports a card processor's file. */
export async function cardFile(play: Play): Promise<void> {
  const { model, random } = play;
  const [rail, file] = random.one(Object.entries(cardFiles)) ?? [];
  if (rail === undefined || !file) return;
  const cardOf = (ask: Ask): string => model.mandateOf(ask).card ?? '';
  const words = someWords(
    play,
    (ask) => ask.kind === 'card_debit_request' && file.cards.includes(cardOf(ask)),
    { codes: file.codes, reverses: true },
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
  const lines = file.write(model.today, items);
  await told(play, { rail, lines, words, channel: 'card_debit' });
}

interface File {
  rail: string;
  lines: string[];
  words: Word[];
  channel: 'direct_debit' | 'card_debit';
}

/** Imports a file, sometimes twice at once, and applies it once to the model. */
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
