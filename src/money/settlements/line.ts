import { type Centavos, centavos, decimalText } from '../../kernel/money.ts';
import type { ListedCharge } from '../charges/index.ts';
import type { SuspenseRow } from '../suspense/index.ts';

export type SettlementKind = 'sale' | 'refund' | 'chargeback' | 'returned' | 'other';

/** A line of an acquirer's payout. Amounts are signed centavos. */
export interface SettlementLine {
  /** Id of the line at the acquirer. */
  name: string;
  kind: SettlementKind;
  /** The charge, as the acquirer names it. */
  attempt: string | null;
  trx: string | null;
  /** The account of the charge. Null if it is not ours. */
  account_id: string | null;
  attempt_id: number | null;
  /** True for a sale whose remaining amount other lines settle. */
  is_part: boolean;
  gross: Centavos;
  fee: Centavos;
  net: Centavos;
}

/** Sums of a charge's lines: of all, or up to one of them. */
export interface SettledSums {
  sale: number;
  /** Returned amounts, as a negative sum. */
  back: number;
  returned: number;
}

export const nothingSettled: SettledSums = { sale: 0, back: 0, returned: 0 };

/** A line's difference from the books, in centavos. */
export interface LineFault {
  /**
   * `net`: not gross less fee. `sign`: wrong sign for its kind. `no_charge`: money for no charge.
   * `unrecorded`: its charge has no payment. `amount`: another amount. `twice`: more was settled
   * than was paid. `back`, `returned`: more was returned, or restored, than is recorded.
   */
  code: 'net' | 'sign' | 'no_charge' | 'unrecorded' | 'amount' | 'twice' | 'back' | 'returned';
  listed: Centavos;
  /** The amount in the books. For `net`, the expected net. */
  recorded: Centavos;
}

export type Judgement = { is: 'matched' | 'elsewhere' } | { is: 'faulty'; fault: LineFault };

const faulty = (code: LineFault['code'], listed: number, recorded = 0): Judgement => ({
  is: 'faulty',
  fault: { code, listed: centavos(listed), recorded: centavos(recorded) },
});
const matched: Judgement = { is: 'matched' };

/** Words a fault as the end of a sentence about its line. */
export function faultText({ code, listed, recorded }: LineFault): string {
  const [theirs, ours] = [`${decimalText(listed)} pesos`, decimalText(recorded)];
  const texts: Record<LineFault['code'], string> = {
    net: `pays ${theirs}, but gross less fee is ${ours}`,
    sign: `is of ${theirs}, which is not an amount of its kind`,
    no_charge: `moves ${theirs}, which belongs to no charge`,
    unrecorded: `is of ${theirs}, but no payment is recorded`,
    amount: `settles ${theirs}, but ${ours} is recorded`,
    twice: `brings the settled total to ${theirs}, but ${ours} is recorded`,
    back: `brings the refunded total to ${theirs}, but ${ours} is recorded`,
    returned: `brings the returned total to ${theirs}, but ${ours} is recorded`,
  };
  return texts[code];
}

/** Returns the fault that a line shows by itself, without the books, or null. */
function ownFault({ kind, gross, fee, net }: SettlementLine): Judgement | null {
  if (net !== gross - fee) return faulty('net', net, gross - fee);
  if (kind === 'other') return gross === 0 ? null : faulty('no_charge', gross);
  const isDue = kind === 'sale' || kind === 'returned' ? gross > 0 : gross < 0;
  return isDue ? null : faulty('sign', gross);
}

type Collected = NonNullable<ListedCharge['collected']>;

/** Returns a payment's refunds, done and open, without those that the operator transfers. */
const givenBack = ({ refunded, refunding, transferred, transferring }: Collected) => ({
  refunded: refunded - transferred,
  refunding: refunding - transferring,
});

/** Compares a line of ours with its charge, and with the charge's lines so far. */
function compareWith(
  { kind, gross, is_part: isPart }: SettlementLine,
  collected: Collected,
  sums: SettledSums,
): Judgement {
  const { amount, charged_back: chargedBack, restored, retaken } = collected;
  if (kind === 'sale') {
    if (!isPart && gross !== amount) return faulty('amount', gross, amount);
    return sums.sale > amount ? faulty('twice', sums.sale, amount) : matched;
  }
  if (kind === 'returned') {
    return sums.returned > restored ? faulty('returned', sums.returned, restored) : matched;
  }
  const { refunded, refunding } = givenBack(collected);
  const gone = refunded + refunding + chargedBack + retaken;
  return -sums.back > gone ? faulty('back', -sums.back, gone) : matched;
}

/**
 * Compares a line with its charge in the books. Amounts are gross, because whole payments are
 * booked on the channel's clearing account.
 */
export function judge(
  line: SettlementLine,
  ours: ListedCharge | null,
  sums: SettledSums,
): Judgement {
  const own = ownFault(line);
  if (own !== null) return own;
  if (line.kind === 'other') return matched;
  if (line.attempt_id === null && line.trx === null) return { is: 'elsewhere' };
  return ours?.collected
    ? compareWith(line, ours.collected, sums)
    : faulty('unrecorded', line.gross);
}

/** Compares a line with money in suspense, which is booked on the clearing account too. */
export function judgeSuspended(
  line: SettlementLine,
  { amount }: SuspenseRow,
  { sale }: SettledSums,
): Judgement {
  const own = ownFault(line);
  if (own !== null) return own;
  if (line.kind !== 'sale') return matched;
  if (!line.is_part && line.gross !== amount) return faulty('amount', line.gross, amount);
  return sale > amount ? faulty('twice', sale, amount) : matched;
}

/** Returns what the acquirer owes for a charge: its amount in the books, less settlements. */
export const owedOf = (collected: Collected, { sale, back, returned }: SettledSums): number => {
  const { amount, charged_back: chargedBack, restored, retaken } = collected;
  const gone = givenBack(collected).refunded + chargedBack + retaken;
  return amount - gone + restored - (sale + back + returned);
};

/**
 * Returns the part of the debt that can be overdue. Leaves out open refunds, because the acquirer
 * may already have withheld them.
 */
export const overdueOf = (collected: Collected, sums: SettledSums): number =>
  owedOf(collected, sums) - givenBack(collected).refunding;

/** Returns the part of a settlement that neither the books nor another deployment explains. */
export const unexplainedOf = ({
  gross,
  matched,
  elsewhere,
}: Record<'gross' | 'matched' | 'elsewhere', Centavos>): Centavos =>
  centavos(gross - matched - elsewhere);
