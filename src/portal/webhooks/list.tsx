import { Badge, EmptyState } from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { momentText } from '../../platform/pages/format.ts';
import type { Lang } from '../../platform/pages/model.ts';
import type { WebhookHealth } from '../../webhooks/index.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { integrationTexts } from '../integrations/texts.ts';
import { eventCount } from './events.ts';
import { webhookTexts } from './texts.ts';

export const isPaused = (hook: WebhookHealth, now: Temporal.Instant): boolean =>
  hook.paused_until !== null && Temporal.Instant.compare(hook.paused_until, now) > 0;

export function HealthBadge(props: { lang: Lang; hook: WebhookHealth; now: Temporal.Instant }) {
  const { lang, hook, now } = props;
  const { states } = webhookTexts[lang];
  if (hook.held_at !== null) return <Badge tone="wait">{states.held}</Badge>;
  if (hook.failures === 0) return <Badge tone="good">{states.good}</Badge>;
  if (!hook.isFailing) return <Badge tone="wait">{states.shaky}</Badge>;
  return <Badge tone="bad">{isPaused(hook, now) ? states.paused : states.failing}</Badge>;
}

/** Describes the result of an attempt: status and duration, or why there was no response. */
export function answerText(
  lang: Lang,
  { status, error, ms }: { status: number | null; error: string | null; ms?: number },
): string {
  const texts = webhookTexts[lang];
  if (status === null) return error === null ? texts.noAnswer : `${texts.noAnswer}: ${error}`;
  return ms === undefined ? String(status) : texts.answer({ status, ms });
}

interface ListModel {
  hooks: readonly WebhookHealth[];
  now: Temporal.Instant;
}

export function webhooksPage(visit: AccountVisit, { hooks, now }: ListModel): Page {
  const { lang, at } = visit;
  const texts = webhookTexts[lang];
  const { columns } = texts;
  const create = visit.may('webhooks.manage') && visit.account.state !== 'closed' && (
    <a class="button" href={at('/webhooks/new')}>
      {texts.form.new}
    </a>
  );
  return {
    title: texts.title,
    body: (
      <>
        <PageHead
          title={texts.title}
          lead={texts.lead}
          up={{ href: at('/integrations'), label: integrationTexts[lang].title }}
          actions={create || undefined}
        />
        <Table
          lang={lang}
          caption={texts.title}
          captionUnseen
          rows={hooks}
          empty={<EmptyState title={texts.none} text={texts.noneWhy} />}
          columns={[
            {
              key: 'url',
              title: columns.url,
              heads: true,
              cell: ({ id, url }) => (
                <a class="code" href={at(`/webhooks/${id}`)}>
                  {url}
                </a>
              ),
            },
            {
              key: 'events',
              title: columns.events,
              number: true,
              cell: (hook) => eventCount(lang, hook.event_types),
            },
            {
              key: 'last',
              title: columns.last,
              cell: ({ last }) =>
                last === null
                  ? texts.never
                  : `${answerText(lang, last)} · ${momentText(lang, last.at)}`,
            },
            {
              key: 'state',
              title: columns.state,
              cell: (hook) => <HealthBadge lang={lang} hook={hook} now={now} />,
            },
          ]}
        />
      </>
    ),
  };
}
