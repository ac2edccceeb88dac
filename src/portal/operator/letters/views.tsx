import type { Refusal } from '../../../platform/errors.ts';
import { TextField } from '../../../platform/pages/components/field.tsx';
import { Form } from '../../../platform/pages/components/form.tsx';
import {
  EmptyState,
  Facts,
  Notice,
  Pager,
  Section,
} from '../../../platform/pages/components/parts.tsx';
import { Table } from '../../../platform/pages/components/table.tsx';
import { momentText } from '../../../platform/pages/format.ts';
import type { Page, ServiceVisit } from '../../frame/index.ts';
import { PageHead } from '../../frame/layout.tsx';
import { Told } from '../../frame/told.tsx';
import type { LetterView } from './model.ts';
import { letterTexts } from './texts.ts';

/** Rows of a page. */
export const rowsAtOnce = 50;

/** Letters, oldest first; one more than the page shows, if there are others. */
export function listPage(
  visit: ServiceVisit,
  { rows, all }: { rows: readonly LetterView[]; all: boolean },
): Page {
  const { lang, at, query } = visit;
  const texts = letterTexts[lang];
  const shown = rows.slice(0, rowsAtOnce);
  const last = rows.length > rowsAtOnce ? shown.at(-1) : undefined;
  const here = at(all ? '/letters?all=1' : '/letters');
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          actions={
            <a class="button button-quiet" href={at(all ? '/letters' : '/letters?all=1')}>
              {all ? texts.open : texts.all}
            </a>
          }
        />
        <Table
          lang={lang}
          caption={texts.title}
          captionUnseen
          rows={shown}
          columns={[
            {
              key: 'id',
              title: texts.number,
              heads: true,
              cell: ({ id }) => <a href={at(`/letters/${id}`)}>{id}</a>,
            },
            { key: 'connector', title: texts.connector, cell: (row) => <bdi>{row.connector}</bdi> },
            { key: 'heard', title: texts.heard, cell: (row) => momentText(lang, row.heard_at) },
            { key: 'state', title: texts.state, cell: ({ state }) => texts.states[state] },
          ]}
          empty={
            <EmptyState title={texts.empty}>
              <p>{texts.emptyWhy}</p>
            </EmptyState>
          }
        />
        <Pager
          lang={lang}
          first={query.has('after') ? here : undefined}
          next={last && `${here}${all ? '&' : '?'}after=${last.id}`}
        />
      </>
    ),
  };
}

function Decide({ visit, letter, note }: { visit: ServiceVisit } & Shown) {
  const { lang, at } = visit;
  const texts = letterTexts[lang];
  const replay = at(`/letters/${letter.id}/replay`);
  const discard = at(`/letters/${letter.id}/discard`);
  const fault = note === undefined ? undefined : texts.noteFault;
  return (
    <>
      <Section title={texts.replay} id="replay">
        <p>{texts.replayLead}</p>
        <Form lang={lang} action={replay} token={visit.token(replay)} submit={texts.replaySubmit} />
      </Section>
      <Section title={texts.discard} id="discard">
        <Form
          lang={lang}
          action={discard}
          token={visit.token(discard)}
          submit={texts.discardSubmit}
          faults={fault === undefined ? [] : [{ field: 'note', label: texts.note, text: fault }]}
          grave
        >
          <TextField
            lang={lang}
            name="note"
            label={texts.note}
            value={note ?? ''}
            fault={fault}
            maxLength={255}
            required
          />
        </Form>
      </Section>
    </>
  );
}

interface Shown {
  letter: LetterView;
  /** A reason that was no line of text. */
  note?: string;
  refusal?: Refusal;
}

/** One letter, with the forms that decide on it. */
export function onePage(visit: ServiceVisit, shown: Shown): Page {
  const { lang, at } = visit;
  const { letter, note, refusal } = shown;
  const texts = letterTexts[lang];
  return {
    title: texts.one({ id: letter.id }),
    status: refusal?.status ?? (note === undefined ? 200 : 400),
    body: (
      <>
        <PageHead
          title={texts.one({ id: letter.id })}
          up={{ href: at('/letters'), label: texts.title }}
        />
        {refusal && (
          <Notice tone="bad">
            <p>
              <Told lang={lang}>{refusal}</Told>
            </p>
          </Notice>
        )}
        <Facts
          items={[
            [texts.connector, <bdi>{letter.connector}</bdi>],
            [texts.heard, momentText(lang, letter.heard_at)],
            [texts.state, texts.states[letter.state]],
            [
              texts.fault,
              <code class="code" lang="en">
                {letter.fault}
              </code>,
            ],
            [texts.body, <code class="code">{letter.body}</code>],
            ...(letter.decided_at === null
              ? []
              : ([
                  [texts.decided, momentText(lang, letter.decided_at)],
                  [texts.by, <bdi>{letter.decided_by}</bdi>],
                  [texts.note, <bdi>{letter.note}</bdi>],
                ] as const)),
          ]}
        />
        {letter.state === 'open' && visit.may('alarms.close') && (
          <Decide visit={visit} {...shown} />
        )}
      </>
    ),
  };
}
