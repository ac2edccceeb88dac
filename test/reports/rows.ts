import type { Sql } from '../../src/platform/postgres/connect.ts';

export interface StoredRow {
  type?: 'collected' | 'chargeback' | 'refund';
  amount?: number;
  netFee?: number;
  feeIva?: number;
  reference?: string | null;
  payer?: string;
  description?: string;
  label?: string;
}

/**
 * Inserts results into an account's day directly, because reports show stored rows whatever wrote
 * them.
 */
export async function store(
  sql: Sql,
  { accountId, day, from = 1 }: { accountId: string; day: string; from?: number },
  rows: StoredRow[],
): Promise<void> {
  const at = `${day}T15:04:05.678Z`;
  await sql`
    insert into results (account_id, id, request_id, kind, type, channel, channel_label, amount,
      net_fee, fee_iva, paid_at, informed_at, informed_on, available_on, source, source_ref,
      reference, payer, description, details)
    select ${accountId}, ${from}::bigint + no, 1000 + no, 'payment_request', type, 'non_banking',
      label, amount, net_fee, fee_iva, ${at}::text::timestamptz, ${at}::text::timestamptz,
      ${day}::text::date, ${day}::text::date, 'test', (${from}::bigint + no)::text, reference,
      payer, description, '{}'
    from unnest(
      ${rows.map((row) => row.type ?? 'collected')}::text[],
      ${rows.map((row) => row.amount ?? 100)}::bigint[],
      ${rows.map((row) => row.netFee ?? 0)}::bigint[],
      ${rows.map((row) => row.feeIva ?? 0)}::bigint[],
      ${rows.map((row) => row.reference ?? null)}::text[],
      ${rows.map((row) => row.payer ?? 'Ana Pérez')}::text[],
      ${rows.map((row) => row.description ?? 'Cuota')}::text[],
      ${rows.map((row) => row.label ?? 'Rapipago')}::text[]
    ) with ordinality as row (type, amount, net_fee, fee_iva, reference, payer, description, label,
      no)`;
}
