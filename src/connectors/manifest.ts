import { type Manifest, protocolVersion, versionFor } from '../../connectors/protocol/messages.ts';
import type { ConnectorChannel } from '../../connectors/protocol/names.ts';
import { schemaFault } from '../../connectors/protocol/settings.ts';
import { isLine } from '../kernel/text.ts';
import type { AlarmKind } from '../money/channels/index.ts';
import type { Base } from '../platform/base.ts';
import type { Caller, CallResult } from './call.ts';
import { manifestFaults, manifestIn } from './check.ts';
import type { ConnectorSettings } from './settings.ts';

const manifestTimeoutMs = 5_000;
const longestLabel = 40;

/** Alerts the operator about a channel, or the whole connector. */
export type RaiseAlarm = (alarm: {
  connector: string;
  channel: string;
  kind: AlarmKind;
  text: string;
  /** True to accept no new charges on the channel for a while. */
  switchOff: boolean;
}) => void;

export type ManifestNews =
  | { isValid: true; missing: readonly ConnectorChannel[] }
  | { isValid: false; fault: string };

/** When the manifest was last requested, and the fault found. */
export interface ManifestState {
  at: Temporal.Instant;
  /** Null if the answer was valid. */
  fault: string | null;
}

/**
 * Returns the fault of the first label that is not one short line, or null. The checkout shows
 * labels to payers.
 */
function labelFault({ channels }: Manifest): string | null {
  for (const { channel, browser } of channels) {
    if (browser?.kind !== 'redirect' || browser.label === undefined) continue;
    if (!isLine(browser.label, longestLabel)) {
      return `the label of ${channel} must be one line without control characters`;
    }
  }
  return null;
}

/** Returns the fault of a channel that claims to capture but is not for cards, or null. */
const captureFault = ({ channels }: Manifest): string | null => {
  const wrong = channels.find(
    ({ channel, captures }) =>
      captures === true && channel !== 'credit_card' && channel !== 'debit_card',
  );
  return wrong ? `${wrong.channel} cannot capture: only cards can be authorized first` : null;
};

/** Validates a manifest of this connector. Returns it or its fault. */
function manifestOf(result: CallResult, name: string): { manifest: Manifest } | { fault: string } {
  if (result.kind === 'none') return { fault: result.why };
  if (result.status !== 200) return { fault: `its manifest has the status ${result.status}` };
  const manifest = manifestIn(result.body);
  if (!manifest) {
    return {
      fault: `its manifest breaks the protocol: ${manifestFaults(result.body).join('; ')}`,
    };
  }
  if (versionFor(manifest) === null) {
    const { protocol, protocol_until: until = protocol } = manifest;
    return {
      fault: `it speaks versions ${protocol} to ${until} of the protocol, and the service ${protocolVersion}`,
    };
  }
  const wrong =
    labelFault(manifest) ??
    captureFault(manifest) ??
    (manifest.settings === undefined ? null : schemaFault(manifest.settings));
  if (wrong !== null) return { fault: `its manifest breaks the protocol: ${wrong}` };
  if (manifest.name === name) return { manifest };
  return { fault: `its manifest names ${manifest.name}, and it is configured as ${name}` };
}

const missingOf = (
  { channels }: ConnectorSettings,
  manifest: Manifest,
): readonly ConnectorChannel[] =>
  channels.filter((code) => !manifest.channels.some(({ channel }) => channel === code));

/** Holds this process's copy of the manifest, and fetches updates. */
export function createManifest(
  settings: ConnectorSettings,
  caller: Caller,
  { base, raise }: { base: Base; raise: RaiseAlarm },
  first: Manifest | null,
) {
  const { name: connector } = settings;
  let known = first;
  let last: ManifestState | null = null;

  const tellChanges = (next: Manifest, missing: readonly ConnectorChannel[]): void => {
    for (const channel of missing) {
      const text = `${channel} is configured and no longer in the manifest: it is off`;
      raise({ connector, channel, kind: 'manifest', text, switchOff: false });
    }
    if (known && JSON.stringify(known) !== JSON.stringify(next)) {
      base.log.warn({ connector, version: next.version }, 'the manifest of a connector changed');
    }
  };

  return {
    known: () => known,
    last: () => last,
    async refresh(): Promise<ManifestNews> {
      const order = { method: 'GET', path: '/manifest', timeoutMs: manifestTimeoutMs } as const;
      const read = manifestOf(await caller.call(order), connector);
      last = { at: base.clocks.wall.now(), fault: 'fault' in read ? read.fault : null };
      if ('fault' in read) {
        raise({ connector, channel: '', kind: 'manifest', text: read.fault, switchOff: false });
        return { isValid: false, fault: read.fault };
      }
      const missing = missingOf(settings, read.manifest);
      tellChanges(read.manifest, missing);
      known = read.manifest;
      return { isValid: true, missing };
    },
  };
}
