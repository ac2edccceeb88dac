import { type Command, Option } from 'commander';
import { dayIn } from '../arguments.ts';
import { withBase } from '../command.ts';
import { type ExportOptions, exportImages } from './export.ts';
import { type ImportOptions, importFile } from './import.ts';

export function qrCommands(qr: Command): void {
  qr.command('import')
    .description('save the QRs of a JSON document or a spreadsheet; FILE.result.csv tells of each')
    .argument(
      '<file>',
      'the document that bulk imports take, or a spreadsheet (CSV, XLSX) with the fields as columns',
    )
    .requiredOption('--account <id>', 'the account')
    .option('--json', 'the summary as JSON')
    .action((file: string, options: ImportOptions) =>
      withBase('qr import', (context) => importFile(context, file, options)),
    );

  qr.command('export')
    .description('one image for each QR that can be paid now, a list, and a sheet to print')
    .requiredOption('--account <id>', 'the account')
    .requiredOption('--images <folder>', 'where to write; it is made if it is not there')
    .addOption(
      new Option('--format <format>', 'kind of images').choices(['svg', 'png']).default('svg'),
    )
    .option('--since <day>', 'only those created on that day or later', dayIn)
    .addOption(
      new Option('--ids <file>', 'those of these ids, one a line, whatever their state').conflicts(
        'since',
      ),
    )
    .action((options: ExportOptions) =>
      withBase('qr export', (context) => exportImages(context, options)),
    );
}
