import { type Command, Option } from 'commander';
import { dayIn } from '../arguments.ts';
import { withBase } from '../command.ts';
import { type ExportOptions, exportImages } from './export.ts';
import { type ImportOptions, importFile } from './import.ts';

export function qrCommands(qr: Command): void {
  qr.command('import')
    .description(
      'create QRs from a JSON document or spreadsheet, and write the outcomes to a new FILE.result.csv or FILE.result-2.csv, …; exits 1 if a row is rejected',
    )
    .argument(
      '<file>',
      'a bulk import document (JSON), or a spreadsheet (CSV, XLSX) with the fields as columns',
    )
    .requiredOption('--account <id>', 'the account')
    .option('--json', 'the summary as JSON')
    .action((file: string, options: ImportOptions) =>
      withBase('qr import', (context) => importFile(context, file, options)),
    );

  qr.command('export')
    .description('write an image of each payable QR, a list, and a sheet to print')
    .requiredOption('--account <id>', 'the account')
    .requiredOption(
      '--images <folder>',
      'output folder, created if missing; files of the same names are overwritten',
    )
    .addOption(
      new Option('--format <format>', 'image format').choices(['svg', 'png']).default('svg'),
    )
    .option(
      '--since <day>',
      'only QRs created on that day or later, dd-mm-yyyy or yyyy-mm-dd',
      dayIn,
    )
    .addOption(
      new Option('--ids <file>', 'only QRs with these ids, one per line, in any state').conflicts(
        'since',
      ),
    )
    .action((options: ExportOptions) =>
      withBase('qr export', (context) => exportImages(context, options)),
    );
}
