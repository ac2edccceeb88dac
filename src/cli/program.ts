import { Command, CommanderError } from 'commander';
import { version } from '../version.ts';
import { accountCommands } from './accounts.ts';
import { calendarCommands } from './calendar.ts';
import { cardCommands } from './cards.ts';
import { keyCommands } from './keys.ts';
import { auditCommand } from './money/audit.ts';
import { collectionCommands } from './money/collections.ts';
import { feeCommands } from './money/fees.ts';
import { ledgerCommands } from './money/ledger.ts';
import { payoutCommands } from './money/payouts.ts';
import { planCommands } from './money/plans.ts';
import { registerCommands } from './money/register.ts';
import { suspenseCommands } from './money/suspense.ts';
import { print } from './print.ts';
import { qrCommands } from './qr/commands.ts';
import { railCommands } from './rails/payments.ts';
import { secretCommands } from './secrets.ts';
import { serveCommands } from './serve.ts';
import { signingCommands } from './signing.ts';
import { vaultCommands } from './vault.ts';
import { webhookCommands } from './webhooks/commands.ts';

const failed = 1;
const usage = 2;

const program = new Command('recaudo')
  .description('Recaudo, a payment collection service')
  .version(version)
  .exitOverride();

serveCommands(program);
accountCommands(program);
keyCommands(program);
calendarCommands(program);
cardCommands(program);
feeCommands(program);
planCommands(program);
registerCommands(program);
collectionCommands(program);
payoutCommands(program);
suspenseCommands(program);
railCommands(program);
ledgerCommands(program);
webhookCommands(program);
auditCommand(program);
vaultCommands(program);
signingCommands(program);
secretCommands(program);
qrCommands(program);
program
  .command('version')
  .description('print the release')
  .action(() => print(version));

for (const command of program.commands) {
  command.exitOverride();
  for (const sub of command.commands) sub.exitOverride();
}

try {
  await program.parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : usage;
  } else {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = failed;
  }
}
