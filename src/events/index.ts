export { appendEvents, type EventDraft, writeEvents } from './store.ts';
