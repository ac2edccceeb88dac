import { createVerifier } from '../../connectors/protocol/signature.ts';
import type { Clock } from '../platform/clocks.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { ConnectorSettings } from './settings.ts';
import { hearCall } from './store.ts';

export type Verify = ReturnType<typeof createVerifier>;

/** Verifies connectors' signatures. Rejects a call that any process has seen. */
export const createVerifiers = (
  settings: readonly ConnectorSettings[],
  sql: Queryable,
  { nowMs }: Clock,
): ReadonlyMap<string, Verify> =>
  new Map(
    settings.map(({ name: connector, secrets }) => [
      connector,
      createVerifier(secrets, (id, until, now) => hearCall(sql, { connector, id, until, now }), {
        now: nowMs,
        takesRetries: true,
      }),
    ]),
  );
