import { channels } from '../../money/channels/index.ts';
import type { Statement, StatementGroup, StatementLine } from '../../money/ledger/index.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { frameTexts } from '../../platform/pages/texts.ts';
import { channelNames } from '../frame/channels.ts';
import { moneyTexts } from '../money/texts.ts';
import { statementTexts } from './statement-texts.ts';

export interface StatementModel {
  month: Temporal.PlainYearMonth;
  statement: Statement;
}

/** Returns the name of a month's statement: `Resumen de noviembre de 2026`. */
export const statementName = (lang: Lang, { month, year }: Temporal.PlainYearMonth): string =>
  statementTexts[lang].name({ month: frameTexts[lang].months[month - 1] ?? '', year });

/**
 * Returns a line's label within its group. Collections are named after their channel, other lines
 * after the kind of their journals, followed by the channel if they have one.
 */
export function lineName(
  lang: Lang,
  group: StatementGroup,
  { kind, ledger_account: account }: StatementLine,
): string {
  const codes = Object.keys(channels) as (keyof typeof channels)[];
  const channel = codes.find((code) => channels[code].clearing === account);
  const ofChannel = channel && channelNames[lang][channel];
  if (group === 'collected' && ofChannel) return ofChannel;
  const ofKind = moneyTexts[lang].kinds[kind];
  return ofChannel ? `${ofKind} · ${ofChannel}` : ofKind;
}
