export { checkUnwantedApprovals } from './audit.ts';
export { type Reason, stampedUnwantedApprovals } from './store.ts';
export {
  createUnwantedApprovals,
  type UnwantedApprovals,
} from './unwanted.ts';
