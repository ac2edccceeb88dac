import { type Command, InvalidArgumentError } from 'commander';
import { type Answering, print } from '../print.ts';
import { type Estimate, estimate, type Load } from './estimate.ts';

/** Parses a whole number within bounds, which the refusal names. */
const numberIn =
  (least: number, most: number) =>
  (text: string): number => {
    const number = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };

const size = (bytes: number): string =>
  bytes < 1e12 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e12).toFixed(1)} TB`;

const rate = (number: number): string => (number < 10 ? number.toFixed(1) : number.toFixed(0));

const linesOf = (found: Estimate): string[] => [
  `in the busiest hour, a second: ${rate(found.creates)} created, ${rate(found.reads)} read, ${rate(found.payments)} paid`,
  `cores that serve: ${found.processCores}; cores of the database: ${found.databaseCores}`,
  `a month adds ${size(found.bytesAMonth)}; kept: ${size(found.bytesKept)}`,
  `putting all of it back takes ${rate(found.restoreHours)} hours`,
  `the first step that carries it: ${found.step} (docs/explanation/scaling.md)`,
];

interface EstimateOptions extends Answering {
  requests: number;
  paid: number;
  reads: number;
  peak: number;
  months: number;
  restoreRate: number;
}

const loadOf = (options: EstimateOptions): Load => ({
  requestsAMonth: options.requests,
  paidPercent: options.paid,
  readsEach: options.reads,
  peak: options.peak,
  monthsKept: options.months,
  restoreRate: options.restoreRate,
});

export function scalingCommands(program: Command): void {
  program
    .command('estimate')
    .description('what a load needs: cores, bytes, hours to restore, and the step of scaling')
    .requiredOption('--requests <n>', 'created in a month', numberIn(1, 100_000_000_000))
    .option('--paid <percent>', 'of them are paid', numberIn(0, 100), 80)
    .option('--reads <n>', 'of each by its integrator', numberIn(0, 1_000), 3)
    .option('--peak <n>', 'times the average in the busiest hour', numberIn(1, 1_000), 20)
    .option('--months <n>', 'that are kept', numberIn(1, 1_200), 24)
    .option('--restore-rate <n>', 'megabytes a second at a restore', numberIn(1, 100_000), 100)
    .option('--json', 'as JSON')
    .action((options: EstimateOptions) => {
      const found = estimate(loadOf(options));
      print(linesOf(found), { ...found }, options);
    });
}
