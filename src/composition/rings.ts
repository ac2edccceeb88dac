import type { Config } from '../config/index.ts';
import type { Base } from '../platform/base.ts';
import { createLinks } from '../platform/links.ts';
import { createKeyRing } from '../secrets/index.ts';
import { configuredVault } from './keys.ts';

/** Builds the vault, the key rings it opens, and public links signed with them. */
export async function createRings(base: Base, config: Config, origin: string) {
  const vault = await configuredVault(config);
  const linkKeys = await createKeyRing({ ...base, vault }, 'links');
  const webhookKeys = await createKeyRing({ ...base, vault }, 'webhooks');
  return {
    vault,
    links: createLinks(origin, linkKeys),
    webhookKeys,
    /** Loads keys that other processes added or retired. */
    refreshKeys: async () => {
      await Promise.all([linkKeys.refresh(), webhookKeys.refresh()]);
    },
  };
}
