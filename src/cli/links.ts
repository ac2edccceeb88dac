import { configuredKeyRing } from '../composition/keys.ts';
import { originOf } from '../config.ts';
import { createLinks, type Links } from '../platform/links.ts';
import type { BaseContext } from './command.ts';

/** Public links as the service that runs with this configuration makes them. */
export async function linksOf({
  sql,
  config,
  clocks,
}: Pick<BaseContext, 'sql' | 'config' | 'clocks'>): Promise<Links> {
  const ring = await configuredKeyRing(config, sql, clocks.wall, 'links');
  return createLinks(originOf(config, config.PORT), ring);
}
