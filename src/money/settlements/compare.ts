import { centavos } from '../../kernel/money.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import { type ListedCharge, readListed } from '../charges/index.ts';
import { connectorSource, trxRef } from '../collections/index.ts';
import { findAllUnmatched, type SuspenseRow } from '../suspense/index.ts';
import {
  type Judgement,
  judge,
  judgeSuspended,
  nothingSettled,
  type SettlementLine,
} from './line.ts';
import { type Comparison, linesOf } from './store.ts';
import { type ChargeName, chargeKey, sumsUpTo, suspendedSumsUpTo } from './sums.ts';

export interface Judged {
  line: SettlementLine;
  charge: ListedCharge | null;
  judgement: Judgement;
}

const keyOf = ({ account_id: accountId, attempt_id: attemptId }: SettlementLine): ChargeName[] =>
  accountId !== null && attemptId !== null ? [{ accountId, attemptId }] : [];

/** Returns wallets' payments that are or were in suspense, by the names of their lines. */
async function suspendedOf(
  sql: Queryable,
  connector: string,
  lines: readonly SettlementLine[],
): Promise<Map<string, SuspenseRow>> {
  const refs = new Map(
    lines.flatMap(({ name, trx, attempt_id: attemptId }) =>
      trx === null || attemptId !== null ? [] : [[name, trxRef(trx)]],
    ),
  );
  if (refs.size === 0) return new Map();
  const all = await findAllUnmatched(sql, connectorSource(connector), [...refs.values()]);
  const byRef = new Map(all.map((money) => [money.source_ref, money]));
  return new Map(
    [...refs].flatMap(([name, ref]) => {
      const money = byRef.get(ref);
      return money ? [[name, money]] : [];
    }),
  );
}

/** Compares a connector's lines with the current books. */
export async function judgeLines(
  sql: Queryable,
  connector: string,
  lines: readonly SettlementLine[],
): Promise<Judged[]> {
  const keys = [...new Map(lines.flatMap(keyOf).map((key) => [chargeKey(key), key])).values()];
  const sums = await sumsUpTo(sql, connector, keys);
  const listed = await readListed(sql, connector, keys);
  const charges = new Map(
    listed.map((one) => [chargeKey({ accountId: one.account_id, attemptId: one.id }), one]),
  );
  const suspended = await suspendedOf(sql, connector, lines);
  const trxs = lines.flatMap(({ name, trx }) => (trx !== null && suspended.has(name) ? [trx] : []));
  const suspendedSums = await suspendedSumsUpTo(sql, connector, trxs);
  return lines.map((line) => {
    const [key] = keyOf(line);
    const charge = (key && charges.get(chargeKey(key))) ?? null;
    const money = suspended.get(line.name);
    const upTo = (money ? suspendedSums : sums).get(line.name) ?? nothingSettled;
    const judgement = money ? judgeSuspended(line, money, upTo) : judge(line, charge, upTo);
    return { line, charge, judgement };
  });
}

const atOnce = 500;

/** Compares all lines of a payout with the books, page by page. */
export async function* judgedPages(
  sql: Queryable,
  { id, connector }: { id: number; connector: string },
): AsyncGenerator<Judged[]> {
  let after = '';
  for (;;) {
    const lines = await linesOf(sql, id, { after, limit: atOnce });
    if (lines.length > 0) yield await judgeLines(sql, connector, lines);
    if (lines.length < atOnce) return;
    after = lines.at(-1)?.name ?? '';
  }
}

export const emptyComparison = (): Comparison => ({
  lines: 0,
  gross: centavos(0),
  fee: centavos(0),
  listed: centavos(0),
  matched: centavos(0),
  elsewhere: centavos(0),
  faults: 0,
});

export function addLine(sums: Comparison, { line, judgement }: Judged): Comparison {
  const { is } = judgement;
  const plus = (sum: number, amount: number) => centavos(sum + amount);
  return {
    lines: sums.lines + 1,
    gross: plus(sums.gross, line.gross),
    fee: plus(sums.fee, line.fee),
    listed: plus(sums.listed, line.net),
    matched: plus(sums.matched, is === 'matched' ? line.gross : 0),
    elsewhere: plus(sums.elsewhere, is === 'elsewhere' ? line.gross : 0),
    faults: sums.faults + (is === 'faulty' ? 1 : 0),
  };
}
