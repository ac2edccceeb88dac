import { configuredKeyRing } from '../composition/keys.ts';
import { originOf } from '../config/index.ts';
import { createLinks, type Links } from '../platform/links.ts';
import type { BaseContext } from './command.ts';

/** Builds public links like the service with this configuration. */
export async function linksOf({
  base,
  config,
}: Pick<BaseContext, 'base' | 'config'>): Promise<Links> {
  const ring = await configuredKeyRing(config, base, 'links');
  return createLinks(originOf(config, config.PORT), ring);
}
