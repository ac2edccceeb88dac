import { type Command, Option } from 'commander';
import { formatDay, isoDateTime } from '../kernel/dates.ts';
import { decimalText } from '../kernel/money.ts';
import { presentResult, requestFinder } from '../money/collections/index.ts';
import {
  findRequests,
  type RequestKind,
  type RequestRow,
  type RequestState,
  requestRefusal,
  searchRequests,
  stateOn,
  transitions,
} from '../requests/index.ts';
import { idIn, type PageOptions, paged } from './arguments.ts';
import { type BaseContext, withBase } from './command.ts';
import { print, printRows, say } from './print.ts';
import { accountIdsOf, inAccount } from './which.ts';

interface FindOptions extends PageOptions {
  account?: string;
  kind?: RequestKind;
  reference?: string;
  name?: string;
  state?: RequestState;
  mandate?: number;
}

const kinds = Object.keys(transitions) as RequestKind[];
const debitKinds: readonly RequestKind[] = ['debit_request', 'card_debit_request'];

const allStates = [
  ...new Set(kinds.flatMap((kind) => Object.values(transitions[kind]).map(({ to }) => to))),
  'pending',
];

const listed = (row: RequestRow, today: Temporal.PlainDate) => ({
  account: row.account_id,
  id: row.id,
  kind: row.kind,
  state: stateOn(row, today),
  reference: row.reference,
  payer: row.payer,
  due: formatDay(row.due1),
  total: decimalText(row.total1),
  created_at: isoDateTime(row.created_at),
});

const find =
  (name: string, among: readonly RequestKind[]) =>
  (options: FindOptions): Promise<void> =>
    withBase(name, async ({ sql, clocks }) => {
      const rows = await searchRequests(
        sql,
        {
          accountIds: await accountIdsOf(sql, options.account),
          kinds: options.kind === undefined ? among : [options.kind],
          reference: options.reference ?? null,
          payer: options.name ?? null,
          state: options.state ?? null,
          mandateId: options.mandate ?? null,
        },
        options,
      );
      const today = clocks.business.today();
      printRows(
        rows.map((row) => listed(row, today)),
        options,
      );
    });

/** All that is known of a request, with what was paid on it. */
async function shown(
  { base, sql, clocks }: BaseContext,
  id: number,
  among: readonly RequestKind[],
) {
  const [row] = (await findRequests(sql, [id])).filter(({ kind }) => among.includes(kind));
  if (!row) throw requestRefusal('request.not_found', {});
  const found = await requestFinder(base)({ accountId: row.account_id, id });
  return {
    ...listed(row, clocks.business.today()),
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
      const { results, ...fields } = await shown(context, id, among);
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

function lookups(noun: Command, name: string, among: readonly RequestKind[]): Command {
  noun
    .command('show')
    .description('show one with all that was paid on it, whichever account has it')
    .argument('<id>', 'its number', idIn)
    .option('--json', 'as JSON')
    .action(show(`${name} show`, among));
  return inAccount(paged(noun.command('find')))
    .option('--reference <text>', "the account's own name for it, whole")
    .option('--name <text>', "part of the payer's name")
    .addOption(new Option('--kind <kind>', 'only of this kind').choices([...among]))
    .addOption(new Option('--state <state>', 'as it is stored').choices([...new Set(allStates)]))
    .action(find(`${name} find`, among));
}

export function requestCommands(program: Command): void {
  const requests = program
    .command('requests')
    .description('what accounts ask payers for: payment requests, debits, QRs');
  lookups(requests, 'requests', kinds).description('find requests, over all accounts or in one');
}

export function debitCommands(program: Command): void {
  const debits = program.command('debits').description('debits of bank accounts and cards');
  lookups(debits, 'debits', debitKinds)
    .description('find debits, over all accounts or in one')
    .option('--mandate <id>', 'those on this mandate', idIn);
}
