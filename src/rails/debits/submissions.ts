import { type DebitKind, type DebitRun, mandateKindOf } from '../../debit-requests/index.ts';
import type { Centavos } from '../../kernel/money.ts';
import { decryptNumber } from '../../mandates/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Vault } from '../../platform/vault.ts';
import type { BankSubmission, CardSubmission } from './debit.ts';

interface Row {
  account_id: string;
  request_id: number;
  no: DebitRun['no'];
  run_on: Temporal.PlainDate;
  amount: Centavos;
  mandate_id: number;
  description: string;
  cbu: string;
  short_description: string;
  document: string;
  card_key_id: string;
  card_ciphertext: Buffer;
}

const rowsAtOnce = 1_000;

interface FileKey {
  /** Null: runs that wait to go out in some file. */
  fileId: number | null;
  kind: DebitKind;
  /** A run whose day went by is put on this one. */
  date: Temporal.PlainDate;
}

/** The runs of a file with the accounts or cards that they had then, always in the same order. */
function readSubmissions(sql: Queryable, { fileId, kind, date }: FileKey): AsyncIterable<Row[]> {
  return sql<Row[]>`
    select d.account_id, d.request_id, d.no, greatest(d.run_on, ${date}::date) as run_on,
      d.amount, r.mandate_id, r.description,
      coalesce(old.cbu, m.cbu) as cbu, m.details->>'short_description' as short_description,
      m.details->>'holder_id_number' as document,
      coalesce(old.card_key_id, m.card_key_id) as card_key_id,
      coalesce(old.card_ciphertext, m.card_ciphertext) as card_ciphertext
    from debit_runs d
    join requests r on r.account_id = d.account_id and r.id = d.request_id
    join mandates m on m.account_id = r.account_id and m.kind = ${mandateKindOf[kind]}
      and m.id = r.mandate_id
    left join mandate_instruments old on old.account_id = m.account_id and old.kind = m.kind
      and old.mandate_id = m.id and old.no = d.instrument_no
    where ${
      fileId === null
        ? sql`d.state = 'submitted' and d.file_id is null and d.code is null and d.kind = ${kind}`
        : sql`d.file_id = ${fileId}`
    }
    order by d.account_id, d.request_id, d.no`.cursor(rowsAtOnce);
}

const sharedOf = ({
  account_id,
  request_id,
  no,
  run_on,
  amount,
  mandate_id,
  description,
}: Row) => ({
  run: { account_id, request_id, no, run_on, amount },
  mandateId: mandate_id,
  description,
});

export async function* bankSubmissions(
  sql: Queryable,
  key: Omit<FileKey, 'kind'>,
): AsyncGenerator<BankSubmission[]> {
  for await (const rows of readSubmissions(sql, { ...key, kind: 'debit_request' })) {
    yield rows.map((row) => ({
      ...sharedOf(row),
      cbu: row.cbu,
      shortDescription: row.short_description,
      document: row.document,
    }));
  }
}

/** The numbers of the cards are in clear while a group of lines is written. */
export async function* cardSubmissions(
  sql: Queryable,
  vault: Vault,
  key: Omit<FileKey, 'kind'>,
): AsyncGenerator<CardSubmission[]> {
  for await (const rows of readSubmissions(sql, { ...key, kind: 'card_debit_request' })) {
    yield rows.map((row) => ({
      ...sharedOf(row),
      number: decryptNumber(vault, { ...row, id: row.mandate_id }),
    }));
  }
}
