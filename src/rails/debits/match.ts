import { isOfAccount, planRun, rejectCodeOf } from '../../debit-requests/index.ts';
import { parseCardNumber } from '../../kernel/card-number.ts';
import { cbuFault } from '../../kernel/cbu.ts';
import { midnightOf } from '../../kernel/dates.ts';
import { decryptNumber } from '../../mandates/index.ts';
import type { Vault } from '../../platform/vault.ts';
import type { DebitItem, DebitNews, DebitOutcome, DebitRemark } from './debit.ts';
import { type KnownMandate, type KnownRun, mandateOf, type Subjects } from './subjects.ts';

/** Outcomes of earlier lines of the same file, by run and in order. */
export type EarlierOutcomes = ReadonlyMap<string, readonly DebitOutcome[]>;

interface Decided {
  outcome: DebitOutcome;
  remarks: DebitRemark[];
}

const as = (outcome: DebitOutcome, ...remarks: DebitRemark[]): Decided => ({ outcome, remarks });

const ends: readonly DebitOutcome[] = ['paid', 'rejected', 'retried'];

/**
 * Returns the outcome of a run according to the books or an earlier line, or null if it is pending.
 */
function endOf(run: KnownRun, before: readonly DebitOutcome[]): 'paid' | 'refused' | null {
  if (run.run.state === 'done') return run.decision === 'collected' ? 'paid' : 'refused';
  const end = before.find((outcome) => ends.includes(outcome));
  if (end === undefined) return null;
  return end === 'paid' ? 'paid' : 'refused';
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

/** Context for deciding a line. */
interface Beside {
  earlier: EarlierOutcomes;
  /** Ids of mandates that lines of the chunk move to another account or card. */
  moving: ReadonlySet<number>;
  vault: Vault;
}

/**
 * Returns true if a rejection ends the mandate. "Account closed" does not if a new account is
 * known.
 */
function closesMandate({ code, text }: Rejection, run: KnownRun, moving: Beside['moving']) {
  if (rejectCodeOf(code, text).handling !== 'close') return false;
  const { mandate, putTo } = run;
  if (!isOfAccount(code) || putTo === null) return true;
  return putTo === mandate.instrument_no && !moving.has(mandate.key.id);
}

/**
 * Decides a payment or rejection. A repetition of a run's end is known. Money for a refused run
 * goes into suspense, and a rejection of a paid run changes nothing.
 */
function decideOutcome(
  news: Outcome,
  run: KnownRun | undefined,
  { before, moving }: Pick<Beside, 'moving'> & { before: readonly DebitOutcome[] },
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
 * Decides a reversal. A rejected run may still have a payment, if suspense money was later matched
 * to it.
 */
function decideReversal(run: KnownRun | undefined, before: readonly DebitOutcome[]): Decided {
  if (!run || run.run.state === 'waiting') return as('unmatched', 'unknown_reference');
  if (run.request.state === 'reverted' || before.includes('reversed')) {
    return as('known', 'told_before');
  }
  const isPaid = run.hasPayment || endOf(run, before) === 'paid';
  return isPaid ? as('reversed') : as('unmatched', 'not_paid');
}

/**
 * Decides a line that contradicts itself. It ends nothing, because the operator checks it with the
 * processor.
 */
function decideUnclear(run: KnownRun | undefined, before: readonly DebitOutcome[]): Decided {
  if (!run || run.run.state === 'waiting') return as('unmatched', 'unknown_reference', 'unclear');
  return as(endOf(run, before) === null ? 'in_process' : 'known', 'unclear');
}

/** Returns the effect of a line's new account or card, or null without one. */
function replacementOf(
  { replacement }: DebitItem,
  mandate: KnownMandate | null,
  vault: Vault,
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
  return decryptNumber(vault, encrypted) === parsed.number ? null : 'new_instrument';
}

/** Returns the ids of mandates that lines move to another account or card. */
export const movedBy = (items: readonly DebitItem[], subjects: Subjects, vault: Vault) =>
  new Set(
    items.flatMap((item) => {
      const mandate = mandateOf(item, subjects);
      return replacementOf(item, mandate, vault) === 'new_instrument' && mandate
        ? [mandate.key.id]
        : [];
    }),
  );

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
  { earlier, moving, vault }: Beside,
): Decided {
  const { news, reference } = item;
  const run = subjects.runs.get(reference);
  const before = earlier.get(reference) ?? [];
  const mandate = mandateOf(item, subjects);
  const change = replacementOf(item, mandate, vault);
  const withChange = (decided: Decided): Decided =>
    change ? { ...decided, remarks: [...decided.remarks, change] } : decided;
  switch (news.type) {
    case 'paid':
    case 'rejected':
      return withChange(decideOutcome(news, run, { before, moving }));
    case 'unclear':
      return withChange(decideUnclear(run, before));
    case 'reversed':
      return withChange(decideReversal(run, before));
    case 'mandate_ended':
      return decideEnd(mandate);
    case 'instrument_changed':
      return decideChange(mandate, change);
    case 'notice':
      return withChange(as('notice', 'notice'));
  }
}
