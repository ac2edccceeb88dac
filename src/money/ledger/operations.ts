import { isoDateTime } from '../../kernel/dates.ts';
import { type Centavos, decimalText } from '../../kernel/money.ts';
import { detail } from '../../platform/details.ts';
import { accountId } from '../../platform/http/fields.ts';
import { required } from '../../platform/http/form.ts';
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

/** Shows an account: its state, settings, keys and balances. */
export const accountShowing = detail({
  name: 'account.show',
  act: 'accounts.see',
  takes: { id: required(accountId()) },
  command: { arguments: ['id'] },
  texts: { en, es },
  async facts({ sql }, { id }) {
    const [{ getAccount, listKeys, readSettings }, { holderBalances }] = await Promise.all([
      import('../../accounts/index.ts'),
      import('./store.ts'),
    ]);
    const { look, ...account } = await getAccount(sql, id);
    const settings = await readSettings(sql, id);
    const above = settings?.refund_approval_above ?? null;
    const keys = (await listKeys(sql, id)).filter((key) => key.revoked_at === null);
    const { available, unavailable } = await holderBalances(sql, id);
    return {
      ...account,
      legal_name: look.legal_name ?? null,
      created_at: isoDateTime(account.created_at),
      ...(settings && {
        ...settings,
        refund_approval_above: above === null ? null : decimalText(above),
      }),
      keys: keys.length,
      available: decimalText(available),
      unavailable: decimalText(unavailable),
    };
  },
});
