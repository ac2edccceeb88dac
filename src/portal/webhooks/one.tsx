import type { ComponentChildren } from 'preact';
import {
  Badge,
  EmptyState,
  Facts,
  Notice,
  Pager,
  Section,
  type Tone,
} from '../../platform/pages/components/parts.tsx';
import { Table, type TableColumn } from '../../platform/pages/components/table.tsx';
import { momentText } from '../../platform/pages/format.ts';
import {
  type DeliveryRow,
  type SentEvent,
  type TestResult,
  typeNames,
  type Waiting,
  type WebhookHealth,
} from '../../webhooks/index.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { eventText } from './events.ts';
import { answerText, HealthBadge, isPaused } from './list.tsx';
import { webhookTexts } from './texts.ts';

const tones: Record<DeliveryRow['state'], Tone> = {
  pending: 'wait',
  delivered: 'good',
  failed: 'bad',
};

export function DeliveryBadge({
  visit,
  state,
}: {
  visit: AccountVisit;
  state: SentEvent['state'];
}) {
  return <Badge tone={tones[state]}>{webhookTexts[visit.lang].delivery[state]}</Badge>;
}

export interface OneModel {
  hook: WebhookHealth;
  now: Temporal.Instant;
  sent: readonly SentEvent[];
  /** Cursor of the next page of deliveries. */
  next: string | null;
  isFirst: boolean;
  waiting: Waiting;
  /** Result of the test just made. */
  tested?: TestResult;
  forms: ComponentChildren;
}

export function webhookPage(visit: AccountVisit, model: OneModel): Page {
  const { lang, at } = visit;
  const { hook, tested, sent } = model;
  const texts = webhookTexts[lang];
  const { one } = texts;
  return {
    title: hook.url,
    body: (
      <>
        <PageHead
          title={hook.url}
          up={{ href: at('/webhooks'), label: texts.title }}
          actions={visit.may('webhooks.manage') ? <Actions visit={visit} {...model} /> : undefined}
        />
        {hook.held_at !== null && (
          <Notice
            tone="wait"
            title={texts.heldSince({ moment: momentText(lang, hook.held_at) })}
            text={one.heldWhy}
          />
        )}
        {tested && (
          <Notice
            tone={tested.accepted ? 'good' : 'bad'}
            title={tested.accepted ? texts.tested.accepted : texts.tested.refused}
          >
            <p>
              {answerText(lang, tested)}. {!tested.accepted && texts.tested.lead}
            </p>
          </Notice>
        )}
        <Facts items={factsOf(visit, model)} />
        <Section id="told" title={one.told}>
          <Table
            lang={lang}
            caption={one.told}
            captionUnseen
            rows={sent}
            empty={<EmptyState title={one.toldNone} text={one.toldNoneWhy} />}
            columns={sentColumns(visit, hook.id)}
          />
          <Pager
            lang={lang}
            first={model.isFirst ? undefined : at(`/webhooks/${hook.id}`)}
            next={model.next ?? undefined}
          />
        </Section>
      </>
    ),
  };
}

function Actions({ visit, hook, forms }: OneModel & { visit: AccountVisit }) {
  const { one } = webhookTexts[visit.lang];
  return (
    <>
      {forms}
      <a class="button button-quiet" href={visit.at(`/webhooks/${hook.id}/edit`)}>
        {one.edit}
      </a>
      <a class="button button-quiet" href={visit.at(`/webhooks/${hook.id}/rotate`)}>
        {one.rotate}
      </a>
      <a class="button button-quiet" href={visit.at(`/webhooks/${hook.id}/remove`)}>
        {one.remove}
      </a>
    </>
  );
}

function factsOf({ lang }: AccountVisit, { hook, now, waiting }: OneModel) {
  const texts = webhookTexts[lang];
  const { one } = texts;
  const moment = (instant: Temporal.Instant) => momentText(lang, instant);
  const count = `${waiting.count.toLocaleString(lang === 'es' ? 'es-AR' : 'en')}`;
  const paused = isPaused(hook, now) && hook.paused_until !== null ? hook.paused_until : null;
  return [
    [
      one.state,
      <>
        <HealthBadge lang={lang} hook={hook} now={now} />{' '}
        {hook.failures > 0 && texts.failures({ count: hook.failures })}{' '}
        {hook.isFailing &&
          hook.held_at === null &&
          (paused ? texts.pausedUntil({ moment: moment(paused) }) : texts.probed)}
      </>,
    ],
    [
      one.events,
      typeNames(hook.event_types)
        .map((name) => eventText(lang, name))
        .join(' · '),
    ],
    [one.created, moment(hook.created_at)],
    [one.secret, `${one.secretSince} ${moment(hook.rotated_at ?? hook.created_at)}`],
    [
      one.waiting,
      waiting.count === 0
        ? one.waitingNone
        : texts.waiting({
            count: waiting.isMore ? `> ${count}` : count,
            next: waiting.next === null ? 'none' : moment(waiting.next),
          }),
    ],
  ] as const;
}

function sentColumns({ lang, at, ...visit }: AccountVisit, id: number): TableColumn<SentEvent>[] {
  const { told: titles } = webhookTexts[lang];
  return [
    {
      key: 'event',
      title: titles.event,
      heads: true,
      cell: (row) => (
        <a href={at(`/webhooks/${id}/events/${row.event_id}`)}>{eventText(lang, row.type)}</a>
      ),
    },
    { key: 'of', title: titles.of, cell: (row) => <span class="code">{row.entity_id}</span> },
    { key: 'answer', title: titles.answer, cell: (row) => answerText(lang, row.last) },
    { key: 'tries', title: titles.tries, number: true, cell: (row) => row.last.no },
    { key: 'when', title: titles.when, cell: (row) => momentText(lang, row.last.at) },
    {
      key: 'state',
      title: titles.state,
      cell: (row) => <DeliveryBadge visit={{ lang, at, ...visit }} state={row.state} />,
    },
  ];
}
