export { everyPage, type PortalParts } from './pages.ts';
export { portalAssets, portalRoutes } from './routes.ts';
