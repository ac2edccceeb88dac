import { type DisputeRow, type DisputeState, undecidedStates } from '../../money/disputes/index.ts';
import { Badge, Section, type Tone } from '../../platform/pages/components/parts.tsx';
import { Table, type TableColumn } from '../../platform/pages/components/table.tsx';
import { momentText, moneyText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { DisputeView } from './model.ts';
import { disputeTexts } from './texts.ts';
import { liabilityText, threeDsName } from './three-ds.ts';

const tones: Readonly<Record<DisputeState, Tone>> = {
  opened: 'wait',
  evidence_due: 'bad',
  won: 'good',
  lost: 'bad',
  partial: 'calm',
  reversed: 'good',
};

interface TableContext {
  lang: Lang;
  now: Temporal.Instant;
}

function Deadline({ lang, now, row }: TableContext & { row: DisputeRow }) {
  const { evidence_due_at: due, state } = row;
  if (due === null) return <>—</>;
  const isLate = undecidedStates.includes(state) && Temporal.Instant.compare(due, now) < 0;
  return (
    <>
      <span class="whole">{momentText(lang, due)}</span>
      {isLate && <span class="aside">{disputeTexts[lang].past}</span>}
    </>
  );
}

/** Returns the columns about disputes. Callers put their own before them. */
export function disputeColumns({ lang, now }: TableContext): TableColumn<DisputeView>[] {
  const texts = disputeTexts[lang];
  return [
    {
      key: 'state',
      title: texts.state,
      cell: ({ state }) => <Badge tone={tones[state]}>{texts.states[state]}</Badge>,
    },
    {
      key: 'liability',
      title: threeDsName,
      cell: ({ three_ds: threeDs }) => (threeDs === null ? '—' : liabilityText(lang, threeDs)),
    },
    {
      key: 'due',
      title: texts.due,
      cell: (row) => <Deadline lang={lang} now={now} row={row} />,
    },
    {
      key: 'amount',
      title: texts.amount,
      number: true,
      cell: ({ amount }) => moneyText(lang, amount),
    },
    { key: 'taken', title: texts.taken, number: true, cell: ({ taken }) => moneyText(lang, taken) },
    { key: 'opened', title: texts.opened, cell: (row) => momentText(lang, row.opened_at) },
    {
      key: 'reason',
      title: texts.reason,
      cell: ({ reason }) => (reason === null ? '—' : <bdi>{reason}</bdi>),
    },
  ];
}

/** Renders the disputes of a request, or nothing if it has none. */
export function Disputes({ lang, now, rows }: TableContext & { rows: readonly DisputeView[] }) {
  const { title } = disputeTexts[lang];
  if (rows.length === 0) return null;
  const [state, ...others] = disputeColumns({ lang, now });
  return (
    <Section id="disputes" title={title}>
      <Table
        lang={lang}
        caption={title}
        captionUnseen
        columns={[...(state ? [{ ...state, heads: true }] : []), ...others]}
        rows={rows}
        empty={null}
      />
    </Section>
  );
}
