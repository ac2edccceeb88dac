import { dayOf } from '../kernel/dates.ts';
import { type Centavos, centavos } from '../kernel/money.ts';
import { textAt } from '../language/catalog.ts';
import { ledgerAccountName, type RequestJournal } from '../money/ledger/index.ts';
import type { TimelineStep } from '../payment-requests/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Lang } from '../platform/pages/model.ts';
import { entityOf } from '../requests/index.ts';
import type { EntityDelivery } from '../webhooks/index.ts';
import type { Fault, Life } from './life.ts';
import { lifeTexts } from './texts.ts';

/** The reader. Sentences omit what the role may not see and what only operators may know. */
export interface Reader {
  lang: Lang;
  isOperator: boolean;
  seesMoney: boolean;
  seesWebhooks: boolean;
}

export const operatorReading = (lang: Lang): Reader => ({
  lang,
  isOperator: true,
  seesMoney: true,
  seesWebhooks: true,
});

export interface Sentence {
  /** Null if the sentence concerns no point in time. */
  at: Temporal.Instant | null;
  /** Shown instead of the time if set. */
  day: Temporal.PlainDate | null;
  text: string;
}

export type SectionKey = keyof (typeof lifeTexts)['en']['sections'];

export interface Section {
  key: SectionKey;
  title: string;
  sentences: Sentence[];
}

export interface Story {
  title: string;
  sections: Section[];
}

const plain = (text: string): Sentence => ({ at: null, day: null, text });
const join = (...parts: (string | null)[]): string =>
  parts.filter((part) => part !== null).join(' ');
const ended = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

function headOf({ row, state, origin }: Life, { lang, isOperator }: Reader): Sentence[] {
  const { head, states } = lifeTexts[lang];
  const { due1, due2, total1, total2, payer, description } = row;
  const { entityId } = entityOf(row);
  return [
    head.asks({ payer, amount: total1, day: due1, description }),
    due2 && total2 && head.second({ amount: total2, day: due2 }),
    isOperator && head.account({ account: row.account_id }),
    row.reference !== null && head.reference({ reference: row.reference }),
    entityId !== String(row.id) && head.qr({ id: String(row.id) }),
    row.mandate_id !== null && head.mandate({ id: String(row.mandate_id) }),
    origin && head.imported({ id: origin.id, name: origin.fileName, row: String(origin.row) }),
    head.state({ state: states[state] }),
    row.state_comment && ended(head.why({ why: row.state_comment })),
  ].flatMap((text) => (text ? [plain(text)] : []));
}

/**
 * Returns the phrase that names the actor. Only operators see which connector, key or operator
 * acted.
 */
function byText(actor: Actor, { lang, isOperator }: Reader): string {
  const { by, byOperator } = lifeTexts[lang];
  if (isOperator && actor.kind === 'key') return byOperator.key({ name: actor.prefix });
  if (isOperator && actor.kind === 'operator') {
    return byOperator.operator({ name: `${actor.user}@${actor.host} (${actor.command})` });
  }
  if (isOperator && actor.kind === 'connector') return byOperator.connector({ name: actor.name });
  if (actor.kind === 'user') return by.user({ name: String(actor.id) });
  if (actor.kind === 'rail') return by.rail({ name: actor.name });
  return by[actor.kind];
}

function stepText(step: TimelineStep, before: string | null, reader: Reader): string {
  const texts = lifeTexts[reader.lang];
  const { what, channel, amount, words, state, connector, mail } = step;
  const sentence = texts.step({
    what: (textAt(texts.steps, what) ?? what) + (mail ? texts.mail(mail) : ''),
    channel: channel === null ? '' : texts.stepChannel({ channel }),
    amount: amount === null ? '' : texts.stepAmount({ amount }),
    by: byText(step.actor, reader),
    connector:
      reader.isOperator && connector !== undefined ? texts.stepConnector({ name: connector }) : '',
  });
  const [from, to] = [before, state ?? null].map(
    (one) => one && (textAt(texts.states, one) ?? one),
  );
  return join(
    sentence,
    words === null ? null : ended(texts.reason({ words })),
    from && to && from !== to ? texts.moved({ from, to }) : null,
  );
}

function stepsOf({ steps, leftOut }: Life, reader: Reader): Sentence[] {
  let before: string | null = null;
  const sentences = steps.map((step): Sentence => {
    const text = stepText(step, before, reader);
    before = step.state ?? before;
    return { at: step.at, day: step.day, text };
  });
  const left = lifeTexts[reader.lang].leftOut;
  if (leftOut.events > 0) sentences.splice(1, 0, plain(left.events({ count: leftOut.events })));
  return sentences;
}

function runsOf({ runs }: Life, { lang }: Reader): Sentence[] {
  const { runs: texts } = lifeTexts[lang];
  return runs.map(({ no, state, submit_on: submit, run_on: day, amount, code }) =>
    plain(
      join(texts[state]({ no, submit, amount, day }), code === null ? null : texts.code({ code })),
    ),
  );
}

const refundsOf = ({ refunds }: Life, { lang }: Reader): Sentence[] =>
  refunds.map(({ state, amount, requested_at: at, ended_at, way, comment }) => {
    const texts = lifeTexts[lang];
    return plain(
      join(
        texts.refunds[state]({ amount, at, ended: ended_at ?? at }),
        texts.refundWays[way],
        comment === null ? null : ended(texts.reason({ words: comment })),
      ),
    );
  });

const disputesOf = ({ disputes }: Life, { lang, isOperator }: Reader): Sentence[] =>
  disputes.map(({ state, amount, taken, reason, opened_at: at, connector, name }) => {
    const texts = lifeTexts[lang];
    return plain(
      join(
        texts.disputes[state]({ amount, at }),
        taken > 0 ? texts.disputeTaken({ amount: taken }) : null,
        reason === null ? null : ended(texts.reason({ words: reason })),
        isOperator ? texts.disputeConnector({ connector, name }) : null,
      ),
    );
  });

function linesOf({ accounts, amounts }: RequestJournal, lang: Lang): string {
  const texts = lifeTexts[lang];
  const nameOf = (account: number): string =>
    textAt(texts.accounts, ledgerAccountName(account)) ?? texts.accounts.clearing;
  return accounts
    .map((account, index) => {
      const amount: Centavos = amounts[index] ?? centavos(0);
      const side = amount < 0 ? 'credit' : 'debit';
      return texts.line[side]({ account: nameOf(account), amount: centavos(Math.abs(amount)) });
    })
    .join('; ');
}

function journalsOf({ journals, results, leftOut }: Life, { lang }: Reader): Sentence[] {
  const texts = lifeTexts[lang];
  const sentences = journals.map((journal): Sentence => {
    const { id, kind, seal, on_date: day } = journal;
    const text = texts.journal({
      id: String(id),
      kind: texts.journals[kind],
      lines: linesOf(journal, lang),
    });
    const sealed =
      typeof seal === 'string'
        ? texts.seals[seal]
        : texts.seals.sealed({ no: String(seal.no), at: seal.at });
    return { at: journal.at, day, text: join(text, sealed) };
  });
  if (sentences.length === 0) sentences.push(plain(texts.none.journals));
  return [
    ...sentences,
    ...(leftOut.results ? [plain(texts.leftOut.results({ count: results.length }))] : []),
    ...(leftOut.journals ? [plain(texts.leftOut.journals)] : []),
  ];
}

function faultText(fault: Fault, lang: Lang): string {
  const { faults: texts } = lifeTexts[lang];
  const journal = 'journal' in fault ? String(fault.journal) : '';
  const result = 'result' in fault ? String(fault.result) : '';
  return texts[fault.what]({ journal, result });
}

const faultsOf = ({ faults }: Life, { lang }: Reader): Sentence[] =>
  faults.length === 0
    ? []
    : [...faults.map((fault) => plain(faultText(fault, lang))), plain(lifeTexts[lang].audit)];

const payoutsOf = ({ payouts }: Life, { lang }: Reader): Sentence[] =>
  payouts.map(({ result, payout: { reference, amount, sent_at: at } }) => ({
    at,
    day: dayOf(at),
    text: lifeTexts[lang].payouts.sent({ reference, amount, released: result.amount }),
  }));

function filesOf({ lines, sent }: Life, { lang, isOperator }: Reader): Sentence[] {
  const all = lifeTexts[lang];
  const { files: texts } = all;
  return [
    ...sent.map(({ id, name, rail, file_date: day }) =>
      plain(isOperator ? texts.sent({ id, name, rail, day }) : texts.sentOut({ day })),
    ),
    ...lines.map(({ file: { id, name, rail, file_date: day }, line }) => {
      const said = {
        outcome: textAt(all.outcomes, line.outcome) ?? line.outcome,
        amount: line.amount,
      };
      return plain(
        isOperator
          ? texts.line({ id, name, rail, day, line: String(line.line), ...said })
          : texts.heard({ rail, day, ...said }),
      );
    }),
  ];
}

function deliveryText(delivery: EntityDelivery, lang: Lang): string {
  const { deliveries: texts, answers } = lifeTexts[lang];
  const { type, url, state, tries, status, error } = delivery;
  return join(
    texts[state]({ type, url, tries }),
    status === null ? null : answers.status({ status: String(status) }),
    error === null ? null : answers.error({ error }),
  );
}

function deliveriesOf({ deliveries, leftOut }: Life, { lang }: Reader): Sentence[] {
  const texts = lifeTexts[lang];
  if (deliveries.length === 0) return [plain(texts.none.deliveries)];
  return [
    ...deliveries.map((one) => ({
      at: one.last_at,
      day: null,
      text: deliveryText(one, lang),
    })),
    ...(leftOut.deliveries ? [plain(texts.leftOut.deliveries({ count: deliveries.length }))] : []),
  ];
}

const none = (): Sentence[] => [];

/** Describes a payment's history in sections of sentences. Omits empty sections. */
export function tellLife(life: Life, reader: Reader): Story {
  const texts = lifeTexts[reader.lang];
  const money = <T>(tells: T): T | typeof none => (reader.seesMoney ? tells : none);
  const parts: [SectionKey, (life: Life, reader: Reader) => Sentence[]][] = [
    ['head', headOf],
    ['faults', money(faultsOf)],
    ['steps', stepsOf],
    ['runs', runsOf],
    ['refunds', refundsOf],
    ['disputes', disputesOf],
    ['journals', money(journalsOf)],
    ['payouts', money(payoutsOf)],
    ['files', filesOf],
    ['deliveries', reader.seesWebhooks ? deliveriesOf : none],
  ];
  return {
    title: texts.title({ kind: texts.kinds[life.row.kind], id: entityOf(life.row).entityId }),
    sections: parts.flatMap(([key, tells]) => {
      const sentences = tells(life, reader);
      return sentences.length === 0 ? [] : [{ key, title: texts.sections[key], sentences }];
    }),
  };
}
