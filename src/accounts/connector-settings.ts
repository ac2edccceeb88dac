import { isDeepStrictEqual } from 'node:util';
import type { Acting } from '../platform/base.ts';
import { type FieldValues, refuseOutdated } from '../platform/form-version.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { refusal } from './codes.ts';
import { noteAccount } from './note.ts';
import { lockAccount } from './standing.ts';

/**
 * An account's settings, configured by the operator, that its connector receives with each charge.
 */
export type ConnectorSettings = Record<string, unknown>;

const mostBytes = 4096;

/**
 * Returns a change's log entry. It contains names only, because more people may read the log than
 * the values.
 */
const settingsData = (before: ConnectorSettings, after: ConnectorSettings) => ({
  connector_settings: Object.keys(after),
  connector_settings_changed: Object.keys({ ...after, ...before }).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  ),
  before: { connector_settings: Object.keys(before) },
});

/** Reads an account's settings for a connector. Default: an empty object. */
export async function readConnectorSettings(
  sql: Queryable,
  accountId: string,
  connector: string,
): Promise<ConnectorSettings> {
  const [row] = await sql<{ own: string | null }[]>`
    select settings #>> array['connectors', ${connector}::text] as own
    from accounts where id = ${accountId}`;
  return row?.own ? JSON.parse(row.own) : {};
}

/** Reads all accounts' settings for a connector. */
export async function connectorAccounts(
  sql: Queryable,
  connector: string,
): Promise<{ id: string; settings: ConnectorSettings }[]> {
  const rows = await sql<{ id: string; own: string }[]>`
    select id, settings #>> array['connectors', ${connector}::text] as own from accounts
    where settings #>> array['connectors', ${connector}::text] <> '{}' order by id`;
  return rows.map(({ id, own }) => ({ id, settings: JSON.parse(own) }));
}

export interface ConnectorChange {
  accountId: string;
  connector: string;
  /** Replaces the former settings. An empty object removes them. */
  settings: ConnectorSettings;
  /** The form's version (`src/platform/form-version.ts`). An outdated one is rejected. */
  seen?: string;
}

export const connectorFormValues = (settings: ConnectorSettings): FieldValues => ({
  settings: JSON.stringify(settings, null, 2),
});

/**
 * Changes an account's connector settings. Writes nothing if they are equal. Throws 400 above 4
 * KiB, 404 for an unknown account, 409 if the account is closed or the version is outdated.
 */
export const setConnectorSettings =
  (acting: Acting) =>
  async ({ accountId, connector, settings, seen }: ConnectorChange): Promise<void> => {
    // As text, because the connector owns the content, and the query helper drops nulls.
    const text = JSON.stringify(settings);
    if (Buffer.byteLength(text) > mostBytes) {
      throw refusal('account.settings_too_large', { most: mostBytes });
    }
    const eventId = await acting.recordIds.next();
    await acting.sql.begin(async (tx) => {
      const account = await lockAccount(tx, accountId);
      if (account.state === 'closed') throw refusal('account.closed', {});
      const before = await readConnectorSettings(tx, accountId, connector);
      if (isDeepStrictEqual(before, settings)) return;
      refuseOutdated(seen, connectorFormValues(before));
      const [row] = await tx<{ version: number }[]>`
        update accounts set version = version + 1,
          settings = jsonb_set(settings, '{connectors}', coalesce(settings->'connectors', '{}'::jsonb)
            || ${JSON.stringify({ [connector]: text })}::text::jsonb)
        where id = ${accountId} returning version`;
      if (!row) throw refusal('account.not_found', {});
      await noteAccount(tx, acting, {
        accountId,
        version: row.version,
        eventId,
        type: 'account.changed',
        data: { connector, ...settingsData(before, settings) },
      });
    });
  };
