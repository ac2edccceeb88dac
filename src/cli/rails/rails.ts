import type { Command } from 'commander';
import { inboundDebits, inboundRails, outboundDebits, outboundRails } from '../../rails/index.ts';
import { dayIn, idIn, reasonIn } from '../arguments.ts';
import { withBase } from '../command.ts';
import type { Answering } from '../print.ts';
import { listWaiting, rejectDebit } from './debits.ts';
import { fileCommands } from './files.ts';
import {
  type ExportOptions,
  exportCommand,
  type ImportOptions,
  importCommand,
  railArgument,
} from './payments.ts';

function waitingCommands(rails: Command): void {
  rails
    .command('waiting')
    .description('list debits waiting for a file, and why any of them is stuck')
    .option('--stuck', 'only debits that no file can include')
    .option('--json', 'as JSON')
    .action((options: { stuck?: boolean; json?: boolean }) =>
      withBase('rails waiting', (context) =>
        listWaiting(context, { stuck: options.stuck ?? false, json: options.json ?? false }),
      ),
    );

  rails
    .command('reject')
    .description('reject a debit that waits for a file, such as one that no file can include')
    .argument('<request>', 'the number that `rails waiting` shows', idIn)
    .requiredOption('--reason <text>', 'the reason, which the account holder sees', reasonIn)
    .action((requestId: number, { reason, json = false }: Answering & { reason: string }) =>
      withBase('rails reject', (context) => rejectDebit(context, { requestId, reason }, { json })),
    );
}

export function railCommands(program: Command): void {
  const rails = program
    .command('rails')
    .description('files of networks, banks and card processors');

  rails
    .command('import')
    .description(
      'import a file or a folder, each line once; an invalid file changes nothing; exits 1 if a file fails',
    )
    .addArgument(railArgument([...inboundRails, ...inboundDebits]))
    .argument('<file>', 'the file as the network sent it, or a folder of them')
    .option('--same-day', 'import it even if another file of its day was imported')
    .option('--json', 'as JSON')
    .action((name: string, file: string, options: ImportOptions) =>
      withBase('rails import', (context) => importCommand(context, { name, file }, options)),
    );

  rails
    .command('export')
    .description(
      'write the file that publishes payable requests or submits debits to a bank or card processor',
    )
    .addArgument(railArgument([...outboundRails, ...outboundDebits]))
    .option('--date <day>', 'date of the file, dd-mm-yyyy or yyyy-mm-dd (default: today)', dayIn)
    .option('--out <directory>', 'output folder', '.')
    .option(
      '--encrypt-to <certificate>',
      'for debits: encrypt the file (CMS) for this X.509 certificate',
    )
    .option('--another', 'for debits: export waiting debits even if this day already has a file')
    .action((name: string, options: ExportOptions) =>
      withBase('rails export', (context) => exportCommand(context, name, options)),
    );

  fileCommands(rails);
  waitingCommands(rails);
}
