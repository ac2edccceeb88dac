export { eventEvidence } from './evidence.ts';
export { appendEvents, type EventDraft, writeEvents } from './store.ts';
export { type EventName, type EventType, eventTypes, hasNumber } from './types.ts';
