import { Pager, Section } from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { moneyText } from '../../../platform/pages/format.ts';
import type { Lang } from '../../../platform/pages/model.ts';
import type { Preview } from '../../../rails/index.ts';
import { fileLabels } from './labels.ts';
import { fileTexts } from './texts.ts';

type Line = Preview['remarked'][number];

interface RemarkedProps {
  lang: Lang;
  lines: readonly Line[];
  /** Address of the next page. */
  next?: string | undefined;
  first?: string | undefined;
  note?: string | undefined;
}

const remarksOf = (lang: Lang, { remarks, note, reject_code: code }: Line): string =>
  [
    ...remarks.map((remark) => fileLabels[lang].remarks[remark]),
    ...[[code, note].filter(Boolean).join(': ')].filter(Boolean),
  ].join('; ');

/** Lists lines that the operator should check. */
export function Remarked({ lang, lines, next, first, note }: RemarkedProps) {
  const { remarks: texts } = fileTexts[lang];
  return (
    <Section title={texts.title} id="remarks">
      <Table
        lang={lang}
        caption={texts.title}
        captionUnseen
        rows={lines}
        empty={<p>{texts.none}</p>}
        columns={[
          {
            key: 'line',
            title: texts.line,
            heads: true,
            cell: (one) => `${texts.line} ${one.line}`,
          },
          { key: 'what', title: texts.what, cell: (one) => fileLabels[lang].outcomes[one.outcome] },
          { key: 'remark', title: texts.remark, cell: (one) => remarksOf(lang, one) },
          {
            key: 'code',
            title: texts.code,
            cell: (one) => <bdi class="code">{one.code || '—'}</bdi>,
          },
          {
            key: 'request',
            title: texts.request,
            cell: (one) =>
              one.request_id === null ? '—' : `${one.account_id ?? ''} · ${one.request_id}`,
          },
          {
            key: 'amount',
            title: texts.amount,
            number: true,
            cell: (one) => moneyText(lang, one.amount),
          },
        ]}
      />
      {note !== undefined && <p>{note}</p>}
      <Pager lang={lang} first={first} next={next} />
    </Section>
  );
}
