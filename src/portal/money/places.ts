import { parseIsoDay } from '../../kernel/dates.ts';
import { channels } from '../../money/channels/index.ts';
import {
  type HolderFigure,
  type JournalKind,
  journalKinds,
  type LedgerAccount,
  ledgerAccounts,
  type MovementPlace,
} from '../../money/ledger/index.ts';
import { numberIn } from '../frame/index.ts';

export const rowsAtOnce = 50;

/** Pages of the balances. */
export const figurePaths: Readonly<Record<HolderFigure, string>> = {
  available: '/money/available',
  unavailable: '/money/to-come',
};

export const figureAt = (segment = ''): HolderFigure | null =>
  (Object.keys(figurePaths) as HolderFigure[]).find(
    (figure) => figurePaths[figure] === `/money/${segment}`,
  ) ?? null;

const placeShape = /^(\d{4}-\d{2}-\d{2})\.(\d{1,16})$/;

/** Parses the page's cursor. Returns null, the first page, if it is missing or malformed. */
export function placeIn(query: URLSearchParams): MovementPlace | null {
  const [, day = '', number = ''] = placeShape.exec(query.get('behind') ?? '') ?? [];
  const [on, id] = [parseIsoDay(day), numberIn(number)];
  return on === null || id === null ? null : { day: on, id };
}

/** Returns the query with the next page's cursor. */
export const behind = ({ day, id }: MovementPlace): string => `?behind=${day}.${id}`;

/** Accounts with other parties' money: the channels' debts, and the bank account that pays out. */
const moneyAccounts: readonly LedgerAccount[] = [
  ...Object.values(channels).map(({ clearing }) => clearing),
  ledgerAccounts.clearingPayouts,
];

/** Returns the path of the page with one side of a kind's journals. Its query selects the days. */
export const sidePath = (kind: JournalKind, account: number | 'money'): string =>
  `/money/ledger/${kind}/${account}`;

/** Returns the side in an address, or null. */
export function sideAt(
  kindText = '',
  accountText = '',
): { kind: JournalKind; accounts: readonly LedgerAccount[] } | null {
  const kind = journalKinds.find((one) => one === kindText);
  if (kind === undefined) return null;
  if (accountText === 'money') return { kind, accounts: moneyAccounts };
  const account = Object.values(ledgerAccounts).find((one) => String(one) === accountText);
  return account === undefined ? null : { kind, accounts: [account] };
}
