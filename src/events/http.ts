/** Entry point for HTTP code, which commands do not load. */

export { type LoggedEvent, type LogPlace, readEntityLog, readLog } from './log.ts';
