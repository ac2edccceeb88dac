/** Entry point for HTTP code, which commands do not load. */

export {
  type ActivityAuthor,
  type ActivityEvent,
  type FoundActivity,
  readActivity,
} from './activity.ts';
export { type LoggedEvent, type LogPlace, readEntityLog, readLog } from './log.ts';
