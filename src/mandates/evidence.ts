import type { Evidence } from '../seals/index.ts';

const touched = `
  select account_id, entity, entity_id::bigint from touched
  where entity in ('adhesion', 'card_adhesion')`;

/**
 * Every change of a sealed column raises the version and records an event. Card numbers are not
 * sealed, so that they can be re-encrypted and erased: the vault binds a number to its row, and the
 * details keep the visible digits.
 */
export const mandateEvidence: Evidence = {
  kind: 'mandate',
  from: 'mandates',
  key: { kind: 'text', id: 'bigint' },
  columns: [
    'state',
    'version',
    'created_at',
    'sign_before',
    'reference',
    'holder',
    'email',
    'description',
    'payer',
    'cbu',
    'details::text',
    'signed_at',
    'canceled_at',
    'state_comment',
    'evidence::text',
    'instrument_no',
  ],
  touched,
  strict: true,
};

/** Former bank accounts and cards of mandates. */
export const instrumentEvidence: Evidence = {
  kind: 'replaced instrument',
  from: 'mandate_instruments',
  key: { kind: 'text', mandate_id: 'bigint', no: 'smallint' },
  columns: ['cbu', 'replaced_at'],
  touched: `
    select account_id, i.kind, i.mandate_id, i.no from touched
    join mandate_instruments i using (account_id)
    where i.kind = touched.entity and i.mandate_id::text = touched.entity_id`,
  strict: true,
};

/**
 * Cards on file of mandates that were signed. How a card is charged counts only while its mandate
 * is signed, because the connector deletes the card at some point after the end.
 */
export const storedCardEvidence: Evidence = {
  kind: 'card on file of',
  from: `(
    select k.account_id, k.mandate_id as id, m.state,
      case m.state when 'signed' then row(k.no, k.state, k.connector, k.channel, k.reference, k.bin)::text end
        as charged_by
    from kept_cards k
    join mandates m on m.account_id = k.account_id and m.kind = 'card_adhesion' and m.id = k.mandate_id
    where m.state <> 'pending_to_sign')`,
  key: { id: 'bigint' },
  columns: ['state', 'charged_by'],
  touched: `select account_id, entity_id::bigint from touched where entity = 'card_adhesion'`,
  strict: true,
  joined: true,
};
