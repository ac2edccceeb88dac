import type { Centavos } from '../../kernel/money.ts';
import { isolated } from '../../kernel/text.ts';
import { dayText, moneyText } from '../../platform/pages/format.ts';
import type { User } from '../user.ts';
import type { Topic } from './topics.ts';

/** What happened in an account since it was told of last. */
export interface Happened {
  rejectedDebits: number;
  disputes: number;
  payouts: readonly { amount: Centavos; cbu: string }[];
  /** Webhooks that began to fail. */
  webhooks: readonly { url: string }[];
  /** What was collected on a day; null: no day ended. */
  summary: { day: Temporal.PlainDate; count: number; amount: Centavos } | null;
  /** The portal of the account. */
  page: string;
}

type Lang = User['lang'];
type Line = (lang: Lang, happened: Happened) => string[];

/** So many of a kind are told one by one; of more, how many they are. */
const mostLines = 10;

const counted = (count: number, one: string, many: string): string[] =>
  count === 0 ? [] : [count === 1 ? `1 ${one}` : `${count} ${many}`];

function listed(lang: Lang, lines: readonly string[]): string[] {
  const more = lines.length - mostLines;
  if (more <= 0) return [...lines];
  return [...lines.slice(0, mostLines), lang === 'es' ? `y ${more} más` : `and ${more} more`];
}

const linesOf: Readonly<Record<Topic, Line>> = {
  rejected_debits: (lang, { rejectedDebits: count }) =>
    lang === 'es'
      ? counted(count, 'débito rechazado', 'débitos rechazados')
      : counted(count, 'rejected debit', 'rejected debits'),
  disputes: (lang, { disputes: count }) =>
    lang === 'es'
      ? counted(count, 'pago desconocido por su titular', 'pagos desconocidos por sus titulares')
      : counted(count, 'payment taken back by its holder', 'payments taken back by their holders'),
  payouts: (lang, { payouts }) =>
    listed(
      lang,
      payouts.map(({ amount, cbu }) =>
        lang === 'es'
          ? `se pagaron ${moneyText(lang, amount)} a la CBU terminada en ${cbu.slice(-4)}`
          : `${moneyText(lang, amount)} paid out to the CBU ending in ${cbu.slice(-4)}`,
      ),
    ),
  webhooks: (lang, { webhooks }) =>
    listed(
      lang,
      webhooks.map(({ url }) =>
        lang === 'es'
          ? `el webhook ${isolated(new URL(url).host)} no responde`
          : `the webhook ${isolated(new URL(url).host)} does not answer`,
      ),
    ),
  summary: (lang, { summary }) => {
    if (summary === null) return [];
    const { day, count, amount } = summary;
    const [date, money] = [dayText(lang, day), moneyText(lang, amount)];
    if (lang === 'es') {
      return [`el ${date} se cobraron ${money} en ${count} ${count === 1 ? 'pago' : 'pagos'}`];
    }
    return [
      `on ${date} ${money} were collected in ${count} ${count === 1 ? 'payment' : 'payments'}`,
    ];
  },
};

/** The letter to somebody who wishes to be told of these topics; null: there is nothing to tell. */
export function digestWords(
  { name, lang }: Pick<User, 'name' | 'lang'>,
  where: string,
  happened: Happened,
  topics: readonly Topic[],
): { subject: string; body: string } | null {
  const lines = topics.flatMap((topic) => linesOf[topic](lang, happened));
  if (lines.length === 0) return null;
  const list = lines.map((line) => `- ${line}`).join('\n');
  const [place, whom] = [isolated(where), isolated(name)];
  const { page } = happened;
  return lang === 'en'
    ? {
        subject: `${place}: what happened`,
        body: `Hello, ${whom}:\n\nAt ${place}:\n${list}\n\nSee it in the portal: ${page}\nWhat you are told of you choose at ${page}/settings/notifications\n`,
      }
    : {
        subject: `${place}: novedades`,
        body: `Hola, ${whom}:\n\nEn ${place}:\n${list}\n\nMiralo en el portal: ${page}\nQué avisos recibís se elige en ${page}/settings/notifications\n`,
      };
}
