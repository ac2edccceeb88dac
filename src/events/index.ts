export { type Changers, changersOf, madeOperator } from './changers.ts';
export { erasureEvidence, eventEvidence, operatorEventEvidence } from './evidence.ts';
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
  type ErasureEvent,
  type EventEntity,
  readSealedTexts,
  sealErasures,
} from './personal.ts';
export {
  appendEvents,
  type EventDraft,
  eventsOfEntity,
  type HistoryEvent,
  readHistory,
  writeEvents,
} from './store.ts';
export { type EventName, type EventType, eventTypes, everyEvent, hasNumber } from './types.ts';
