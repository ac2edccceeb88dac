import { basename } from 'node:path';
import { noteOperator } from '../../events/index.ts';
import type { Acting } from '../../platform/base.ts';
import { lockNames } from '../../platform/postgres/advisory-lock.ts';
import type { Queryable, Transaction } from '../../platform/postgres/connect.ts';
import { stageRates } from './stage.ts';

/** A register's changes, per regime and jurisdiction. */
export interface RatesChange {
  regime: string;
  jurisdiction: string;
  /** New pairs of CUIT and first day. */
  added: number;
  /** Lines with another rate or last day. */
  changed: number;
  unchanged: number;
}

export interface RatesReport {
  /** `known`: this file was imported before. `checked`: a dry run. */
  outcome: 'imported' | 'known' | 'checked';
  lines: number;
  changes: RatesChange[];
}

export interface RatesFile {
  path: string;
  /** True to report changes only. */
  dryRun: boolean;
}

export type ImportTaxpayerRates = (file: RatesFile) => Promise<RatesReport>;

const differs = (tx: Transaction) => tx`
  (w.rate_ppm, w.valid_to) is distinct from (l.rate_ppm, l.valid_to)`;

const readChanges = (tx: Transaction) => tx<RatesChange[]>`
  select l.regime, l.jurisdiction, count(*) filter (where w.cuit is null)::int as added,
    count(*) filter (where w.cuit is not null and ${differs(tx)})::int as changed,
    count(*) filter (where w.cuit is not null and not ${differs(tx)})::int as unchanged
  from taxpayer_rate_lines l
  left join withholding_rates w using (cuit, regime, jurisdiction, valid_from)
  group by l.regime, l.jurisdiction order by l.regime, l.jurisdiction`;

/** Merges the lines into the table. The history retains former values. */
const merge = (tx: Transaction, at: Temporal.Instant) => tx`
  with former as (
    insert into former_withholding_rates (cuit, regime, jurisdiction, valid_from, valid_to,
      rate_ppm, known_since, known_until)
    select w.cuit, w.regime, w.jurisdiction, w.valid_from, w.valid_to, w.rate_ppm, w.known_since,
      ${at}::timestamptz
    from taxpayer_rate_lines l
    join withholding_rates w using (cuit, regime, jurisdiction, valid_from)
    where ${differs(tx)}
    on conflict do nothing
  )
  insert into withholding_rates as w (cuit, regime, jurisdiction, valid_from, valid_to, rate_ppm,
    known_since)
  select l.cuit, l.regime, l.jurisdiction, l.valid_from, l.valid_to, l.rate_ppm,
    ${at}::timestamptz
  from taxpayer_rate_lines l
  left join withholding_rates w using (cuit, regime, jurisdiction, valid_from)
  where w.cuit is null or ${differs(tx)}
  order by l.cuit, l.regime, l.jurisdiction, l.valid_from
  on conflict (cuit, regime, jurisdiction, valid_from)
  do update set valid_to = excluded.valid_to, rate_ppm = excluded.rate_ppm,
    known_since = excluded.known_since`;

const total = (changes: RatesChange[], column: 'added' | 'changed'): number =>
  changes.reduce((sum, change) => sum + change[column], 0);

/**
 * Imports a register of withholding rates by CUIT, all or nothing. Rates that the file omits stay
 * valid, and withholdings of earlier payments stay as they are. Repeating a file changes nothing.
 * Throws 400 with the faulty lines.
 */
export const importTaxpayerRates =
  (acting: Acting): ImportTaxpayerRates =>
  async ({ path, dryRun }) => {
    const { sql, clocks, recordIds } = acting;
    const eventId = await recordIds.next();
    return await sql.begin(async (tx) => {
      // Serializes imports, so that the second counts its changes after the first.
      await lockNames(tx, 'recaudo register');
      const { lines, sha256 } = await stageRates(tx, path);
      const [known] = await tx`select 1 from registers where sha256 = ${sha256}`;
      if (known) return { outcome: 'known', lines, changes: [] };
      const changes = await readChanges(tx);
      if (dryRun) return { outcome: 'checked', lines, changes };
      await merge(tx, clocks.business.now());
      await tx`
        insert into registers (sha256, name, lines, added, changed, imported_at)
        values (${sha256}, ${basename(path)}, ${lines}, ${total(changes, 'added')},
          ${total(changes, 'changed')}, ${clocks.business.now()}::timestamptz)`;
      await noteOperator(tx, acting, {
        eventId,
        entity: 'taxpayer_rates',
        entityId: sha256.toString('hex'),
        type: 'taxpayer_rates.imported',
        data: { name: basename(path), lines, changes },
      });
      return { outcome: 'imported', lines, changes };
    });
  };

export interface ImportedRegister {
  name: string;
  lines: number;
  added: number;
  changed: number;
  imported_at: Temporal.Instant;
}

/** Returns the last imported registers, newest first. */
export const lastRegisters = (sql: Queryable, limit: number): Promise<ImportedRegister[]> =>
  sql<ImportedRegister[]>`
    select name, lines, added, changed, imported_at from registers
    order by imported_at desc, name limit ${limit}`;
