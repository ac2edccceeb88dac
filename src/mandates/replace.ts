import { appendEvents } from '../events/index.ts';
import { parseCardNumber } from '../kernel/card-number.ts';
import { cbuFault } from '../kernel/cbu.ts';
import { cardBrands } from '../money/channels/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import type { Queryable } from '../platform/postgres/connect.ts';
import type { Vault } from '../platform/vault.ts';
import { decryptNumber, encryptNumber } from './card/number.ts';
import {
  type CardDetails,
  type DebitCarriers,
  type MandateKey,
  type MandateRow,
  notThere,
} from './mandate.ts';
import { lockMandate } from './store.ts';

/** A new account or card, as a bank or processor reports it. */
export type NewInstrument = { type: 'cbu'; cbu: string } | { type: 'card'; number: string };

interface Replacing {
  key: MandateKey;
  instrument: NewInstrument;
  actor: Actor;
}

/**
 * `same`: already in place. `ended`: the mandate is canceled. `unusable`: the new account or card
 * does not fit the mandate, is invalid, or no file takes it.
 */
export type Replaced = 'replaced' | 'same' | 'ended' | 'unusable';

export type ReplaceInstrument = (replacing: Replacing) => Promise<Replaced>;

interface Written {
  cbu: string | null;
  card_key_id: string | null;
  card_ciphertext: Buffer | null;
  details: CardDetails | null;
}

function writtenOf(
  { vault, carriers }: Books,
  row: MandateRow,
  instrument: NewInstrument,
): Written | Replaced {
  if (row.kind === 'adhesion') {
    if (instrument.type !== 'cbu' || cbuFault(instrument.cbu) !== null) return 'unusable';
    if (instrument.cbu === row.cbu) return 'same';
    return { cbu: instrument.cbu, card_key_id: null, card_ciphertext: null, details: null };
  }
  // A card stored by a connector never appears in a file.
  if (instrument.type !== 'card' || row.keeps_card) return 'unusable';
  const parsed = parseCardNumber(instrument.number);
  if (!parsed.ok) return 'unusable';
  if (decryptNumber(vault, row) === parsed.number) return 'same';
  if (carriers.cardFault(parsed) !== null) return 'unusable';
  const { last_four, ...encrypted } = encryptNumber(vault, row, parsed.number);
  const brand_name = cardBrands[parsed.brand].label;
  const { brand } = parsed;
  return { cbu: null, ...encrypted, details: { ...row.details, brand, brand_name, last_four } };
}

interface Books {
  vault: Vault;
  carriers: DebitCarriers;
}

async function write(
  sql: Queryable,
  { accountId, kind, id }: MandateKey,
  written: Written,
  now: Temporal.Instant,
): Promise<number> {
  // As text, because metadata may contain numbers that the driver cannot represent.
  const details = written.details && JSON.stringify(written.details);
  const [row] = await sql<{ version: number }[]>`
    with before as (
      insert into mandate_instruments (account_id, kind, mandate_id, no, cbu, card_key_id,
        card_ciphertext, replaced_at)
      select account_id, kind, id, instrument_no, cbu, card_key_id, card_ciphertext,
        ${now}::timestamptz
      from mandates where account_id = ${accountId} and kind = ${kind} and id = ${id}
    )
    update mandates m set cbu = ${written.cbu}, card_key_id = ${written.card_key_id},
      card_ciphertext = ${written.card_ciphertext},
      details = coalesce(${details}::text::json, m.details),
      instrument_no = m.instrument_no + 1, version = m.version + 1
    where m.account_id = ${accountId} and m.kind = ${kind} and m.id = ${id}
    returning m.version`;
  if (!row) throw new Error('a mandate that was held is gone');
  return row.version;
}

/**
 * Replaces a mandate's account or card. Preserves the former one, so that earlier files can be
 * regenerated. Throws 404 for an unknown mandate.
 */
export const replaceInstrument =
  ({ sql, clocks, recordIds }: Base, vault: Vault, carriers: DebitCarriers): ReplaceInstrument =>
  async ({ key, instrument, actor }) => {
    const eventId = await recordIds.next();
    return await sql.begin(async (tx) => {
      const row = await lockMandate(tx, key);
      if (!row) throw notThere(key.kind);
      if (row.state === 'canceled') return 'ended';
      const written = writtenOf({ vault, carriers }, row, instrument);
      if (typeof written === 'string') return written;
      const now = clocks.business.now();
      const version = await write(tx, key, written, now);
      const event = {
        accountId: key.accountId,
        entity: key.kind,
        entityId: String(key.id),
        version,
        id: eventId,
        type: `${key.kind}.instrument_replaced`,
        at: now,
        actor,
        data: { state: row.state, ...(row.reference && { external_reference: row.reference }) },
      };
      await appendEvents(tx, [event]);
      return 'replaced';
    });
  };
