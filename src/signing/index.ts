export { signingRoutes } from './routes.ts';
