import type { Command } from 'commander';
import { formatDay, isoDateTime } from '../kernel/dates.ts';
import { decimalText } from '../kernel/money.ts';
import { debitKinds, debitList, requestList } from '../money/collections/operations.ts';
import { paymentRequestOperations } from '../payment-requests/operations.ts';
import type { RequestKind, RequestRow, RequestState } from '../requests/index.ts';
import { requestKinds } from '../requests/kinds.ts';
import { idIn } from './arguments.ts';
import { type BaseContext, withBase } from './command.ts';
import { listCommand } from './listing.ts';
import { operationCommand } from './operation.ts';
import { print, printRows, say } from './print.ts';

const listed = (row: RequestRow, state: RequestState) => ({
  account: row.account_id,
  id: row.id,
  kind: row.kind,
  state,
  reference: row.reference,
  payer: row.payer,
  due: formatDay(row.due1),
  total: decimalText(row.total1),
  created_at: isoDateTime(row.created_at),
});

/** Returns everything known about a request, with its payments. */
async function requestData(
  { base, sql, clocks }: BaseContext,
  id: number,
  among: readonly RequestKind[],
) {
  const [{ findRequests, requestRefusal, stateOn }, { presentResult, requestFinder }] =
    await Promise.all([import('../requests/index.ts'), import('../money/collections/index.ts')]);
  const [row] = (await findRequests(sql, [id])).filter(({ kind }) => among.includes(kind));
  if (!row) throw requestRefusal('request.not_found', {});
  const found = await requestFinder(base)({ accountId: row.account_id, id });
  return {
    ...listed(row, stateOn(row, clocks.business.today())),
    description: row.description,
    second_due: row.due2 && formatDay(row.due2),
    second_total: row.total2 && decimalText(row.total2),
    code: row.code,
    mandate: row.mandate_id,
    state_comment: row.state_comment ?? null,
    results: (found?.results ?? []).map(presentResult),
  };
}

const show =
  (name: string, among: readonly RequestKind[]) =>
  (id: number, options: { json?: boolean }): Promise<void> =>
    withBase(name, async (context) => {
      const { results, ...fields } = await requestData(context, id, among);
      const lines = Object.entries(fields).filter(([, value]) => value !== null);
      const text = lines.map(([label, value]) => `${label.padEnd(15)}${value}`);
      print(text, { ...fields, results }, options);
      if (options.json || results.length === 0) return;
      say('');
      printRows(
        results.map(({ id: no, type, channel, amount, created_at, state_comment }) => ({
          result: no,
          type,
          channel,
          amount: amount ?? null,
          created_at,
          comment: state_comment ?? null,
        })),
        options,
      );
    });

function showCommand(noun: Command, name: string, among: readonly RequestKind[]): void {
  noun
    .command('show')
    .description('show a request with all its payments, whatever its account')
    .argument('<id>', 'the number of the request', idIn)
    .option('--json', 'as JSON')
    .action(show(`${name} show`, among));
}

export function requestCommands(requests: Command): void {
  showCommand(requests, 'requests', requestKinds);
  listCommand(requests, requestList);
  for (const one of paymentRequestOperations) {
    if (one.command) operationCommand(requests, one, ({ base }) => base);
  }
}

export function debitCommands(debits: Command): void {
  showCommand(debits, 'debits', debitKinds);
  listCommand(debits, debitList);
}
