import type { Ctx } from '../../platform/base.ts';
import type { Clocks } from '../../platform/clocks.ts';
import { Refusal } from '../../platform/errors.ts';
import type { FieldFault } from '../../platform/pages/components/form.tsx';
import type {
  AddressFault,
  TestResult,
  ToldEvent,
  WebhookHealth,
  WebhookVerbs,
} from '../../webhooks/index.ts';
import {
  type AccountVisit,
  type Answer,
  ctxOf,
  numberIn,
  type Page,
  type Portal,
  portalRefusal,
} from '../frame/index.ts';
import { drawnKey } from '../frame/once.ts';
import { eventPage } from './event.tsx';
import { isEventName } from './events.ts';
import { newWebhookPage, removePage, rotatePage, secretPage } from './forms.tsx';
import { webhooksPage } from './list.tsx';
import { webhookPage } from './one.tsx';
import { webhookTexts } from './texts.ts';

export interface WebhookParts {
  hooks: Pick<WebhookVerbs, 'rotate' | 'hold' | 'remove' | 'resend' | 'told' | 'find'> & {
    list(accountId: string): Promise<WebhookHealth[]>;
    /** An id that a webhook is made of once. */
    draw(): Promise<number>;
    create(
      ctx: Ctx,
      hook: { draft: number; url: string; types: readonly string[] },
    ): Promise<{ id: number; secret: string }>;
    addressFault(url: string): Promise<AddressFault | null>;
    test(ctx: Ctx, id: number): Promise<TestResult>;
  };
  clocks: Clocks;
}

const toldAtOnce = 25;
const longestUrl = 2_048;

function idOf({ params }: AccountVisit): number {
  const id = numberIn(params.id);
  if (id === null) throw portalRefusal('page.not_found', {});
  return id;
}

async function hookOf({ hooks }: WebhookParts, visit: AccountVisit): Promise<WebhookHealth> {
  const id = idOf(visit);
  const hook = (await hooks.list(visit.account.id)).find((one) => one.id === id);
  if (!hook) throw portalRefusal('page.not_found', {});
  return hook;
}

async function showOne(
  parts: WebhookParts,
  visit: AccountVisit,
  tested?: TestResult,
): Promise<Page> {
  const hook = await hookOf(parts, visit);
  const behind = numberIn(visit.query.get('behind') ?? '');
  const page = { behind, limit: toldAtOnce + 1 };
  const { told, waiting } = await parts.hooks.told(ctxOf(visit), hook.id, page);
  const shown = told.slice(0, toldAtOnce);
  const last = told.length > toldAtOnce ? shown.at(-1) : undefined;
  return webhookPage(visit, {
    hook,
    now: parts.clocks.wall.now(),
    told: shown,
    next: last ? visit.at(`/webhooks/${hook.id}?behind=${last.event_id}`) : null,
    isFirst: behind === null,
    waiting,
    ...(tested && { tested }),
  });
}

async function faultsOf(
  { hooks }: WebhookParts,
  { lang }: AccountVisit,
  { url, types }: { url: string; types: readonly string[] },
): Promise<FieldFault[]> {
  const texts = webhookTexts[lang];
  const fault = url.length > longestUrl ? 'no_url' : await hooks.addressFault(url);
  return [
    ...(fault === null ? [] : [{ field: 'url', label: texts.form.url, text: texts.faults[fault] }]),
    ...(types.length > 0
      ? []
      : [{ field: 'event_types', label: texts.form.types, text: texts.form.typesFault }]),
  ];
}

const creates =
  (parts: WebhookParts) =>
  async (visit: AccountVisit): Promise<Answer> => {
    const url = (visit.posted.get('url') ?? '').trim();
    const types = visit.posted.getAll('event_types').filter(isEventName);
    const draft = idOf(visit);
    const faults = await faultsOf(parts, visit, { url, types });
    if (faults.length > 0) return newWebhookPage(visit, { draft, url, types, faults });
    try {
      const made = await parts.hooks.create(ctxOf(visit), { draft, url, types });
      return secretPage(visit, webhookTexts[visit.lang].form.made, made);
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
      return newWebhookPage(visit, { draft, url, types, faults, full: true });
    }
  };

const told = async (parts: WebhookParts, visit: AccountVisit) => {
  const hook = await hookOf(parts, visit);
  const eventId = numberIn(visit.params.event);
  if (eventId === null) throw portalRefusal('page.not_found', {});
  const found: ToldEvent = await parts.hooks.find(ctxOf(visit), { webhookId: hook.id, eventId });
  return { hook, ...found };
};

const resends =
  (parts: WebhookParts) =>
  async (visit: AccountVisit): Promise<Answer> => {
    const { hook, event } = await told(parts, visit);
    const here = visit.at(`/webhooks/${hook.id}/events/${event.id}`);
    try {
      await parts.hooks.resend(ctxOf(visit), { eventId: event.id, webhookId: hook.id });
      return { to: `${here}?resent=1` };
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
      return eventPage(visit, { ...(await told(parts, visit)), stillSent: true });
    }
  };

/** Pages of the account's webhooks: subscriptions, health, and acts on them. */
export function webhookPages(portal: Portal, parts: WebhookParts): void {
  const { hooks, clocks } = parts;
  const see = 'integrations.see';
  const manage = 'webhooks.manage';
  portal.page({
    act: see,
    path: '/webhooks',
    read: async (visit) =>
      webhooksPage(visit, { hooks: await hooks.list(visit.account.id), now: clocks.wall.now() }),
  });
  portal.page({
    act: manage,
    path: '/webhooks/new',
    once: () => hooks.draw(),
    read: async (visit) =>
      newWebhookPage(visit, { draft: Number(drawnKey(visit)), url: '', types: [], faults: [] }),
  });
  // The token of the form is of this very address: nobody makes up a draft.
  portal.form({ act: manage, path: '/webhooks/:id/create', does: creates(parts) });
  portal.page({ act: see, path: '/webhooks/:id', read: (visit) => showOne(parts, visit) });
  portal.form({
    act: manage,
    path: '/webhooks/:id/test',
    does: async (visit) => showOne(parts, visit, await hooks.test(ctxOf(visit), idOf(visit))),
  });
  portal.page({
    act: manage,
    path: '/webhooks/:id/rotate',
    read: async (visit) => rotatePage(visit, await hookOf(parts, visit)),
  });
  portal.form({
    act: manage,
    path: '/webhooks/:id/rotate',
    async does(visit) {
      const revokeNow = visit.posted.get('before') === 'now';
      const {
        row,
        secret,
        previousUntil: until,
      } = await hooks.rotate(ctxOf(visit), {
        id: idOf(visit),
        revokeNow,
      });
      const title = webhookTexts[visit.lang].rotate.done;
      return secretPage(visit, title, { id: row.id, secret, until });
    },
  });
  for (const [path, held] of [
    ['/webhooks/:id/pause', true],
    ['/webhooks/:id/resume', false],
  ] as const) {
    portal.form({
      act: manage,
      path,
      async does(visit) {
        const { id } = await hooks.hold(ctxOf(visit), { id: idOf(visit), held });
        return { to: visit.at(`/webhooks/${id}`) };
      },
    });
  }
  portal.page({
    act: manage,
    path: '/webhooks/:id/remove',
    read: async (visit) => removePage(visit, await hookOf(parts, visit)),
  });
  portal.form({
    act: manage,
    path: '/webhooks/:id/remove',
    async does(visit) {
      await hooks.remove(ctxOf(visit), idOf(visit));
      return { to: visit.at('/webhooks') };
    },
  });
  portal.page({
    act: see,
    path: '/webhooks/:id/events/:event',
    read: async (visit) =>
      eventPage(visit, { ...(await told(parts, visit)), resent: visit.query.has('resent') }),
  });
  portal.form({
    act: manage,
    path: '/webhooks/:id/events/:event/resend',
    does: resends(parts),
  });
}
