import type { Notice } from '../../connectors/protocol/messages.ts';
import type { Connector } from './connector.ts';

/**
 * Returns the channel of a notice, or null for a notice about a charge, dispute or card of ours.
 */
const channelOf = (type: Notice['type']): 'wire_transfer' | 'qr' | null => {
  if (type.startsWith('transfer.')) return 'wire_transfer';
  return type.startsWith('qr.') ? 'qr' : null;
};

/**
 * Returns true if a connector may report this: its manifest names the notice, and money of a
 * channel needs that channel in its configuration. Before the first manifest only the configuration
 * counts.
 */
export function tells({ settings, manifest }: Connector, type: Notice['type']): boolean {
  const channel = channelOf(type);
  if (channel !== null && !settings.channels.includes(channel)) return false;
  return manifest()?.notices.includes(type) ?? true;
}
