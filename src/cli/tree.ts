import { Command } from 'commander';
import { version } from '../version.ts';
import { print } from './print.ts';

type Adds = (program: Command) => void;

/** Who brings which first words: only what a call needs is loaded, which is most of its time. */
const nouns: readonly { word: string; load: () => Promise<Adds> }[] = [
  { word: 'serve', load: async () => (await import('./serve.ts')).serveCommands },
  { word: 'migrate', load: async () => (await import('./migrate.ts')).migrateCommand },
  { word: 'accounts', load: async () => (await import('./accounts.ts')).accountCommands },
  { word: 'keys', load: async () => (await import('./keys.ts')).keyCommands },
  { word: 'calendar', load: async () => (await import('./calendar.ts')).calendarCommands },
  { word: 'fees', load: async () => (await import('./money/fees.ts')).feeCommands },
  { word: 'plans', load: async () => (await import('./money/plans.ts')).planCommands },
  { word: 'register', load: async () => (await import('./money/register.ts')).rateCommands },
  {
    word: 'collections',
    load: async () => (await import('./money/collections.ts')).collectionCommands,
  },
  { word: 'payouts', load: async () => (await import('./money/payouts.ts')).payoutCommands },
  { word: 'refunds', load: async () => (await import('./money/refunds.ts')).refundCommands },
  { word: 'suspense', load: async () => (await import('./money/suspense.ts')).suspenseCommands },
  { word: 'rails', load: async () => (await import('./rails/rails.ts')).railCommands },
  {
    word: 'connectors',
    load: async () => (await import('./connectors.ts')).connectorCommands,
  },
  { word: 'ledger', load: async () => (await import('./money/ledger.ts')).ledgerCommands },
  {
    word: 'webhooks',
    load: async () => (await import('./webhooks/commands.ts')).webhookCommands,
  },
  { word: 'audit', load: async () => (await import('./money/audit.ts')).auditCommand },
  { word: 'events', load: async () => (await import('./events.ts')).eventCommands },
  { word: 'vault', load: async () => (await import('./vault.ts')).vaultCommands },
  { word: 'signing', load: async () => (await import('./signing.ts')).signingCommands },
  { word: 'secrets', load: async () => (await import('./secrets.ts')).secretCommands },
  { word: 'cards', load: async () => (await import('./cards.ts')).cardCommands },
  { word: 'qr', load: async () => (await import('./qr/commands.ts')).qrCommands },
  { word: 'requests', load: async () => (await import('./requests.ts')).requestCommands },
  { word: 'debits', load: async () => (await import('./requests.ts')).debitCommands },
  { word: 'mandates', load: async () => (await import('./mandates.ts')).mandateCommands },
  { word: 'payers', load: async () => (await import('./mandates.ts')).payerCommands },
  { word: 'balances', load: async () => (await import('./money/balances.ts')).balanceCommand },
  { word: 'mails', load: async () => (await import('./mails.ts')).mailCommands },
  {
    word: 'connectors',
    load: async () => (await import('./connector-test.ts')).connectorTestCommand,
  },
  { word: 'connector', load: async () => (await import('./connector.ts')).connectorCommand },
  { word: 'doctor', load: async () => (await import('./doctor.ts')).doctorCommand },
  { word: 'version', load: async () => versionCommand },
];

function versionCommand(program: Command): void {
  program
    .command('version')
    .description('print the release')
    .action((options: { json?: boolean }) => print(version, { version }, options));
}

/** Every command below another, however deep, that does something. */
export const leavesOf = (command: Command): Command[] =>
  command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);

const everyOne = (command: Command): Command[] => [command, ...command.commands.flatMap(everyOne)];

/** The commands that begin with a word; without one that is known, all of them. */
export async function commandTree(
  word?: string,
  { quiet }: { quiet: boolean } = { quiet: true },
): Promise<Command> {
  const program = new Command('recaudo')
    .description('Recaudo, a payment collection service')
    .version(version);
  const wanted = nouns.filter((noun) => noun.word === word);
  for (const { load } of wanted.length > 0 ? wanted : nouns) (await load())(program);
  for (const command of leavesOf(program)) {
    const hasJson = command.options.some(({ long }) => long === '--json');
    if (!hasJson && command.name() !== 'serve')
      command.option('--json', 'answer and errors as JSON');
  }
  // What went wrong is told in one place and one form; only help that nobody asked for is its own.
  const writeErr = (text: string) => void (quiet || process.stderr.write(text));
  for (const command of everyOne(program)) {
    command.exitOverride().configureOutput({ outputError: () => {}, writeErr });
  }
  return program;
}
