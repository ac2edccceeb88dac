export { type Changers, changersOf, madeOperator } from './changers.ts';
export { eventEvidence, operatorEventEvidence } from './evidence.ts';
export {
  countFeed,
  countOutbox,
  eventOfFeed,
  eventsWait,
  type FeedFilters,
  type FeedRow,
  lastDelivered,
  lastPosition,
  lookUpEvents,
  lookUpEventsById,
  type Place,
  type Placed,
  placedAtOnce,
  placedEvents,
  placeEvents,
  placeEventsOf,
  readEvent,
  readFeed,
  resultsInFeed,
  waitingAccounts,
} from './feed.ts';

export {
  noteOperator,
  type OperatorNote,
  operatorEventsOf,
  vaultKeySince,
  writeOperatorEvent,
} from './operator.ts';
export {
  appendEvents,
  type EventDraft,
  eventsOfEntity,
  type HistoryEvent,
  readHistory,
  writeEvents,
} from './store.ts';
export { type EventName, type EventType, eventTypes, hasNumber } from './types.ts';
