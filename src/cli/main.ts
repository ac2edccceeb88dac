import { Command, CommanderError } from 'commander';
import { version } from '../version.ts';
import { accountCommands } from './accounts.ts';
import { auditCommand } from './audit.ts';
import { calendarCommands } from './calendar.ts';
import { keyCommands } from './keys.ts';
import { print } from './print.ts';
import { serveCommands } from './serve.ts';
import { webhookCommands } from './webhooks.ts';

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
webhookCommands(program);
auditCommand(program);
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
