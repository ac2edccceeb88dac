import { isOfAccount, planRun, rejectCodeOf } from '../../debit-requests/index.ts';
import { parseCardNumber } from '../../kernel/card-number.ts';
import { cbuFault } from '../../kernel/cbu.ts';
import { midnightOf } from '../../kernel/dates.ts';
import type { Centavos } from '../../kernel/money.ts';
import { decryptNumber } from '../../mandates/index.ts';
import type { Vault } from '../../platform/vault.ts';
import type { Carriers } from './carriers.ts';
import type { DebitItem, DebitNews, DebitOutcome, DebitRemark } from './debit.ts';
import { isWhole } from './run-money.ts';
import { type KnownMandate, type KnownRun, mandateOf, type Subjects } from './subjects.ts';

/** An earlier line of the same file. */
export interface EarlierLine {
  outcome: DebitOutcome;
  /** The collected amount, for a payment. */
  amount: Centavos;
}

/** In order, by reference. */
type EarlierLines = ReadonlyMap<string, readonly EarlierLine[]>;

interface Decided {
  outcome: DebitOutcome;
  remarks: DebitRemark[];
}

const as = (outcome: DebitOutcome, ...remarks: DebitRemark[]): Decided => ({ outcome, remarks });

const ends: readonly DebitOutcome[] = ['paid', 'rejected', 'retried'];

/**
 * Returns the outcome of a run according to the books or an earlier line, or null if it is pending.
 */
function endOf(run: KnownRun, before: readonly EarlierLine[]): 'paid' | 'refused' | null {
  if (run.run.state === 'done') return run.decision === 'collected' ? 'paid' : 'refused';
  const end = before.find(({ outcome }) => ends.includes(outcome));
  if (end === undefined) return null;
  return end.outcome === 'paid' ? 'paid' : 'refused';
}

type Rejection = Extract<DebitNews, { type: 'rejected' }>;
type Outcome = Extract<DebitNews, { type: 'paid' }> | Rejection;

export const outcomeOf = (news: Outcome) =>
  news.type === 'paid'
    ? ({ type: 'paid', paidAt: midnightOf(news.on), amount: news.amount } as const)
    : ({ type: 'rejected', at: midnightOf(news.on), code: news.code, text: news.text } as const);

/** Returns false for an interim code, which leaves the debit in process. */
const isLastWord = (news: Outcome): boolean =>
  news.type === 'paid' || rejectCodeOf(news.code, news.text).handling !== 'wait';

interface Beside {
  earlier: EarlierLines;
  /** Ids of mandates that lines of the file move to another account or card. */
  moving: ReadonlySet<number>;
  means: Means;
}

/** Decide whether a mandate can use a new account or card. */
export interface Means {
  vault: Vault;
  carriers: Pick<Carriers, 'cardFault'>;
}

/**
 * Returns true if a rejection ends the mandate. One for a closed account does not if a new account
 * is known.
 */
function closesMandate({ code, text }: Rejection, run: KnownRun, moving: Beside['moving']) {
  if (rejectCodeOf(code, text).handling !== 'close') return false;
  const { mandate, putTo } = run;
  if (!isOfAccount(code) || putTo === null) return true;
  return putTo === mandate.instrument_no && !moving.has(mandate.key.id);
}

/**
 * Decides a payment or rejection. A repeat of a run's end is `known`. Money for a refused run goes
 * into suspense, and a rejection of a paid run changes nothing.
 */
function decideOutcome(
  news: Outcome,
  run: KnownRun | undefined,
  { before, moving }: Pick<Beside, 'moving'> & { before: readonly EarlierLine[] },
): Decided {
  const lost = news.type === 'paid' ? 'suspense' : 'unmatched';
  if (!run || run.run.state === 'waiting') return as(lost, 'unknown_reference');
  const end = endOf(run, before);
  if (end !== null) {
    const same = (end === 'paid') === (news.type === 'paid');
    if (same || !isLastWord(news)) return as('known', 'told_before');
    return as(news.type === 'paid' ? 'suspense' : 'known', 'contradicts');
  }
  if (news.type === 'paid') {
    return news.amount === run.run.amount ? as('paid') : as('paid', 'amount_differs');
  }
  const plan = planRun(run, { outcome: outcomeOf(news) });
  if (plan === 'waiting') return as('in_process');
  if (plan === 'retried') return as('retried');
  return closesMandate(news, run, moving) ? as('rejected', 'closes_mandate') : as('rejected');
}

/**
 * Decides a reversal. A rejected run may still have money, in suspense or where the operator
 * assigned it. Money that an earlier line of the file reports may not be in the books yet.
 */
function decideReversal(
  { amount }: DebitItem,
  run: KnownRun | undefined,
  before: readonly EarlierLine[],
): Decided {
  if (!run) return as('unmatched', 'unknown_reference');
  const { money } = run;
  const take = (there: Centavos): Decided =>
    isWhole({ line: amount, ordered: run.run.amount, money: there })
      ? as('reversed')
      : as('unmatched', 'amount_differs');
  if (before.some(({ outcome }) => outcome === 'reversed')) return as('known', 'told_before');
  if (money?.isThere) return take(money.amount);
  const suspended = before.find(({ outcome }) => outcome === 'suspense');
  if (money) return as('known', 'told_before');
  if (run.run.state === 'waiting' && !suspended) return as('unmatched', 'unknown_reference');
  if (!suspended && endOf(run, before) !== 'paid') return as('unmatched', 'not_paid');
  const reported = before.find(({ outcome }) => outcome === 'paid') ?? suspended;
  return reported ? take(reported.amount) : as('reversed');
}

/**
 * Decides a line that contradicts itself. It ends nothing, because the operator checks it with the
 * processor.
 */
function decideUnclear(run: KnownRun | undefined, before: readonly EarlierLine[]): Decided {
  if (!run || run.run.state === 'waiting') return as('unmatched', 'unknown_reference', 'unclear');
  return as(endOf(run, before) === null ? 'in_process' : 'known', 'unclear');
}

/** Returns the effect of a line's new account or card, or null without one. */
function replacementOf(
  { replacement }: DebitItem,
  mandate: KnownMandate | null,
  { vault, carriers }: Means,
): 'new_instrument' | 'unusable_instrument' | null {
  if (!replacement || !mandate || mandate.state === 'canceled') return null;
  if (replacement.type === 'cbu') {
    if (mandate.cbu === null || cbuFault(replacement.cbu) !== null) return 'unusable_instrument';
    return replacement.cbu === mandate.cbu ? null : 'new_instrument';
  }
  const { key, card_key_id, card_ciphertext } = mandate;
  const parsed = parseCardNumber(replacement.number);
  if (!parsed.ok || !card_key_id || !card_ciphertext) return 'unusable_instrument';
  const encrypted = { account_id: key.accountId, id: key.id, card_key_id, card_ciphertext };
  if (decryptNumber(vault, encrypted) === parsed.number) return null;
  return carriers.cardFault(parsed) === null ? 'new_instrument' : 'unusable_instrument';
}

/** Returns the ids of mandates that lines move to another account or card. */
export const movedBy = (items: readonly DebitItem[], subjects: Subjects, means: Means): number[] =>
  items.flatMap((item) => {
    const mandate = mandateOf(item, subjects);
    return replacementOf(item, mandate, means) === 'new_instrument' && mandate
      ? [mandate.key.id]
      : [];
  });

function decideEnd(mandate: KnownMandate | null): Decided {
  if (!mandate) return as('unmatched', 'unknown_mandate');
  return mandate.state === 'canceled' ? as('known', 'told_before') : as('mandate_closed');
}

function decideChange(
  mandate: KnownMandate | null,
  change: ReturnType<typeof replacementOf>,
): Decided {
  if (!mandate) return as('unmatched', 'unknown_mandate');
  if (change === 'unusable_instrument') return as('unmatched', change);
  return change ? as('instrument_changed', change) : as('known', 'told_before');
}

/** Decides the outcome of a line from its subject and the earlier lines. */
export function decideDebit(
  item: DebitItem,
  subjects: Subjects,
  { earlier, moving, means }: Beside,
): Decided {
  const { news, reference } = item;
  const run = subjects.runs.get(reference);
  const before = earlier.get(reference) ?? [];
  const mandate = mandateOf(item, subjects);
  const change = replacementOf(item, mandate, means);
  const withChange = (decided: Decided): Decided =>
    change ? { ...decided, remarks: [...decided.remarks, change] } : decided;
  switch (news.type) {
    case 'paid':
    case 'rejected':
      return withChange(decideOutcome(news, run, { before, moving }));
    case 'unclear':
      return withChange(decideUnclear(run, before));
    case 'reversed':
      return withChange(decideReversal(item, run, before));
    case 'mandate_ended':
      return decideEnd(mandate);
    case 'instrument_changed':
      return decideChange(mandate, change);
    case 'notice':
      return withChange(as('notice', 'notice'));
  }
}
