import type { ComponentChildren } from 'preact';
import type { Base, Ctx } from '../../platform/base.ts';
import type { Clocks } from '../../platform/clocks.ts';
import {
  eventResending,
  type SentEventDetail,
  secretFormValues,
  type TestResult,
  type WebhookHealth,
  type WebhookInput,
  type WebhookVerbs,
  webhookCreating,
  webhookEditing,
  webhookFormValues,
  webhookPausing,
  webhookRemoving,
  webhookResuming,
  webhookRotating,
  webhookTesting,
} from '../../webhooks/index.ts';
import {
  type AccountVisit,
  ctxOf,
  idIn,
  numberIn,
  type Page,
  type Portal,
  portalRefusal,
} from '../frame/index.ts';
import { type OperationForm, operationForm, operationPages } from '../frame/operation.tsx';
import { seenIn } from '../frame/overtaken.tsx';
import { eventPage } from './event.tsx';
import { eventOffer, eventText } from './events.ts';
import { editWebhookPage, newWebhookPage, secretPage } from './forms.tsx';
import { webhooksPage } from './list.tsx';
import { webhookPage } from './one.tsx';
import { webhookTexts } from './texts.ts';

export interface WebhookParts {
  base: Base;
  hooks: Pick<WebhookVerbs, 'edit' | 'rotate' | 'sentEvents' | 'find'> & {
    list(accountId: string): Promise<WebhookHealth[]>;
    /** Generates an id, with which a webhook is created only once. */
    draw(): Promise<number>;
    create(
      ctx: Ctx,
      hook: WebhookInput & { draft: number },
    ): Promise<{ id: number; secret: string }>;
    test(ctx: Ctx, id: number): Promise<TestResult>;
  };
  clocks: Clocks;
}

const eventsAtOnce = 25;

async function hookOf(
  { hooks }: WebhookParts,
  visit: AccountVisit,
  id: number | null = idIn(visit),
): Promise<WebhookHealth> {
  const hook = (await hooks.list(visit.account.id)).find((one) => one.id === id);
  if (!hook) throw portalRefusal('page.not_found', {});
  return hook;
}

async function readOne(parts: WebhookParts, visit: AccountVisit, tested?: TestResult) {
  const hook = await hookOf(parts, visit);
  const behind = numberIn(visit.query.get('behind') ?? '');
  const page = { behind, limit: eventsAtOnce + 1 };
  const { events, waiting } = await parts.hooks.sentEvents(ctxOf(visit), hook.id, page);
  const pageRows = events.slice(0, eventsAtOnce);
  const last = events.length > eventsAtOnce ? pageRows.at(-1) : undefined;
  return {
    hook,
    now: parts.clocks.wall.now(),
    sent: pageRows,
    next: last ? visit.at(`/webhooks/${hook.id}?behind=${last.event_id}`) : null,
    isFirst: behind === null,
    waiting,
    ...(tested && { tested }),
  };
}

const sentEvent = async (parts: WebhookParts, visit: AccountVisit) => {
  const hook = await hookOf(parts, visit, numberIn(visit.params.webhook_id));
  const eventId = idIn(visit);
  const found: SentEventDetail = await parts.hooks.find(ctxOf(visit), {
    webhookId: hook.id,
    eventId,
  });
  return { hook, ...found };
};

const see = 'integrations.see';

/** Serves the forms that create and remove webhooks, and replace their secrets. */
function formPages(portal: Portal, parts: WebhookParts): void {
  const subject = async (visit: AccountVisit) => (await hookOf(parts, visit)).url;
  const back = (visit: AccountVisit) => visit.at(`/webhooks/${idIn(visit)}`);
  operationPages(portal, webhookCreating, {
    // The form's token is bound to this address, so drafts cannot be forged.
    path: '/webhooks/:key/create',
    on: { path: '/webhooks/new', act: 'webhooks.manage' },
    once: () => parts.hooks.draw(),
    verbOf:
      ({ params }) =>
      (ctx, input) =>
        parts.hooks.create(ctx, { ...input, draft: numberIn(params.key) ?? 0 }),
    choices: async ({ lang }) => ({ event_types: eventOffer(lang) }),
    back: ({ at }) => at('/webhooks'),
    page: async (visit, form) => newWebhookPage(visit, form),
    done: (visit, made) => secretPage(visit, webhookTexts[visit.lang].form.made, made),
  });
  const values = async (visit: AccountVisit) => webhookFormValues(await hookOf(parts, visit));
  operationPages(portal, webhookEditing, {
    path: '/webhooks/:id/edit',
    needs: ['url', 'event_types'],
    verbOf:
      ({ posted }) =>
      (ctx, change) =>
        parts.hooks.edit(ctx, { ...change, seen: seenIn(posted).seen }),
    initial: values,
    current: {
      read: values,
      shows: (lang) => ({
        event_types: (text) =>
          text
            .split(',')
            .map((name) => eventText(lang, name))
            .join(' · '),
      }),
    },
    choices: async ({ lang }) => ({ event_types: eventOffer(lang) }),
    back,
    page: async (visit, form) => editWebhookPage(visit, await hookOf(parts, visit), form),
  });
  operationPages(portal, webhookRotating, {
    path: '/webhooks/:id/rotate',
    verbOf:
      ({ posted }) =>
      (ctx, rotate) =>
        parts.hooks.rotate(ctx, { ...rotate, seen: seenIn(posted).seen }),
    initial: async () => ({ revoke_now: 'false' }),
    // A reload of the page with the new secret must not replace that secret.
    current: {
      read: async (visit) => secretFormValues(await hookOf(parts, visit)),
      labels: (lang) => ({ secret_no: webhookTexts[lang].one.secret }),
      shows: (lang) => ({ secret_no: (no) => `${webhookTexts[lang].event.no} ${no}` }),
    },
    choices: async ({ lang }) => {
      const { overlap, overlapHint, now, nowHint } = webhookTexts[lang].rotate;
      const choices = [
        { value: 'false', label: overlap, hint: overlapHint },
        { value: 'true', label: now, hint: nowHint },
      ];
      return { revoke_now: { groups: [{ name: 'revoke_now', choices }] } };
    },
    back,
    subject,
    done: (visit, { row: { id }, secret, previousUntil: until }) =>
      secretPage(visit, webhookTexts[visit.lang].rotate.done, { id, secret, until }),
  });
  operationPages(portal, webhookRemoving, {
    path: '/webhooks/:id/remove',
    verbOf: () => parts.base,
    grave: true,
    back,
    subject,
    done: ({ at }) => ({ to: at('/webhooks') }),
  });
}

/** Serves a webhook's page, with the buttons that need no separate page. */
function onePages(portal: Portal, parts: WebhookParts): void {
  const path = '/webhooks/:id';
  async function show(visit: AccountVisit, tested?: TestResult): Promise<Page> {
    const model = await readOne(parts, visit, tested);
    const hold = model.hook.held_at === null ? pausing : resuming;
    const forms = [await testing.form(visit), await hold.form(visit)];
    return webhookPage(visit, { ...model, forms });
  }
  const common = {
    on: { path, act: see },
    page: (visit: AccountVisit) => show(visit),
  } as const;
  const holding = {
    ...common,
    verbOf: () => parts.base,
  };
  type Managing = OperationForm<'webhooks.manage'>;
  const pausing: Managing = operationForm(portal, webhookPausing, {
    ...holding,
    path: `${path}/pause`,
  });
  const resuming: Managing = operationForm(portal, webhookResuming, {
    ...holding,
    path: `${path}/resume`,
  });
  const testing: Managing = operationForm(portal, webhookTesting, {
    ...common,
    path: `${path}/test`,
    verbOf: () => parts.hooks.test,
    done: show,
  });
  portal.page({ act: see, path, read: (visit) => show(visit) });
}

function eventPages(portal: Portal, parts: WebhookParts): void {
  const path = '/webhooks/:webhook_id/events/:id';
  const show = async (visit: AccountVisit, form: ComponentChildren): Promise<Page> =>
    eventPage(visit, {
      ...(await sentEvent(parts, visit)),
      resent: visit.query.has('resent'),
      form,
    });
  const resending = operationForm(portal, eventResending, {
    path: `${path}/resend`,
    on: { path, act: see },
    verbOf: () => parts.base,
    page: show,
    done: ({ at, params }) => ({
      to: at(`/webhooks/${params.webhook_id}/events/${params.id}?resent=1`),
    }),
  });
  portal.page({
    act: see,
    path,
    read: async (visit) => await show(visit, await resending.form(visit)),
  });
}

/** Serves the account's webhooks: subscriptions, health, and actions. */
export function webhookPages(portal: Portal, parts: WebhookParts): void {
  portal.page({
    act: see,
    path: '/webhooks',
    read: async (visit) =>
      webhooksPage(visit, {
        hooks: await parts.hooks.list(visit.account.id),
        now: parts.clocks.wall.now(),
      }),
  });
  formPages(portal, parts);
  onePages(portal, parts);
  eventPages(portal, parts);
}
