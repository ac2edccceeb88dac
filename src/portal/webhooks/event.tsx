import type { ComponentChildren } from 'preact';
import { EmptyState, Facts, Notice, Section } from '../../platform/pages/components/parts.tsx';
import { Table } from '../../platform/pages/components/table.tsx';
import { momentText } from '../../platform/pages/format.ts';
import type { SentEventDetail, WebhookHealth } from '../../webhooks/index.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { eventText } from './events.ts';
import { answerText } from './list.tsx';
import { DeliveryBadge } from './one.tsx';
import { webhookTexts } from './texts.ts';

interface EventModel extends SentEventDetail {
  hook: WebhookHealth;
  /** True if it was just queued again. */
  resent: boolean;
  /** The button that resends it. */
  form: ComponentChildren;
}

export function eventPage(visit: AccountVisit, model: EventModel): Page {
  const { lang, at } = visit;
  const { hook, event, body, delivery, resent, form } = model;
  const texts = webhookTexts[lang];
  const { event: words, told } = texts;
  return {
    title: words.title,
    body: (
      <>
        <PageHead
          title={eventText(lang, event.type)}
          up={{ href: at(`/webhooks/${hook.id}`), label: hook.url }}
          actions={form || undefined}
        />
        {resent && <Notice tone="good" title={words.resent} />}
        <Facts
          items={[
            [texts.columns.state, <DeliveryBadge visit={visit} state={delivery.state} />],
            [told.of, <span class="code">{event.entity_id}</span>],
            ...(delivery.next_at === null
              ? []
              : [[words.next, momentText(lang, delivery.next_at)] as const]),
          ]}
        />
        <Section id="attempts" title={words.attempts}>
          <Table
            lang={lang}
            caption={words.attempts}
            captionUnseen
            rows={delivery.attempts}
            empty={<EmptyState title={words.none} />}
            columns={[
              { key: 'no', title: words.no, number: true, cell: ({ no }) => no },
              {
                key: 'when',
                title: words.when,
                heads: true,
                cell: (attempt) => momentText(lang, attempt.at),
              },
              {
                key: 'answer',
                title: told.answer,
                cell: (attempt) => answerText(lang, attempt),
              },
            ]}
          />
        </Section>
        <Section id="body" title={words.body}>
          <pre class="program">
            <code>{JSON.stringify(body, null, 2)}</code>
          </pre>
        </Section>
      </>
    ),
  };
}
