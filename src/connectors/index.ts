export { discardLetter, eraseLetters, listLetters, readLetter } from './letters.ts';
export { owedList } from './operations.ts';
export { readOwed } from './reconcile/store.ts';
export { checkReconciled } from './reconciled.ts';
export {
  type ConnectorSettings,
  configuredChannels,
  readConnectors,
} from './settings.ts';
export { forgetAlarms, readAlarms } from './store.ts';
