import { wallClock } from '../platform/clocks.ts';
import { erasedEvent, erasedText } from '../platform/person.ts';
import type { Queryable, Transaction } from '../platform/postgres/connect.ts';
import { lookUp } from '../platform/postgres/distributed/look-ups.ts';
import { recordset } from '../platform/postgres/recordset.ts';
import {
  holdChains,
  namedRows,
  neverSealed,
  readSealed,
  rowsOf,
  type SealedDigests,
  sealErased,
  stampKeys,
} from '../seals/index.ts';
import { erasureEvidence, eventEvidence } from './evidence.ts';

/** An entity whose events may contain a payer's data. */
export interface EventEntity {
  entity: string;
  entity_id: string;
}

/** An event that records the erasure of its entity. */
export interface ErasureEvent extends EventEntity {
  version: number;
}

/** Members of an event's data that people or other machines write. */
const freeTexts = ['state_comment', 'reason', 'comment', 'note'];

const isFree = `key in ('${freeTexts.join("', '")}') and json_typeof(value) = 'string'`;

/** Expression of an event's `data` without its free texts. */
const erasedData = `(
  select json_object_agg(key, case when ${isFree} then to_json('${erasedText}'::text) else value end)
  from json_each(data))`;

const erasedFrom = `(
  select account_id, entity, entity_id, version, id, type, at, actor, xid, ${erasedData} as data
  from events)`;

/** Returns keys of events with free texts. Events of erasures keep theirs, a case number. */
async function keysWithTexts(
  sql: Queryable,
  accountId: string,
  entities: readonly EventEntity[],
): Promise<string[]> {
  const wanted = entities.map((one) => ({ ...one, accountId }));
  const rows = await sql<{ key: string }[]>`
    select concat_ws('|', e.entity, e.entity_id, e.version) as key
    from ${recordset(sql, 'wanted (account_id text, entity text, entity_id text)', wanted)}
    ${lookUp(sql, 'wanted', 'e', {
      table: 'events',
      by: { entity: 'entity', entity_id: 'entity_id' },
      rows: 'several',
      accountIds: [accountId],
    })}
    where e.type not like ${`%.${erasedEvent}`} and exists (
      select from json_each(e.data) where ${sql.unsafe(isFree)} and value #>> '{}' <> ${erasedText})`;
  return rows.map(({ key }) => key);
}

/** Reads the seals of events with free texts. `parts` are read one at a time. */
export async function readSealedTexts(
  sql: Queryable,
  accountId: string,
  parts: AsyncIterable<readonly EventEntity[]>,
): Promise<SealedDigests> {
  const keys: string[] = [];
  for await (const entities of parts) keys.push(...(await keysWithTexts(sql, accountId, entities)));
  return await readSealed(sql, { accountId, kind: eventEvidence.kind }, keys);
}

const noSeals: SealedDigests = { keys: new Set(), digests: new Map(), until: 0 };

/**
 * Erases free texts from earlier events of erased entities. Seals the erasures themselves, so that
 * the audit reports any erasure that the service did not make. Waits for the account's sealer.
 */
export async function sealErasures(
  tx: Transaction,
  accountId: string,
  erasures: readonly ErasureEvent[],
  known: SealedDigests = noSeals,
): Promise<void> {
  if (erasures.length === 0) return;
  const keys = await stampKeys(tx);
  const chains = await holdChains(tx, { keys, moment: wallClock.now }, [accountId]);
  const texts = await keysWithTexts(tx, accountId, erasures);
  if (texts.length > 0) {
    const rows = { evidence: eventEvidence, erasedFrom, keys: texts, known };
    await sealErased(
      tx,
      { keys, chains },
      accountId,
      rows,
      () => tx`
      update events e set data = ${tx.unsafe(erasedData)}
      from unnest(${texts}::text[]) as key
      where e.account_id = ${accountId} and e.entity = split_part(key, '|', 1)
        and e.entity_id = split_part(key, '|', 2) and e.version = split_part(key, '|', 3)::int`,
    );
  }
  const named = tx`
    select ${accountId}::text, entity, entity_id, version
    from ${recordset(tx, 'one (entity text, entity_id text, version int)', erasures)}`;
  // As in the sealer, the first seal of the kind covers the account's older rows too.
  const isFirst = (await neverSealed(tx, erasureEvidence, [accountId])).length > 0;
  const rows = isFirst
    ? rowsOf(tx, erasureEvidence, [accountId])
    : namedRows(tx, erasureEvidence, [accountId], named);
  await chains.seal(erasureEvidence.kind, rows);
}
