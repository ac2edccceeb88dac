import type { Config } from '../config.ts';
import type { Base } from '../platform/base.ts';
import { createLinks } from '../platform/links.ts';
import { createKeyRing } from '../secrets/index.ts';
import { configuredVault } from './keys.ts';

/** The vault, the keys that it opens, and public links made with them. */
export async function createRings(base: Base, config: Config, origin: string) {
  const vault = await configuredVault(config);
  const linkKeys = await createKeyRing({ ...base, vault }, 'links');
  const webhookKeys = await createKeyRing({ ...base, vault }, 'webhooks');
  return {
    vault,
    links: createLinks(origin, linkKeys),
    webhookKeys,
    /** Learns of keys that were added or retired elsewhere. */
    refreshKeys: async () => {
      await Promise.all([linkKeys.refresh(), webhookKeys.refresh()]);
    },
  };
}
