export { signScript } from './assets.ts';
export { signingRoutes } from './routes.ts';
