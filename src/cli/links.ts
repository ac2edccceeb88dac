import { openRing } from '../composition/keys.ts';
import { originOf } from '../config.ts';
import { type Links, openLinks } from '../platform/links.ts';
import type { BaseContext } from './command.ts';

/** Public links as the service that runs with this configuration makes them. */
export async function linksOf({
  sql,
  config,
  clocks,
}: Pick<BaseContext, 'sql' | 'config' | 'clocks'>): Promise<Links> {
  const ring = await openRing(config, sql, clocks.wall, 'links');
  return openLinks(originOf(config, config.PORT), ring);
}
