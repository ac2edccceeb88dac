import type { Centavos } from '../../kernel/money.ts';
import { listing } from '../../platform/listings.ts';
import type { Sql } from '../../platform/postgres/connect.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

interface Balances {
  account: string;
  available: Centavos;
  unavailable: Centavos;
}

async function readBalances(
  sql: Sql,
  { account: named }: { account: string | null },
): Promise<Balances[]> {
  const [{ accountIdsOf }, { holderBalances }] = await Promise.all([
    import('../../accounts/operations.ts'),
    import('./store.ts'),
  ]);
  const rows: Balances[] = [];
  for (const account of await accountIdsOf(sql, named)) {
    rows.push({ account, ...(await holderBalances(sql, account)) });
  }
  return rows;
}

export const balanceList = listing({
  name: 'ledger.balances',
  act: 'accounts.see',
  account: 'optional',
  whole: true,
  texts: { en, es },
  read: readBalances,
  columns: {
    account: { kind: 'text', of: (row) => row.account },
    available: { kind: 'money', of: (row) => row.available },
    unavailable: { kind: 'money', of: (row) => row.unavailable },
  },
});
