import type { Centavos } from '../../kernel/money.ts';
import { isolated } from '../../kernel/text.ts';
import { dayText, moneyText } from '../../platform/pages/format.ts';
import type { User } from '../user.ts';
import { noticeTexts } from './texts.ts';
import type { Topic } from './topics.ts';

/** An account's news since its last email. */
export interface AccountNews {
  rejectedDebits: number;
  disputes: number;
  payouts: readonly { amount: Centavos; cbu: string }[];
  /** Webhooks that began to fail. */
  webhooks: readonly { url: string }[];
  /** A day's collections. Null if no day ended. */
  summary: { day: Temporal.PlainDate; count: number; amount: Centavos } | null;
  /** Address of the account's portal. */
  page: string;
}

type Lang = User['lang'];
type Line = (lang: Lang, happened: AccountNews) => string[];

/** Maximum number of listed items per kind. The email counts the rest. */
const mostLines = 10;

function listed(lang: Lang, lines: readonly string[]): string[] {
  const more = lines.length - mostLines;
  if (more <= 0) return [...lines];
  return [...lines.slice(0, mostLines), noticeTexts[lang].more({ count: more })];
}

const linesOf: Readonly<Record<Topic, Line>> = {
  rejected_debits: (lang, { rejectedDebits: count }) =>
    count === 0 ? [] : [noticeTexts[lang].facts.rejected_debits({ count })],
  disputes: (lang, { disputes: count }) =>
    count === 0 ? [] : [noticeTexts[lang].facts.disputes({ count })],
  payouts: (lang, { payouts }) => {
    const { payout } = noticeTexts[lang].facts;
    const lines = payouts.map(({ amount, cbu }) =>
      payout({ amount: moneyText(lang, amount), cbu: cbu.slice(-4) }),
    );
    return listed(lang, lines);
  },
  webhooks: (lang, { webhooks }) => {
    const { webhook } = noticeTexts[lang].facts;
    return listed(
      lang,
      webhooks.map(({ url }) => webhook({ host: isolated(new URL(url).host) })),
    );
  },
  summary: (lang, { summary }) => {
    if (summary === null) return [];
    const { day, count, amount } = summary;
    const [date, money] = [dayText(lang, day), moneyText(lang, amount)];
    return [noticeTexts[lang].facts.summary({ day: date, amount: money, count })];
  },
};

/** Composes the email on a user's topics. Returns null without news. */
export function composeDigest(
  { name, lang }: Pick<User, 'name' | 'lang'>,
  where: string,
  happened: AccountNews,
  topics: readonly Topic[],
): { subject: string; body: string } | null {
  const lines = topics.flatMap((topic) => linesOf[topic](lang, happened));
  if (lines.length === 0) return null;
  const list = lines.map((line) => `- ${line}`).join('\n');
  const place = isolated(where);
  const { subject, body } = noticeTexts[lang].digest;
  return {
    subject: subject({ place }),
    body: body({ whom: isolated(name), place, list, page: happened.page }),
  };
}
