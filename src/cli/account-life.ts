import type { Command } from 'commander';
import {
  type AccountMove,
  type AccountSettings,
  getAccount,
  listAskedLooks,
  listKeys,
  moveAccount,
  readSettings,
  renameAccount,
} from '../accounts/index.ts';
import { isoDateTime } from '../kernel/dates.ts';
import { decimalText } from '../kernel/money.ts';
import { holderBalances } from '../money/ledger/index.ts';
import { namesOf } from '../users/index.ts';
import { idIn, reasonIn } from './arguments.ts';
import { withBase } from './command.ts';
import { actingFor } from './money/operator.ts';
import { print, printRows } from './print.ts';

interface Options {
  json?: boolean;
}

/** The settings of an account, amounts in pesos. */
export function settingsFields(settings: AccountSettings) {
  const { refund_approval_above: above } = settings;
  return { ...settings, refund_approval_above: above === null ? null : decimalText(above) };
}

function showCommand(accounts: Command): void {
  accounts
    .command('show')
    .description('show an account: its state, settings, keys and balances')
    .argument('<id>', 'the account')
    .option('--json', 'as JSON')
    .action((id: string, options: Options) =>
      withBase('accounts show', async ({ sql }) => {
        const account = await getAccount(sql, id);
        const settings = await readSettings(sql, id);
        const keys = (await listKeys(sql, id)).filter((key) => key.revoked_at === null);
        const { available, unavailable } = await holderBalances(sql, id);
        const { look, ...shown } = account;
        const fields = {
          ...shown,
          legal_name: look.legal_name ?? null,
          created_at: isoDateTime(account.created_at),
          ...(settings && settingsFields(settings)),
          keys: keys.length,
          available: decimalText(available),
          unavailable: decimalText(unavailable),
        };
        const width = Math.max(...Object.keys(fields).map(({ length }) => length)) + 2;
        const lines = Object.entries(fields).map(
          ([label, value]) => `${label.padEnd(width)}${value ?? '-'}`,
        );
        print(lines, fields, options);
      }),
    );
}

function renameCommand(accounts: Command): void {
  accounts
    .command('rename')
    .description('give an account another name, as payers see it')
    .argument('<id>', 'the account')
    .argument('<name>', '1 to 100 characters')
    .option('--json', 'as JSON')
    .action((accountId: string, name: string, options: Options) =>
      withBase('accounts rename', async ({ base, actor }) => {
        const acting = { ...base, actor };
        const changed = await renameAccount(acting, { accountId, name });
        print(`account ${accountId} is called ${name}`, { id: accountId, name, changed }, options);
      }),
    );
}

const mostLooks = 1_000;

function looksCommand(accounts: Command): void {
  accounts
    .command('looks')
    .description('list names and logos of accounts that wait for approval, oldest first')
    .option('--json', 'as JSON')
    .action((options: Options) =>
      withBase('accounts looks', async ({ sql }) => {
        const waiting = await listAskedLooks(sql, mostLooks);
        const people = waiting.flatMap(({ asked: { by } }) => (by === null ? [] : [by]));
        const names = await namesOf(sql, people);
        const rows = waiting.map(({ account_id: account, name: now, asked }) => ({
          id: asked.id,
          account,
          now,
          name: asked.changes.name ?? null,
          legal_name: asked.changes.legal_name ?? null,
          sender: asked.changes.sender ?? null,
          changes: Object.keys(asked.changes).join(' '),
          asked_by: asked.by === null ? null : (names.get(asked.by) ?? String(asked.by)),
          asked_at: asked.at,
        }));
        printRows(rows, options);
      }),
    );
}

interface DecisionOptions extends Options {
  operator: string;
  reason?: string;
}

function decideCommand(accounts: Command, decision: 'approve' | 'reject'): void {
  const name = `${decision}-look`;
  const command = accounts
    .command(name)
    .description(
      decision === 'approve'
        ? 'show payers the name or logo that an account asks for'
        : 'turn down the name or logo that an account asks for',
    )
    .argument('<account>', 'the account')
    .argument('<id>', 'the number that `accounts looks` shows', idIn)
    .requiredOption('--operator <email>', 'whose decision it is: not who asked for it')
    .option('--json', 'as JSON');
  if (decision === 'reject') {
    command.requiredOption('--reason <text>', 'why; the owners read it', reasonIn);
  }
  command.action(
    (accountId: string, id: number, { operator, reason, json = false }: DecisionOptions) =>
      withBase(`accounts ${name}`, async (context) => {
        const { lookDecisions } = await import('../composition/look-decisions.ts');
        const acting = await actingFor(context, operator);
        const decided = { accountId, id };
        if (reason === undefined) await lookDecisions.approve(acting, decided);
        else await lookDecisions.reject(acting, { ...decided, reason });
        const state = reason === undefined ? 'approved' : 'rejected';
        print(`the look of account ${accountId} is ${state}`, { ...decided, state }, { json });
      }),
  );
}

const done: Record<Exclude<AccountMove, 'close'>, string> = {
  suspend: 'is suspended: it reads, nobody pays it online, nothing is paid out',
  reopen: 'is active',
};

function moveCommand(
  accounts: Command,
  move: Exclude<AccountMove, 'close'>,
  description: string,
): void {
  accounts
    .command(move)
    .description(description)
    .argument('<id>', 'the account')
    .requiredOption('--reason <text>', 'why, for the audit log', reasonIn)
    .option('--json', 'as JSON')
    .action((accountId: string, { reason, json = false }: Options & { reason: string }) =>
      withBase(`accounts ${move}`, async ({ base, actor }) => {
        const order = { accountId, move, reason };
        const changed = await moveAccount({ ...base, actor }, order);
        print(`account ${accountId} ${done[move]}`, { id: accountId, move, changed }, { json });
      }),
    );
}

function closeCommand(accounts: Command): void {
  accounts
    .command('close')
    .description('close an account that is owed nothing, for good: its mandates are canceled')
    .argument('<id>', 'the account')
    .requiredOption('--reason <text>', 'why, for the audit log', reasonIn)
    .option('--json', 'as JSON')
    .action((accountId: string, { reason, json = false }: Options & { reason: string }) =>
      withBase('accounts close', async (context) => {
        // Of all that is done to accounts this alone needs the mandates.
        const { closeAccount } = await import('../composition/close-account.ts');
        const { closed, mandates } = await closeAccount(context, { accountId, reason });
        print(
          `account ${accountId} ${closed ? 'is' : 'was'} closed; ${mandates} mandates are canceled`,
          { id: accountId, closed, mandates_canceled: mandates },
          { json },
        );
      }),
    );
}

/** What happens to an account after it was opened. */
export function accountLifeCommands(accounts: Command): void {
  showCommand(accounts);
  renameCommand(accounts);
  looksCommand(accounts);
  decideCommand(accounts, 'approve');
  decideCommand(accounts, 'reject');
  moveCommand(accounts, 'suspend', 'let an account read alone; money that comes in is recorded');
  moveCommand(accounts, 'reopen', 'end a suspension');
  closeCommand(accounts);
}
