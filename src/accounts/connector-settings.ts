import { isDeepStrictEqual } from 'node:util';
import type { Acting } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import { type FieldValues, refuseOvertaken } from '../platform/seen.ts';
import { refusal } from './codes.ts';
import { noteAccount } from './note.ts';
import { lockAccount } from './standing.ts';

/**
 * Settings of an account that its connector receives with each charge, as the operator configured
 * them.
 */
export type ConnectorSettings = Record<string, unknown>;

const mostBytes = 4096;

/**
 * The log entry of a change, with names only. Only authors may know the values, while more people
 * read the log.
 */
const toldSettings = (before: ConnectorSettings, after: ConnectorSettings) => ({
  connector_settings: Object.keys(after),
  connector_settings_changed: Object.keys({ ...after, ...before }).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  ),
  before: { connector_settings: Object.keys(before) },
});

/** An account's settings for a connector; an empty object by default. */
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

/** The accounts that have settings for a connector, with them. */
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
  /** In place of those before; empty: none. */
  settings: ConnectorSettings;
  /** The version that the form showed (`src/platform/seen.ts`): an outdated one changes nothing. */
  seen?: string;
}

/** Values of the operator's form. */
export const heldConnector = (settings: ConnectorSettings): FieldValues => ({
  settings: JSON.stringify(settings, null, 2),
});

/**
 * Changes an account's connector settings. 400: more than 4 KiB; 404: no such account; 409: the
 * version is outdated.
 */
export const setConnectorSettings =
  (acting: Acting) =>
  async ({ accountId, connector, settings, seen }: ConnectorChange): Promise<void> => {
    // As text: the connector owns the content, and other settings drop nulls.
    const text = JSON.stringify(settings);
    if (Buffer.byteLength(text) > mostBytes) {
      throw refusal('account.settings_too_large', { most: mostBytes });
    }
    const eventId = await acting.recordIds.next();
    await acting.sql.begin(async (tx) => {
      await lockAccount(tx, accountId);
      const before = await readConnectorSettings(tx, accountId, connector);
      if (!isDeepStrictEqual(before, settings)) refuseOvertaken(seen, heldConnector(before));
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
        data: { connector, ...toldSettings(before, settings) },
      });
    });
  };
