// Longer than 300 lines: the descriptions of every command.
import { Command } from 'commander';
import { version } from '../version.ts';
import { invocation, type Output } from './invocation.ts';
import { print } from './print.ts';

type Adds = (program: Command) => void;

interface Telling {
  quiet: boolean;
}

interface Noun {
  word: string;
  /** Description in the help. Absent if another entry has the same word. */
  does?: string;
  load: () => Promise<Adds>;
  /** The group's command is created here, and `load` adds to it. */
  isGroup?: true;
}

/** Each noun loads only its own modules, because loading takes most of a command's time. */
const nouns: readonly Noun[] = [
  {
    word: 'serve',
    does: 'run the service',
    load: async () => (await import('./serve.ts')).serveCommands,
  },
  {
    word: 'migrate',
    does: 'migrate the database to the schema of this release',
    load: async () => (await import('./migrate.ts')).migrateCommand,
  },
  {
    word: 'distribute',
    does: 'distribute the database over its cluster, by account, and audit it; exits 1 on a mismatch',
    load: async () => (await import('./distribute.ts')).distributeCommand,
  },
  {
    word: 'backup',
    does: 'encrypted backups of the database, and restore drills',
    load: async () => (await import('./backup/commands.ts')).backupCommands,
  },
  {
    word: 'restore',
    does: 'restore the database as of any second into an empty folder, and audit it; exits 1 on a mismatch',
    load: async () => (await import('./backup/commands.ts')).restoreCommand,
  },
  {
    word: 'accounts',
    does: 'the accounts that collect',
    isGroup: true,
    load: async () => (await import('./accounts.ts')).accountCommands,
  },
  {
    word: 'keys',
    does: 'the API keys of an account',
    isGroup: true,
    load: async () => (await import('./keys.ts')).keyCommands,
  },
  {
    word: 'users',
    does: 'people who work in the portal',
    isGroup: true,
    load: async () => (await import('./users.ts')).userCommands,
  },
  {
    word: 'calendar',
    does: 'bank days that differ from the built-in calendar',
    isGroup: true,
    load: async () => (await import('./calendar.ts')).calendarCommands,
  },
  {
    word: 'fees',
    does: 'fees and settlement terms',
    isGroup: true,
    load: async () => (await import('./money/fees.ts')).feeCommands,
  },
  {
    word: 'plans',
    does: 'credit card brands and installments enabled for an account',
    isGroup: true,
    load: async () => (await import('./money/plans.ts')).planCommands,
  },
  {
    word: 'register',
    does: 'registers of withholding rates by CUIT',
    isGroup: true,
    load: async () => (await import('./money/register.ts')).rateCommands,
  },
  {
    word: 'collections',
    does: 'refunds and chargebacks of collected payments',
    isGroup: true,
    load: async () => (await import('./money/collections.ts')).collectionCommands,
  },
  {
    word: 'payouts',
    does: 'payouts of available money, which you transfer to the account holders',
    isGroup: true,
    load: async () => (await import('./money/payouts.ts')).payoutCommands,
  },
  {
    word: 'refunds',
    does: 'refunds that you transfer to payers',
    isGroup: true,
    load: async () => (await import('./money/refunds.ts')).refundCommands,
  },
  {
    word: 'suspense',
    does: 'payments that match no known request',
    isGroup: true,
    load: async () => (await import('./money/suspense.ts')).suspenseCommands,
  },
  {
    word: 'alarms',
    does: 'money alarms: differences from a bank or acquirer, forged records and suspected abuse',
    isGroup: true,
    load: async () => (await import('./money/alarms.ts')).alarmCommands,
  },
  {
    word: 'disputes',
    does: 'payments disputed by their payers, as connectors report them',
    isGroup: true,
    load: async () => (await import('./money/disputes.ts')).disputeCommands,
  },
  {
    word: 'settlements',
    does: 'payouts by acquirers, compared with the recorded payments',
    isGroup: true,
    load: async () => (await import('./money/settlements.ts')).settlementCommands,
  },
  {
    word: 'rails',
    does: 'files of networks, banks and card processors',
    load: async () => (await import('./rails/rails.ts')).railCommands,
  },
  {
    word: 'connectors',
    does: 'online acquirers, banks and wallets',
    load: async () => (await import('./connectors.ts')).connectorCommands,
  },
  {
    word: 'ledger',
    does: 'manual corrections of available balances',
    isGroup: true,
    load: async () => (await import('./money/ledger.ts')).ledgerCommands,
  },
  {
    word: 'webhooks',
    does: 'events and their subscribers',
    isGroup: true,
    load: async () => (await import('./webhooks/commands.ts')).webhookCommands,
  },
  {
    word: 'audit',
    does: 'recompute everything, compare it with the books and list mismatches; exits 1 if any',
    load: async () => (await import('./money/audit.ts')).auditCommand,
  },
  {
    word: 'events',
    does: 'changes that belong to no account',
    isGroup: true,
    load: async () => (await import('./events.ts')).eventCommands,
  },
  {
    word: 'vault',
    does: 'keys that encrypt card numbers and secrets',
    load: async () => (await import('./vault.ts')).vaultCommands,
  },
  {
    word: 'signing',
    does: 'e-mails that ask holders to sign their mandates',
    isGroup: true,
    load: async () => (await import('./signing.ts')).signingCommands,
  },
  {
    word: 'secrets',
    does: 'keys that sign links and derive webhook secrets',
    isGroup: true,
    load: async () => (await import('./secrets.ts')).secretCommands,
  },
  {
    word: 'cards',
    does: 'card numbers of mandates, and card BINs',
    isGroup: true,
    load: async () => (await import('./cards.ts')).cardCommands,
  },
  {
    word: 'qr',
    does: 'QR codes from and to files',
    isGroup: true,
    load: async () => (await import('./qr/commands.ts')).qrCommands,
  },
  {
    word: 'imports',
    does: 'spreadsheets whose rows become payment requests, QRs, debits or mandates',
    load: async () => (await import('./imports/commands.ts')).importCommands,
  },
  {
    word: 'migrate-in',
    does: 'import open requests and mandates from another provider; exits 1 on errors or differences; docs/how-to/move-in.md',
    load: async () => (await import('./imports/migrate-in.ts')).migrateInCommand,
  },
  {
    word: 'requests',
    does: 'payment requests, debits and QRs',
    isGroup: true,
    load: async () => (await import('./requests.ts')).requestCommands,
  },
  {
    word: 'explain',
    does: 'show the full history of a payment request, debit or QR: states, books, webhooks, files',
    load: async () => (await import('./explain.ts')).explainCommand,
  },
  {
    word: 'debits',
    does: 'debits of bank accounts and cards',
    isGroup: true,
    load: async () => (await import('./requests.ts')).debitCommands,
  },
  {
    word: 'mandates',
    does: 'mandates (adhesions) on bank accounts and cards',
    isGroup: true,
    load: async () => (await import('./mandates.ts')).mandateCommands,
  },
  {
    word: 'payers',
    does: 'payers, and the data stored about them',
    isGroup: true,
    load: async () => (await import('./payers.ts')).payerCommands,
  },
  {
    word: 'balances',
    does: 'show the balances of account holders: available and unavailable',
    load: async () => (await import('./money/balances.ts')).balanceCommand,
  },
  {
    word: 'mails',
    does: 'e-mails to payers, mandate holders and users',
    isGroup: true,
    load: async () => (await import('./mails.ts')).mailCommands,
  },
  {
    word: 'connectors',
    load: async () => (await import('./connector-test.ts')).connectorTestCommand,
  },
  {
    word: 'connector',
    does: 'run a bundled connector; docs/how-to/connect-an-acquirer.md',
    load: async () => (await import('./connector.ts')).connectorCommand,
  },
  {
    word: 'doctor',
    does: 'check everything this deployment depends on; exits 1 if something is broken',
    load: async () => (await import('./doctor/command.ts')).doctorCommand,
  },
  {
    word: 'estimate',
    does: 'estimate the cores, storage, restore time and scaling step for a load',
    load: async () => (await import('./scaling/commands.ts')).scalingCommands,
  },
  {
    word: 'mcp',
    does: 'serve tools for agents over stdio (Model Context Protocol); docs/how-to/agents.md',
    load: async () => (await import('./mcp/command.ts')).mcpCommand,
  },
  {
    word: 'init',
    does: 'write an example shop with checkout, webhook, return page and tests',
    load: async () => (await import('./init/command.ts')).initCommand,
  },
  {
    word: 'version',
    does: 'print the release',
    load: async () => versionCommand,
  },
];

function versionCommand(program: Command): void {
  program
    .command('version')
    .description('print the release')
    .action((options: { json?: boolean }) => print(version, { version }, options));
}

/** Returns the commands without subcommands in a tree, which may be the given command alone. */
export const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

const everyOne = (command: Command): Command[] => [command, ...command.commands.flatMap(everyOne)];

const createProgram = (): Command =>
  new Command('recaudo').description('Recaudo, a payment collection service').version(version);

/** Width of help where no terminal defines one. */
const helpWidth = 80;

/** Silences commander's error messages, because `failureOf` reports every fault in one format. */
function silenced(program: Command, { quiet }: Telling): Command {
  const widthOf = ({ isTTY, columns }: Output) => (isTTY ? columns : undefined) ?? helpWidth;
  for (const command of everyOne(program)) {
    command.exitOverride().configureOutput({
      outputError: () => {},
      writeOut: (text) => void invocation().stdout.write(text),
      writeErr: (text) => void (quiet || invocation().stderr.write(text)),
      getOutHelpWidth: () => widthOf(invocation().stdout),
      getErrHelpWidth: () => widthOf(invocation().stderr),
    });
  }
  return program;
}

/** Returns the commands that begin with a word, or all of them. */
export async function commandTree(
  word?: string,
  telling: Telling = { quiet: true },
): Promise<Command> {
  const program = createProgram();
  for (const noun of nouns) {
    if (word !== undefined && noun.word !== word) continue;
    const { does = '', isGroup = false } = noun;
    (await noun.load())(isGroup ? program.command(noun.word).description(does) : program);
  }
  for (const command of leavesOf(program)) {
    const hasJson = command.options.some(({ long }) => long === '--json');
    if (!hasJson && command.name() !== 'serve')
      command.option('--json', 'print the answer and errors as JSON');
  }
  return silenced(program, telling);
}

/**
 * Returns the first words only, for help and for unknown commands, without loading anything else.
 */
function firstWords(telling: Telling): Command {
  const program = createProgram();
  for (const { word, does } of nouns) {
    if (does !== undefined) program.command(word).description(does);
  }
  return silenced(program, telling);
}

export async function commandsFor(words: readonly string[], telling: Telling): Promise<Command> {
  const word = words[0] === 'help' ? words[1] : words[0];
  const isKnown = nouns.some((noun) => noun.word === word);
  return isKnown ? await commandTree(word, telling) : firstWords(telling);
}
