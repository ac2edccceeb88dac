import type { ComponentChildren } from 'preact';
import { CopyButton, Notice } from '../../platform/pages/components/parts.tsx';
import { momentText } from '../../platform/pages/format.ts';
import type { WebhookHealth } from '../../webhooks/index.ts';
import type { AccountVisit, Page } from '../frame/index.ts';
import { PageHead } from '../frame/layout.tsx';
import { webhookTexts } from './texts.ts';

export function newWebhookPage({ lang, at }: AccountVisit, form: ComponentChildren): Page {
  const { form: texts, title } = webhookTexts[lang];
  return {
    title: texts.new,
    body: (
      <>
        <PageHead
          title={texts.new}
          lead={texts.lead}
          up={{ href: at('/webhooks'), label: title }}
        />
        {form}
      </>
    ),
  };
}

export function editWebhookPage(
  { lang, at }: AccountVisit,
  { id, url }: Pick<WebhookHealth, 'id' | 'url'>,
  form: ComponentChildren,
): Page {
  const title = webhookTexts[lang].form.edit;
  return {
    title,
    body: (
      <>
        <PageHead title={title} up={{ href: at(`/webhooks/${id}`), label: url }} />
        {form}
      </>
    ),
  };
}

interface NewSecret {
  id: number;
  secret: string;
  /** End of the previous secret's overlap. */
  until?: Temporal.Instant | null;
}

/** Renders the only page that shows the secret. */
export function secretPage(
  visit: AccountVisit,
  title: string,
  { id, secret, until }: NewSecret,
): Page {
  const { lang, at } = visit;
  const texts = webhookTexts[lang];
  return {
    title,
    body: (
      <>
        <PageHead title={title} up={{ href: at('/webhooks'), label: texts.title }} />
        <Notice tone="good" title={texts.form.madeLead}>
          <p>
            {texts.form.secret}: <code>{secret}</code>{' '}
            <CopyButton lang={lang} label={texts.form.secret} value={secret} />
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
