import { originOf } from '../config.ts';
import { openVaultOf } from '../foundation.ts';
import { type Links, openLinks } from '../platform/links.ts';
import { openKeyRing } from '../platform/secrets/index.ts';
import type { BaseContext } from './command.ts';

/** Public links as the service that runs with this configuration makes them. */
export async function linksOf({
  sql,
  config,
  clocks,
}: Pick<BaseContext, 'sql' | 'config' | 'clocks'>): Promise<Links> {
  const parts = { sql, vault: await openVaultOf(config), wall: clocks.wall };
  return openLinks(originOf(config, config.PORT), await openKeyRing(parts, 'links'));
}
