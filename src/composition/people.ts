import type { Config } from '../config/index.ts';
import { providerSettingsOf, signInRulesOf } from '../config/people.ts';
import type { Base } from '../platform/base.ts';
import type { Links } from '../platform/links.ts';
import type { Vault } from '../platform/vault.ts';
import { createUserVerbs } from '../users/index.ts';
import { createDigests } from './digests.ts';
import { lookDecisions } from './look-decisions.ts';
import { createPortalKeys } from './portal-keys.ts';
import { createPortalSettings } from './portal-settings.ts';

export function createPeopleWing(
  base: Base,
  config: Config,
  { vault, links }: { vault: Vault; links: Links },
) {
  const users = createUserVerbs(base, {
    vault,
    links,
    rules: signInRulesOf(config),
    provider: providerSettingsOf(config),
    passwordCosts: config.passwordCosts,
  });
  const looksWait = config.ENVIRONMENT !== 'sandbox';
  return {
    users,
    keys: createPortalKeys(base, config, users),
    digests: createDigests(base, links),
    looks: lookDecisions,
    settings: createPortalSettings(base, { users, links, looksWait }),
  };
}
