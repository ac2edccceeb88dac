import {
  type ApiKey,
  allPermissions,
  type CreateKey,
  keyCreating,
  keyRestricting,
  keyRevoking,
  keyRotating,
  type NewKey,
  type PermissionPreset,
  permissionPresets,
  type Rotated,
} from '../../accounts/index.ts';
import type { Actor } from '../../platform/actor.ts';
import type { Clocks } from '../../platform/clocks.ts';
import { Refusal } from '../../platform/errors.ts';
import type { Links } from '../../platform/links.ts';
import { type AccountVisit, numberIn, type Portal, portalRefusal } from '../frame/index.ts';
import { operationPages } from '../frame/operation.tsx';
import { integrationTexts } from './texts.ts';
import { integrationsPage, madePage, newKeyPage } from './views.tsx';

const overlaps = ['0', '1h', '24h', '7d', '30d'] as const;

/** An account, with its name in emails. */
interface Place {
  id: string;
  name: string;
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
    create(actor: Actor, key: Omit<NewKey, 'accountId' | 'secret'> & NamedKey): Promise<string>;
    restrict(actor: Actor, key: NamedKey & { ranges: readonly string[] }): Promise<boolean>;
    rotate(actor: Actor, key: NamedKey & { overlap: number }): Promise<Rotated>;
    revoke(actor: Actor, key: NamedKey): Promise<void>;
  };
  links: Links;
  clocks: Clocks;
  sandbox: boolean;
}

const isPreset = (word: string | null): word is PermissionPreset =>
  word !== null && Object.hasOwn(permissionPresets, word);

const presetIn = ({ query }: AccountVisit): PermissionPreset => {
  const preset = query.get('preset');
  return isPreset(preset) ? preset : 'all';
};

/** Creates the key whose id is in the address. Its secret is null if an earlier form created it. */
const creates =
  ({ keys, sandbox }: IntegrationParts, { account, params }: AccountVisit): CreateKey =>
  async (actor, { accountId, permissions, ...terms }) => {
    const id = numberIn(params.key) ?? 0;
    const allowed = permissions.filter((one) => sandbox || one !== 'sandbox');
    if (allowed.length === 0) throw portalRefusal('form.broken', {});
    try {
      const made = { ...terms, permissions: allowed, id, account };
      return { id, key: await keys.create(actor, made) };
    } catch (error) {
      // A repeated form may be refused for the limit of keys or a closed account before its id is
      // compared.
      const isKnown = error instanceof Refusal && error.kind === 'conflict';
      if (isKnown && (await keys.list(accountId)).some((one) => one.id === id)) {
        return { id, key: null };
      }
      throw error;
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
  const subject = async (visit: AccountVisit) => (await keyOf(visit)).name;
  const back = ({ at }: AccountVisit) => at('/integrations');
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
  operationPages(portal, keyCreating, {
    // The form's token is bound to this address, so callers cannot invent ids.
    path: '/integrations/keys/:key/create',
    on: { path: '/integrations/keys/new', act: 'keys.manage' },
    once: () => keys.draw(),
    needs: ['name', 'permissions'],
    verbOf: (visit) => creates(parts, visit),
    initial: async (visit) => ({ permissions: permissionPresets[presetIn(visit)].join(',') }),
    choices: async ({ lang }) => {
      const { permissions } = integrationTexts[lang];
      const offered = allPermissions.filter((name) => sandbox || name !== 'sandbox');
      const choices = offered.map((name) => ({ value: name, label: permissions[name] }));
      return { permissions: { groups: [{ name: 'permissions', choices }] } };
    },
    back,
    page: async (visit, form) => newKeyPage(visit, form, presetIn(visit)),
    done: (visit, { key }) => madePage(visit, key),
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
    subject,
    back,
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
    subject,
    back,
  });
  operationPages(portal, keyRevoking, {
    path: '/integrations/keys/:id/revoke',
    verbOf: (visit) => async (actor) => {
      const { id, name } = await keyOf(visit);
      await keys.revoke(actor, { id, name, account: visit.account });
    },
    subject,
    back,
    grave: true,
  });
}
