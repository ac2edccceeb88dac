export { configureConnector } from './configure.ts';
export { type DeadLetter, eraseLetters, readLetter } from './dead-letters.ts';
export {
  connectorConfiguring,
  letterDiscarding,
  letterList,
  letterReplaying,
} from './operations.ts';
export { readOwed } from './reconcile/store.ts';
export { checkReconciled } from './reconciled.ts';
export { resumeConnector } from './resume.ts';
export {
  type ConnectorSettings,
  configuredChannels,
  readConnectors,
} from './settings.ts';
export { forgetAlarms, readAlarms } from './store.ts';
