import {
  type ApiKey,
  addressRanges,
  isPermission,
  type KeyPermission,
  keyRestricting,
  keyRotating,
  type PermissionPreset,
  permissionPresets,
  type Rotated,
} from '../../accounts/index.ts';
import { midnightOf } from '../../kernel/dates.ts';
import { lengthOf } from '../../kernel/text.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Clocks } from '../../platform/clocks.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Links } from '../../platform/links.ts';
import type { FieldFault } from '../../platform/pages/components/form.tsx';
import { faultText } from '../frame/faults.ts';
import { typedDay } from '../frame/filters.tsx';
import {
  type AccountVisit,
  type Answer,
  idIn,
  type Portal,
  portalRefusal,
} from '../frame/index.ts';
import { drawnKey } from '../frame/once.ts';
import { operationPages } from '../frame/operation.tsx';
import { integrationTexts } from './texts.ts';
import { integrationsPage, type KeyDraft, madePage, newKeyPage, revokePage } from './views.tsx';

const overlaps = ['0', '1h', '24h', '7d', '30d'] as const;

/** An account, with its name in emails. */
interface Place {
  id: string;
  name: string;
}

export interface NewPortalKey {
  id: number;
  account: Place;
  name: string;
  permissions: KeyPermission[];
  expiresAt: Temporal.Instant | null;
  ranges: readonly string[];
}

interface NamedKey {
  id: number;
  account: Place;
  name: string;
}

export interface IntegrationParts {
  keys: {
    list(accountId: string): Promise<ApiKey[]>;
    /** Draws the id of a key, so that a repeated form creates one key. */
    draw(): Promise<number>;
    create(actor: Actor, key: NewPortalKey): Promise<string>;
    restrict(actor: Actor, key: NamedKey & { ranges: readonly string[] }): Promise<boolean>;
    rotate(actor: Actor, key: NamedKey & { overlap: number }): Promise<Rotated>;
    revoke(actor: Actor, key: NamedKey): Promise<void>;
  };
  links: Links;
  clocks: Clocks;
  sandbox: boolean;
}

const longestName = 60;

const isPreset = (word: string | null): word is PermissionPreset =>
  word !== null && Object.hasOwn(permissionPresets, word);

interface ReadDraft {
  draft: KeyDraft;
  permissions: KeyPermission[];
  expiresAt: Temporal.Instant | null;
  ranges: readonly string[];
}

function readDraft({ lang, posted, params }: AccountVisit, parts: IntegrationParts): ReadDraft {
  const { keys: texts } = integrationTexts[lang];
  const name = (posted.get('name') ?? '').trim();
  const expires = posted.get('expires') ?? '';
  const ranges = (posted.get('ranges') ?? '').trim();
  const read = ranges === '' ? null : addressRanges.parse(ranges);
  const day = typedDay(expires);
  const permissions = [...new Set(posted.getAll('permissions').filter(isPermission))].filter(
    (one) => parts.sandbox || one !== 'sandbox',
  );
  const expiresAt = day ? midnightOf(day.add({ days: 1 })) : null;
  const isPast =
    expiresAt !== null && Temporal.Instant.compare(expiresAt, parts.clocks.wall.now()) <= 0;
  const found: (FieldFault | false)[] = [
    (name === '' || lengthOf(name) > longestName) && {
      field: 'name',
      label: texts.name,
      text: texts.nameFault,
    },
    permissions.length === 0 && {
      field: 'permissions',
      label: texts.permissions,
      text: texts.permissionsFault,
    },
    (day === undefined || isPast) && {
      field: 'expires',
      label: texts.expires,
      text: texts.expiresFault,
    },
    read?.ok === false && {
      field: 'ranges',
      label: texts.ranges,
      text: faultText(lang, read.errors?.[0] ?? addressRanges.expectation),
    },
  ];
  const faults = found.filter((one) => one !== false);
  const draft = { id: idIn({ params }), name, permissions, expires, ranges, faults };
  return { draft, permissions, expiresAt, ranges: read?.ok ? read.value : [] };
}

const creates =
  (parts: IntegrationParts) =>
  async (visit: AccountVisit): Promise<Answer> => {
    const { draft, ...terms } = readDraft(visit, parts);
    if (draft.faults.length > 0) return newKeyPage(visit, draft, parts.sandbox);
    const { id, name } = draft;
    const { account, actor } = visit;
    try {
      const key = await parts.keys.create(actor, { id, account, name, ...terms });
      return madePage(visit, key);
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'conflict') throw error;
      const known = await parts.keys.list(account.id);
      return known.some((one) => one.id === id)
        ? madePage(visit, null)
        : newKeyPage(visit, { ...draft, full: true }, parts.sandbox);
    }
  };

/** Serves the pages of API keys and the quick start. */
export function integrationPages(portal: Portal, parts: IntegrationParts): void {
  const { keys, clocks, links, sandbox } = parts;
  const keyOf = async ({ account, params }: AccountVisit): Promise<ApiKey> => {
    const key = (await keys.list(account.id)).find(({ id }) => String(id) === params.id);
    if (!key) throw portalRefusal('page.not_found', {});
    return key;
  };
  portal.page({
    act: 'integrations.see',
    path: '/integrations',
    read: async (visit) =>
      integrationsPage(visit, {
        keys: await keys.list(visit.account.id),
        now: clocks.wall.now(),
        origin: links.origin,
        day: clocks.business.today().add({ days: 10 }),
      }),
  });
  portal.page({
    act: 'keys.manage',
    path: '/integrations/keys/new',
    once: () => keys.draw(),
    read: async (visit) => {
      const id = Number(drawnKey(visit));
      const chosen = visit.query.get('preset');
      const preset = isPreset(chosen) ? chosen : 'all';
      const permissions = permissionPresets[preset];
      const draft = { id, name: '', preset, permissions, expires: '', ranges: '', faults: [] };
      return newKeyPage(visit, draft, sandbox);
    },
  });
  portal.form({
    act: 'keys.manage',
    // The form's token is bound to this address, so callers cannot invent ids.
    path: '/integrations/keys/:id/create',
    does: creates(parts),
  });
  operationPages(portal, keyRotating, {
    path: '/integrations/keys/:id/rotate',
    verbOf:
      (visit) =>
      async (actor, { overlap }) => {
        const { id, name } = await keyOf(visit);
        return await keys.rotate(actor, { id, name, overlap, account: visit.account });
      },
    initial: async () => ({ overlap: '24h' }),
    choices: async ({ lang }) => ({
      overlap: overlaps.map((value) => ({ value, label: integrationTexts[lang].overlaps[value] })),
    }),
    subject: async (visit) => (await keyOf(visit)).name,
    back: ({ at }) => at('/integrations'),
    done: (visit, { key }) => madePage(visit, key),
  });
  operationPages(portal, keyRestricting, {
    path: '/integrations/keys/:id/restrict',
    verbOf:
      (visit) =>
      async (actor, { ranges }) => {
        const { id, name } = await keyOf(visit);
        return await keys.restrict(actor, { id, name, ranges, account: visit.account });
      },
    initial: async (visit) => ({ ranges: (await keyOf(visit)).ranges?.join('\n') ?? '' }),
    subject: async (visit) => (await keyOf(visit)).name,
    back: ({ at }) => at('/integrations'),
  });
  portal.page({
    act: 'keys.manage',
    path: '/integrations/keys/:id/revoke',
    read: async (visit) => revokePage(visit, await keyOf(visit)),
  });
  portal.form({
    act: 'keys.manage',
    path: '/integrations/keys/:id/revoke',
    async does(visit) {
      const { id, name } = await keyOf(visit);
      await keys.revoke(visit.actor, { id, name, account: visit.account });
      return { to: visit.at('/integrations') };
    },
  });
}
