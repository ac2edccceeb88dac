import { catalog, textAt } from '../../language/catalog.ts';
import { channels } from '../../money/channels/index.ts';
import { type LedgerAccount, ledgerAccounts, type Movement } from '../../money/ledger/index.ts';
import type { Lang } from '../../platform/pages/model.ts';
import { channelNames } from '../frame/channels.ts';
import en from './texts.en.json' with { type: 'json' };
import es from './texts.es.json' with { type: 'json' };

export const moneyTexts = catalog(
  { en, es },
  {
    days: { from: 'text', to: 'text' },
    until: { day: 'text' },
    journals: { count: 'count' },
    journal: { id: 'count' },
    request: { id: 'count' },
    clearing: { channel: 'text' },
  },
);

/** Returns a ledger account's name. Clearing accounts are named after their channel. */
export function accountText(lang: Lang, account: LedgerAccount): string {
  const texts = moneyTexts[lang];
  const names = Object.keys(ledgerAccounts) as (keyof typeof ledgerAccounts)[];
  const name = names.find((one) => ledgerAccounts[one] === account);
  const own = name && textAt(texts.accounts, name);
  if (own !== undefined) return own;
  const codes = Object.keys(channels) as (keyof typeof channels)[];
  const channel = codes.find((code) => channels[code].clearing === account);
  return channel ? texts.clearing({ channel: channelNames[lang][channel] }) : String(account);
}

/** Describes the journal's request, or the subject of its cause. */
export function causeText(
  lang: Lang,
  { request_id: requestId, cause }: Pick<Movement, 'request_id' | 'cause'>,
): string {
  const texts = moneyTexts[lang];
  if (requestId !== null) return texts.request({ id: requestId });
  const [noun = '', id = ''] = (cause ?? '').split(':');
  return `${textAt(texts.causes, noun) ?? noun} ${id}`.trim();
}
