import type { Command } from 'commander';
import { importTaxpayerRates, type RatesReport } from '../../money/withholdings/index.ts';
import { withBase } from '../command.ts';
import { type Answering, print, printRows } from '../print.ts';
import { withProgress } from '../progress.ts';

const summaries: Record<RatesReport['outcome'], string> = {
  imported: 'imported',
  known: 'already imported; nothing changed',
  checked: 'valid; an import would make these changes',
};

export function rateCommands(register: Command): void {
  register
    .command('import')
    .description(
      'import withholding rates by CUIT; rates that the file omits stay valid; a file with errors changes nothing',
    )
    .argument('<file>', 'CSV: cuit,regime,jurisdiction,rate,valid_from,valid_to')
    .option('--dry-run', 'only show the changes')
    .option('--json', 'as JSON')
    .action((path: string, { dryRun = false, json = false }: Answering & { dryRun?: boolean }) =>
      withBase('register import', async ({ base, actor }) => {
        const report = await withProgress({ json }, () =>
          importTaxpayerRates({ ...base, actor })({ path, dryRun }),
        );
        print(`${report.lines} lines, ${summaries[report.outcome]}`, { ...report }, { json });
        if (json || report.changes.length === 0) return;
        printRows(
          report.changes.map((row) => ({ ...row })),
          {},
        );
      }),
    );
}
