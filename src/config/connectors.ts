import { type ConnectorSettings, readConnectors } from '../connectors/settings.ts';
import type { Variable } from './variable.ts';

/** The deployment's connectors for online payments. */
export const connectorVariables = {
  CONNECTORS: {
    doc: 'Connectors that take money online (docs/how-to/connect-an-acquirer.md): a JSON list of `{name, url, secrets, channels, brands, preference, calls_at_once, oldest_days}`, or the path of a file that holds it; unset: none, and in the sandbox the simulator',
    fallback: null,
    read: readConnectors,
  } satisfies Variable<readonly ConnectorSettings[], null>,
};
