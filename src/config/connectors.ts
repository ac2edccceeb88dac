import { type ConnectorSettings, readConnectors } from '../connectors/settings.ts';
import type { Variable } from './variable.ts';

export const connectorVariables = {
  CONNECTORS: {
    doc: 'Connectors for online payments (docs/how-to/connect-an-acquirer.md): a JSON list of `{name, url, secrets, channels, brands, preference, calls_at_once, oldest_days}`, or the path of a file with it. Unset: none. The sandbox simulates channels without a connector',
    fallback: null,
    read: readConnectors,
  } satisfies Variable<readonly ConnectorSettings[], null>,
};
