export { checkReconciled } from './reconciled.ts';
export {
  type ConnectorSettings,
  configuredChannels,
  readConnectors,
} from './settings.ts';
export { type AlarmRow, forgetAlarms, readAlarms } from './store.ts';
