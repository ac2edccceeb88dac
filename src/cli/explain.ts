import { type Command, Option } from 'commander';
import { lifeJson, operatorReading, readLife, type Story, tellLife } from '../explain/index.ts';
import { formatDay, isoDateTime } from '../kernel/dates.ts';
import { type Language, languages } from '../language/localized-text.ts';
import { withBase } from './command.ts';
import { type Answering, print } from './print.ts';

interface ExplainOptions extends Answering {
  account?: string;
  lang: Language;
}

const whenText = ({ at, day }: Story['sections'][number]['sentences'][number]): string => {
  if (day !== null) return `${formatDay(day)}  `;
  return at === null
    ? ''
    : `${formatDay(at.toZonedDateTimeISO('-03:00').toPlainDate())} ${isoDateTime(at).slice(11, 19)}  `;
};

const storyText = ({ title, sections }: Story): string[] => [
  title,
  ...sections.flatMap((section) => [
    '',
    section.title,
    ...section.sentences.map((sentence) => `  ${whenText(sentence)}${sentence.text}`),
  ]),
];

export function explainCommand(program: Command): void {
  program
    .command('explain')
    .description(
      'show the full history of a payment request, debit or QR: states, books, webhooks, files',
    )
    .argument('<id>', 'the number of a payment request, debit or QR, or the id of a QR')
    .option('--account <id>', 'only if it belongs to this account; a QR id then needs no prefix')
    .addOption(
      new Option('--lang <lang>', 'language of the output').choices(languages).default('en'),
    )
    .option('--json', 'as JSON')
    .action((id: string, options: ExplainOptions) =>
      withBase('explain', async ({ base }) => {
        const life = await readLife(base)(id, options.account ?? null);
        const story = tellLife(life, operatorReading(options.lang));
        print(storyText(story), lifeJson(life), options);
      }),
    );
}
