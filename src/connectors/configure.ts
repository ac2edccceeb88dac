import type { Manifest } from '../../connectors/protocol/messages.ts';
import { faultsOfSettings } from '../../connectors/protocol/settings.ts';
import { type ConnectorChange, setConnectorSettings } from '../accounts/index.ts';
import type { Actor } from '../platform/actor.ts';
import type { Base } from '../platform/base.ts';
import { refusal, refusals } from './codes.ts';

/**
 * Configures what a connector receives about an account. `manifestOf` returns null if the connector
 * is unreachable: then the settings are stored unchecked, and the result is false. Throws 400 if
 * the manifest does not allow them, and like `setConnectorSettings`.
 */
export const configureConnector =
  (base: Base, manifestOf: (name: string) => Promise<Manifest | null>) =>
  async (change: ConnectorChange, actor: Actor): Promise<boolean> => {
    const { connector: name, settings } = change;
    const manifest = await manifestOf(name);
    const faults = faultsOfSettings(manifest, settings).map((one) =>
      refusals.fault('connector.setting', { ...one, whole: one.path === '' ? 'yes' : 'no' }),
    );
    if (faults.length > 0) throw refusal('connector.settings_invalid', { name, faults });
    await setConnectorSettings({ ...base, actor })(change);
    return manifest !== null;
  };
export type ConfigureConnector = ReturnType<typeof configureConnector>;
