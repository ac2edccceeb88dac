import { ChoicesField, TextField } from '../../platform/pages/components/field.tsx';
import { type FieldFault, Form, faultIn, statusOf } from '../../platform/pages/components/form.tsx';
import { Notice } from '../../platform/pages/components/parts.tsx';
import { momentText } from '../../platform/pages/format.ts';
import type { WebhookHealth } from '../../webhooks/index.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { eventGroups } from './events.ts';
import { webhookTexts } from './texts.ts';

export interface HookDraft {
  /** A webhook is made of each once. */
  draft: number;
  url: string;
  types: readonly string[];
  faults: readonly FieldFault[];
  /** The account has as many as it may. */
  full?: boolean;
}

export function newWebhookPage(visit: AccountVisit, model: HookDraft): Page {
  const { lang, at, token } = visit;
  const { form: texts, title } = webhookTexts[lang];
  const action = at(`/webhooks/${model.draft}/create`);
  const faultOf = faultIn(model.faults);
  return {
    title: texts.new,
    status: model.full ? 409 : statusOf(model.faults),
    body: (
      <>
        <PageHead
          title={texts.new}
          lead={texts.lead}
          up={{ href: at('/webhooks'), label: title }}
        />
        {model.full && <Notice tone="bad" title={texts.full} />}
        <Form
          lang={lang}
          action={action}
          token={token(action)}
          faults={model.faults}
          submit={texts.create}
          back={at('/webhooks')}
        >
          <TextField
            lang={lang}
            name="url"
            type="url"
            label={texts.url}
            hint={texts.urlHint}
            value={model.url}
            fault={faultOf('url')}
            maxLength={2048}
          />
          <div class="columns">
            {eventGroups(lang).map(({ entity, label, choices }, index) => (
              <ChoicesField
                key={entity}
                lang={lang}
                name="event_types"
                id={index === 0 ? 'event_types' : `event_types-${entity}`}
                label={`${texts.types}: ${label}`}
                kind="checkbox"
                fault={index === 0 ? faultOf('event_types') : undefined}
                choices={choices}
                values={model.types}
              />
            ))}
          </div>
        </Form>
      </>
    ),
  };
}

interface Shown {
  id: number;
  secret: string;
  /** Until when the one before signs too. */
  until?: Temporal.Instant | null;
}

/** The secret, on the one page that shows it. */
export function secretPage(visit: AccountVisit, title: string, { id, secret, until }: Shown): Page {
  const { lang, at } = visit;
  const texts = webhookTexts[lang];
  return {
    title,
    body: (
      <>
        <PageHead title={title} up={{ href: at('/webhooks'), label: texts.title }} />
        <Notice tone="good" title={texts.form.madeLead}>
          <p>
            {texts.form.secret}: <code>{secret}</code>
          </p>
          {until && <p>{texts.until({ moment: momentText(lang, until) })}</p>}
        </Notice>
        <p>
          <a href={at(`/webhooks/${id}`)}>{texts.form.back}</a>
        </p>
      </>
    ),
  };
}

export function rotatePage(visit: AccountVisit, { id, url }: WebhookHealth): Page {
  const { lang, at, token } = visit;
  const { rotate: texts } = webhookTexts[lang];
  const action = at(`/webhooks/${id}/rotate`);
  return {
    title: texts.title,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} />
        <p class="code">{url}</p>
        <Form
          lang={lang}
          action={action}
          token={token(action)}
          submit={texts.submit}
          back={at(`/webhooks/${id}`)}
        >
          <ChoicesField
            lang={lang}
            name="before"
            label={texts.how}
            kind="radio"
            choices={[
              { value: 'overlap', label: texts.overlap, hint: texts.overlapHint },
              { value: 'now', label: texts.now, hint: texts.nowHint },
            ]}
            values={['overlap']}
          />
        </Form>
      </>
    ),
  };
}

export function removePage(visit: AccountVisit, { id, url }: WebhookHealth): Page {
  const { lang, at, token } = visit;
  const { remove: texts, one } = webhookTexts[lang];
  const action = at(`/webhooks/${id}/remove`);
  return {
    title: texts.title,
    body: (
      <>
        <PageHead title={texts.title} lead={texts.lead} />
        <p class="code">{url}</p>
        <Form
          lang={lang}
          action={action}
          token={token(action)}
          submit={one.remove}
          back={at(`/webhooks/${id}`)}
          grave
        />
      </>
    ),
  };
}
