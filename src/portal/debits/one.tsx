import {
  type DebitView,
  debitCanceling,
  endOfRun,
  type RefusalWords,
  type RunView,
  refusalWords,
} from '../../debit-requests/index.ts';
import type { MandateRow } from '../../mandates/index.ts';
import {
  Badge,
  Facts,
  Notice,
  Section,
  type Tone,
} from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { dayText, momentText, moneyText, paidText } from '../../platform/pages/format.ts';
import type { DisputeView } from '../disputes/model.ts';
import { Disputes } from '../disputes/table.tsx';
import { threeDsName, threeDsText } from '../disputes/three-ds.ts';
import { OperationLink } from '../frame/declared.tsx';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { RequestBadge } from '../frame/states.tsx';
import { HistoryLink } from '../history/views.tsx';
import { instrumentText } from '../mandates/list.tsx';
import { mandatePath } from '../mandates/places.ts';
import { lastRefusal } from './table.tsx';
import { debitTexts } from './texts.ts';

export interface OneModel extends DebitView {
  mandate: MandateRow;
  /** Current and past disputes of the debit's payments. */
  disputes: readonly DisputeView[];
  /** Time of the business clock. */
  now: Temporal.Instant;
}

export function onePage(visit: AccountVisit, model: OneModel): Page {
  const { lang, at } = visit;
  const { row } = model;
  const texts = debitTexts[lang];
  return {
    title: row.payer,
    body: (
      <>
        <PageHead
          title={row.payer}
          lead={
            <>
              <RequestBadge lang={lang} state={row.state} /> {texts.kinds[row.kind]} · {row.id}
            </>
          }
          up={{ href: at('/debits'), label: texts.title }}
          actions={
            <>
              <HistoryLink visit={visit} path={`/debits/${row.id}`} />
              {row.state === 'pending' && (
                <OperationLink
                  visit={visit}
                  of={debitCanceling}
                  path={`/debits/${row.id}/cancel`}
                />
              )}
            </>
          }
        />
        <Reason visit={visit} model={model} />
        <Facts items={factsOf(visit, model)} />
        <Disputes lang={lang} now={model.now} rows={model.disputes} />
        <Runs visit={visit} model={model} />
      </>
    ),
  };
}

type PartProps = { visit: AccountVisit; model: OneModel };

/** Returns the bank's latest code for an undecided debit, or null. */
const notFinal = ({ row, runs }: OneModel): string | null =>
  row.state === 'in_process' || row.state === 'pending'
    ? (runs.findLast(({ code }) => code !== null)?.code ?? null)
    : null;

/** Explains the state, with advice. */
function Reason({ visit: { lang }, model }: PartProps) {
  const texts = debitTexts[lang];
  const refusal = lastRefusal(model);
  if (refusal !== null) {
    const words = refusalWords(lang, refusal);
    return (
      <Refusal
        tone="bad"
        title={texts.refused({ reason: words.reason })}
        words={words}
        label={texts.code}
      />
    );
  }
  const code = notFinal(model);
  if (code !== null) {
    const words = refusalWords(lang, { code });
    // While the second run is pending, do not suggest a new debit: both might be collected.
    const second = model.runs.find(({ no, state }) => no === 2 && state !== 'done');
    const refusal = second
      ? { ...words, advice: texts.again({ day: dayText(lang, second.run_on) }) }
      : words;
    return (
      <Refusal
        tone="wait"
        title={texts.goesOn({ reason: words.reason })}
        words={refusal}
        label={texts.code}
      />
    );
  }
  if (model.row.state === 'reverted') {
    return <Notice tone="bad" text={texts.reversed} />;
  }
  return model.row.state === 'canceled' ? <Notice tone="calm" text={texts.canceledBy} /> : null;
}

type RefusalProps = { tone: Tone; title: string; words: RefusalWords; label: string };

function Refusal({ tone, title, words: { code, advice }, label }: RefusalProps) {
  return (
    <Notice tone={tone} title={title}>
      <p>{advice}</p>
      {code !== null && (
        <p>
          {label} <code>{code}</code>
        </p>
      )}
    </Notice>
  );
}

const dueText = (
  lang: AccountVisit['lang'],
  day: Temporal.PlainDate,
  amount: OneModel['row']['total1'],
): string => `${dayText(lang, day)}, ${moneyText(lang, amount)}`;

function factsOf({ lang, at }: AccountVisit, { row, mandate, results }: OneModel) {
  const { facts: texts } = debitTexts[lang];
  const { due1, total1, due2, total2, details } = row;
  const paid = results.findLast(({ type }) => type === 'collected');
  const secured = paid?.details.payment_metadata?.three_ds;
  const bdi = (text: string) => <bdi>{text}</bdi>;
  const dues =
    row.kind === 'debit_request'
      ? [
          [texts.first, dueText(lang, due1, total1)] as const,
          due2 !== null &&
            total2 !== null &&
            ([texts.second, dueText(lang, due2, total2)] as const),
        ]
      : [
          [texts.period, `${details.month}/${details.year}`] as const,
          [texts.amount, moneyText(lang, total1)] as const,
        ];
  return [
    ...dues,
    [
      texts.mandate,
      <a key="mandate" href={at(mandatePath(mandate))}>
        <bdi>{mandate.holder}</bdi>, {instrumentText(lang, mandate)}
      </a>,
    ] as const,
    [texts.description, bdi(row.description)] as const,
    row.reference !== null && ([texts.reference, bdi(row.reference)] as const),
    [texts.created, momentText(lang, row.created_at)] as const,
    paid !== undefined && ([texts.paid, paidText(lang, paid.paid_at)] as const),
    secured !== undefined && ([threeDsName, threeDsText(lang, secured)] as const),
    paid?.available_on != null && ([texts.available, dayText(lang, paid.available_on)] as const),
  ].filter((one) => one !== false);
}

const tones: Record<RunView['state'] | 'collected' | 'rejected', Tone> = {
  waiting: 'wait',
  submitted: 'wait',
  done: 'calm',
  collected: 'good',
  rejected: 'bad',
};

function Runs({ visit: { lang }, model }: PartProps) {
  const { runs: texts } = debitTexts[lang];
  const outcome = (run: RunView) => {
    const end = endOfRun(run, model.results);
    const how = end?.type === 'collected' || end?.type === 'rejected' ? end.type : run.state;
    const why = end?.type === 'rejected' ? refusalWords(lang, end.details).reason : null;
    return (
      <>
        <Badge tone={tones[how]}>{texts.outcomes[how]}</Badge> {why !== null && <bdi>{why}</bdi>}
      </>
    );
  };
  return (
    <Section title={texts.title} id="runs">
      <Table
        lang={lang}
        caption={texts.caption}
        captionUnseen
        rows={model.runs}
        empty={null}
        columns={[
          { key: 'no', title: texts.no, heads: true, cell: ({ no }: RunView) => no },
          {
            key: 'submit',
            title: texts.submit,
            cell: ({ submit_on: day }) => dayText(lang, day),
          },
          { key: 'run', title: texts.run, cell: ({ run_on: day }) => dayText(lang, day) },
          { key: 'outcome', title: texts.outcome, cell: outcome },
          {
            key: 'amount',
            title: texts.amount,
            number: true,
            cell: ({ amount }) => moneyText(lang, amount),
          },
        ]}
      />
    </Section>
  );
}
