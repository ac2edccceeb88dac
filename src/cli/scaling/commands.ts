import { type Command, InvalidArgumentError } from 'commander';
import { type Answering, print } from '../print.ts';
import { type Estimate, estimate, type Load } from './estimate.ts';

/** Parses a whole number within bounds, which the refusal names. */
const numberIn =
  (least: number, most: number) =>
  (text: string): number => {
    const number = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`This value must be a whole number from ${least} to ${most}.`);
  };

const size = (bytes: number): string =>
  bytes < 1e12 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e12).toFixed(1)} TB`;

const rate = (number: number): string => (number < 10 ? number.toFixed(1) : number.toFixed(0));

const linesOf = (found: Estimate): string[] => [
  `per second in the busiest hour: ${rate(found.creates)} created, ${rate(found.reads)} read, ${rate(found.payments)} paid`,
  `service cores: ${found.processCores}; database cores: ${found.databaseCores}`,
  `storage: ${size(found.bytesAMonth)} per month, ${size(found.bytesKept)} in total`,
  `a full restore takes ${rate(found.restoreHours)} hours`,
  `smallest sufficient step: ${found.step} (docs/explanation/scaling.md)`,
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
    .description('estimate the cores, storage, restore time and scaling step for a load')
    .requiredOption('--requests <n>', 'requests created per month', numberIn(1, 100_000_000_000))
    .option('--paid <percent>', 'percentage of requests that are paid', numberIn(0, 100), 80)
    .option('--reads <n>', 'reads of each request by its integrator', numberIn(0, 1_000), 3)
    .option(
      '--peak <n>',
      'load of the busiest hour, as a multiple of the average',
      numberIn(1, 1_000),
      20,
    )
    .option('--months <n>', 'months of data to keep', numberIn(1, 1_200), 24)
    .option(
      '--restore-rate <n>',
      'restore speed in megabytes per second',
      numberIn(1, 100_000),
      100,
    )
    .option('--json', 'as JSON')
    .action((options: EstimateOptions) => {
      const found = estimate(loadOf(options));
      print(linesOf(found), { ...found }, options);
    });
}
