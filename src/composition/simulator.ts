import { connectorOver } from '../connectors/http.ts';
import { type Channels, simulatorName, soleChannel } from '../money/channels/index.ts';
import type { Base } from '../platform/base.ts';
import { openSimulator } from '../sandbox/http.ts';
import { simulatedCodes } from '../sandbox/index.ts';

/**
 * Connects the simulator to every online channel of the sandbox. It is a connector like any other,
 * but called in process, and this service serves its frame.
 */
export function simulatedChannels(base: Base, origin: string): Channels {
  const simulator = openSimulator(base, origin);
  const { channel } = connectorOver(
    { call: simulator.call, close: async () => {} },
    {
      name: simulatorName,
      url: origin,
      secrets: [],
      channels: simulatedCodes,
      brands: null,
      preference: 0,
      callsAtOnce: Number.POSITIVE_INFINITY,
      oldestDays: 365,
    },
    {
      base,
      raise: ({ kind, text }) => base.log.error({ kind }, `the simulator: ${text}`),
      isOff: () => false,
      settingsOf: async () => ({}),
      accountsOf: async () => [],
      count: () => {},
    },
    simulator.manifest,
  );
  return soleChannel(channel, simulatedCodes);
}
