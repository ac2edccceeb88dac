export { everyPage, type PortalParts } from './pages.ts';
export { portalRoutes } from './routes.ts';
