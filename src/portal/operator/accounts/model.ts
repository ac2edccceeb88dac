import type { Manifest } from '../../../../connectors/protocol/messages.ts';
import {
  type Account,
  type AccountSettings,
  type AccountState,
  accountStates,
  listKeys,
  readConnectorSettings,
  readPendingLook,
  readSettings,
} from '../../../accounts/index.ts';
import type { Centavos } from '../../../kernel/money.ts';
import { holderBalances } from '../../../money/ledger/index.ts';
import type { Actor } from '../../../platform/actor.ts';
import type { Base } from '../../../platform/base.ts';
import type { Member, UserVerbs } from '../../../users/index.ts';
import { portalRefusal, type ServiceVisit } from '../../frame/index.ts';

export interface AccountPageParts {
  base: Base;
  users: Pick<UserVerbs, 'membersOf' | 'invitation'>;
  /** Closes an account without a balance, and ends its mandates. */
  closeAccount(
    actor: Actor,
    order: { accountId: string; reason: string },
  ): Promise<{ closed: boolean; mandates: number }>;
  connectors: { all: readonly { settings: { name: string }; manifest(): Manifest | null }[] };
}

export interface Looked {
  words: string;
  state: AccountState | null;
}

export const lookedIn = ({ query }: ServiceVisit): Looked => ({
  words: (query.get('q') ?? '').trim().slice(0, 100),
  state: accountStates.find((one) => one === query.get('state')) ?? null,
});

/**
 * Returns the account after which a page begins. Returns null for the first page, or if the link is
 * malformed.
 */
export const behindIn = ({ query }: ServiceVisit): string | null => {
  const id = query.get('behind') ?? '';
  return /^[0-9A-F]{8}$/.test(id) ? id : null;
};

/** Path of the page on which operators approve names and logos. */
export const looksPath = '/accounts/looks';

export interface OneAccount {
  /** True if a name or logo waits for approval. */
  lookWaits: boolean;
  account: Account;
  settings: AccountSettings;
  balances: { available: Centavos; unavailable: Centavos };
  activeKeys: number;
  members: readonly Member[];
  /** Names of the account's settings at each connector. */
  connectors: readonly { name: string; names: string }[];
}

export async function settingsOf(parts: AccountPageParts, id: string): Promise<AccountSettings> {
  const settings = await readSettings(parts.base.sql, id);
  if (settings === null) throw portalRefusal('page.not_found', {});
  return settings;
}

export async function readOne(parts: AccountPageParts, account: Account): Promise<OneAccount> {
  const { sql } = parts.base;
  const { id } = account;
  const [settings, pendingLook, balances, keys, members, connectors] = await Promise.all([
    settingsOf(parts, id),
    readPendingLook(sql, id),
    holderBalances(sql, id),
    listKeys(sql, id),
    parts.users.membersOf(id),
    Promise.all(
      parts.connectors.all.map(async ({ settings: { name } }) => {
        const connectorSettings = await readConnectorSettings(sql, id, name);
        // Names only, because values are for the users who set them.
        return { name, names: Object.keys(connectorSettings).join(', ') };
      }),
    ),
  ]);
  const now = parts.base.clocks.wall.now();
  const activeKeys = keys.filter(
    ({ revoked_at: revoked, expires_at: expires }) =>
      revoked === null && (expires === null || Temporal.Instant.compare(expires, now) > 0),
  ).length;
  return {
    account,
    lookWaits: pendingLook !== null,
    settings,
    balances,
    activeKeys,
    members,
    connectors,
  };
}
