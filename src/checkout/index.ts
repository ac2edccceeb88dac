export { checkoutScript } from './assets.ts';
export { checkoutRoutes } from './routes.ts';
