import { type Command, InvalidArgumentError } from 'commander';
import { parseDayOrIso } from '../kernel/dates.ts';
import { type Centavos, maxSumDigits, parseAmount } from '../kernel/money.ts';
import { parsePercent } from '../kernel/percent.ts';
import { directionControl, hasControl, isBlank, lengthOf } from '../kernel/text.ts';
import { allChannelCodes, type ChannelCode } from '../money/channels/index.ts';

/** Readers of what stands on the command line; each refuses with what is allowed. */

export const dayIn = (text: string): Temporal.PlainDate => {
  const day = parseDayOrIso(text);
  if (day) return day;
  throw new InvalidArgumentError('It must be a day of the calendar, dd-mm-yyyy.');
};

export const idIn = (text: string): number => {
  if (/^[0-9]{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a number, as the listing shows it.');
};

function centavosIn(text: string, least: number, rule: string): Centavos {
  const amount = parseAmount(text);
  if (amount.ok && amount.value >= least) return amount.value;
  throw new InvalidArgumentError(
    `It must be an amount in pesos like 1250.50, ${rule} and at most 99999999.99.`,
  );
}

export const amountIn = (text: string): Centavos => centavosIn(text, 1, 'at least 0.01');
export const amountOrZeroIn = (text: string): Centavos => centavosIn(text, 0, 'at least 0');

function sumIn(text: string, allows: (amount: Centavos) => boolean, rule: string): Centavos {
  const amount = parseAmount(text, maxSumDigits);
  if (amount.ok && allows(amount.value)) return amount.value;
  throw new InvalidArgumentError(
    `It must be an amount in pesos like 1250.50, ${rule}, of at most ${maxSumDigits} digits before ` +
      'the point.',
  );
}

/** A sum of many payments. */
export const payoutAmountIn = (text: string): Centavos =>
  sumIn(text, (amount) => amount > 0, 'at least 0.01');

/** With a sign: what is taken is negative. */
export const signedAmountIn = (text: string): Centavos =>
  sumIn(text, (amount) => amount !== 0, 'other than 0');

/** A percentage in parts per million. */
export const percentageIn = (text: string): number => {
  const ppm = parsePercent(text);
  if (ppm !== null) return ppm;
  throw new InvalidArgumentError('It must be a percentage like 1.50, from 0 to 100.');
};

export const businessDaysIn = (text: string): number => {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : -1;
  if (days >= 0 && days <= 366) return days;
  throw new InvalidArgumentError('It must be a whole number of business days, 0 to 366.');
};

export const channelIn = (text: string): ChannelCode => {
  const channel = allChannelCodes.find((code) => code === text);
  if (channel) return channel;
  throw new InvalidArgumentError(`It must be one of ${allChannelCodes.join(', ')}.`);
};

const mostListed = 10_000;

const limitIn = (text: string): number => {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit >= 1 && limit <= mostListed) return limit;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${mostListed}.`);
};

/** Which part of a listing is shown. */
export interface PageOptions {
  after: number;
  limit: number;
  json?: boolean;
}

/** The options of a listing that is in the order of its ids. */
export const paged = (command: Command): Command =>
  command
    .option('--after <id>', 'only what comes behind this number', idIn, 0)
    .option('--limit <count>', 'how many at most', limitIn, 100)
    .option('--json', 'as JSON');

const textIn = (most: number) => (text: string) => {
  const isLine = !hasControl(text, { lineBreaks: false }) && directionControl(text) === null;
  if (!isBlank(text) && lengthOf(text) <= most && isLine) return text.trim();
  throw new InvalidArgumentError(`It must be a text of 1 to ${most} characters in one line.`);
};

/** Why something is done: kept with it. */
export const reasonIn = textIn(255);

/** The operator's own name for something: the same one is done once. */
export const referenceIn = textIn(64);
