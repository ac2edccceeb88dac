import { type FileKey, readSubmitted, type SubmittedRow } from '../../debit-requests/index.ts';
import { decryptNumber } from '../../mandates/index.ts';
import type { Queryable } from '../../platform/postgres/connect.ts';
import type { Vault } from '../../platform/vault.ts';
import type { BankSubmission, CardSubmission } from './debit.ts';

const sharedOf = ({
  account_id,
  request_id,
  no,
  run_on,
  amount,
  mandate_id,
  description,
}: SubmittedRow) => ({
  run: { account_id, request_id, no, run_on, amount },
  mandateId: mandate_id,
  description,
});

export async function* bankSubmissions(
  sql: Queryable,
  key: Omit<FileKey, 'kind'>,
): AsyncGenerator<BankSubmission[]> {
  for await (const rows of readSubmitted(sql, { ...key, kind: 'debit_request' })) {
    yield rows.map((row) => ({
      ...sharedOf(row),
      cbu: row.cbu,
      shortDescription: row.short_description,
      document: row.document,
    }));
  }
}

/** Decrypts card numbers one group of lines at a time. */
export async function* cardSubmissions(
  sql: Queryable,
  vault: Vault,
  key: Omit<FileKey, 'kind'>,
): AsyncGenerator<CardSubmission[]> {
  for await (const rows of readSubmitted(sql, { ...key, kind: 'card_debit_request' })) {
    yield rows.map((row) => ({
      ...sharedOf(row),
      number: decryptNumber(vault, { ...row, id: row.mandate_id }),
    }));
  }
}
