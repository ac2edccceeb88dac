/** The entry for pages; commands load none of it. */

export { type LoggedEvent, type LogPlace, readEntityLog, readLog } from './log.ts';
