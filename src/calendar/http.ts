/** Entry point for HTTP code, so that commands load no routes or schemas. */

export { calendarRoutes } from './routes.ts';
